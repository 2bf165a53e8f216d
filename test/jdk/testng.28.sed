# Makes a JUnit class of a TestNG class, which is what the tests of java/foreign are from JDK 28 on. For sed -E.
s/@run testng/@run junit/
s/^import org\.testng\.SkipException;/import org.opentest4j.TestAbortedException;/
s/new SkipException\(/new TestAbortedException(/
s/^import org\.testng\.annotations\.\*;/import org.junit.jupiter.api.*;\
import org.junit.jupiter.params.ParameterizedTest;\
import org.junit.jupiter.params.provider.MethodSource;/
s/^import static org\.testng\.Assert\.\*;/import static org.junit.jupiter.api.Assertions.*;/
/^    @DataProvider$/d
s/^( *)@Test\(dataProvider = ("\w+")\)/\1@ParameterizedTest\
\1@MethodSource(\2)/
s/@BeforeClass$/@BeforeAll/
s/@(Before|After)Method$/@\1Each/
s/expectThrows\(/assertThrows(/
# The expected value comes first. The arguments may have parentheses in parentheses.
s/Equals\((([^(),"]|"[^"]*"|\(([^()]|\([^()]*\))*\))+), (([^(),"]|"[^"]*"|\(([^()]|\([^()]*\))*\))+)/Equals(\4, \1/
