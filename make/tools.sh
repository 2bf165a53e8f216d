# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# Read by the other scripts and by recipes: which JDK, source tree, jtreg and packages are used. What is missing is installed
# where apt can; else one line says what is accepted.

# In the commands of make's function shell, GNU make 4.3 does not do what unexport in Makefile says.
unset CDPATH JDK_JAVAC_OPTIONS JDK_JAVA_OPTIONS

# COMMAND without the options that each JVM takes from the environment. Maven keeps them, as they may name a proxy.
without_options() { env -u JAVA_TOOL_OPTIONS -u _JAVA_OPTIONS "$@"; }

# The releases of OpenJDK that the patch is for.
oldest=25 newest=28

jdk_release() { sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null || :; }
# What the file release of the JDK $1 says of $2.
of_release() { sed -n "s/^$2=\"\(.*\)\"/\1/p" "$1/release"; }
jdk_version() { of_release "$1" JAVA_RUNTIME_VERSION; }
tree_release() { sed -n 's/^DEFAULT_VERSION_FEATURE=//p' "$1/make/conf/version-numbers.conf" 2>/dev/null || :; }

# Runs the command $1 when the script ends, also by a signal. It dies of SIGINT, as a shell that runs it goes on if it exits.
at_exit() {
    trap "$1" EXIT
    trap 'trap - INT; kill -INT $$' INT
    trap 'exit 143' TERM HUP
}

# Ends the script: what is wrong, and that therefore nothing was $outcome.
stop() { echo "$1; nothing was ${outcome:-built}" >&2; exit 1; }

check_issue() {
    [[ $1 =~ ^(([A-Z][A-Z0-9]*-)?[0-9]+)?$ ]] || stop "ISSUE=$1: accepted is the number of an issue, as in ISSUE=8000000"
}

# git in the directory $1 only: a repository further up would not be that directory's, and would make its files ignored ones.
git_in() {
    env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE -u GIT_PREFIX GIT_CEILING_DIRECTORIES="$(dirname "$(realpath "$1")")" \
        LC_ALL=C git -C "$@"
}

# Why TEST=$1 names neither a jtreg test nor a directory of them; nothing when it does. What follows # or ? is jtreg's.
unknown_test() {
    local path=${1%%[#?]*}
    [ -e "test/jdk/${path#test/jdk/}" ] ||
        echo "TEST=$1: no such test; accepted is a path below test/jdk, as in TEST=java/foreign/pool"
}

# Ends the script unless each PEER... is what the tool of make compare takes: a java or a JDK's home, also with NAME= before it. The tool
# is built only after much else.
check_peers() {
    local peer java version reason
    for peer; do
        java=$peer
        [[ ! $peer =~ ^[^=/]+= ]] || java=${peer#*=}
        java=$(realpath -ms -- "$java")
        [ ! -d "$java" ] || java+=/bin/java
        version=$(without_options "$java" -version 2>&1 </dev/null | sed -n 's/.* version "\([^"]*\)".*/\1/p') || version=
        ! [[ $version =~ ^[0-9]+ && $BASH_REMATCH -ge $oldest ]] || continue
        reason="Java $version"
        [ -n "$version" ] || reason="java -version names no release"
        [ -e "$java" ] || reason="there is no $java"
        outcome=measured stop "PEER=$peer: $reason; accepted is the java of a JDK $oldest or newer, or its home, also as NAME=JAVA"
    done
}

# Installs what is missing of PACKAGE... : install WHY PACKAGE... With DRY_RUN set it only says what is missing.
install() {
    local why=$1 package missing= log
    shift
    for package; do
        dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    not_installed() { echo "$why: not found; please install$missing ($1)" >&2; return 1; }
    apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends "$@" >"$log" 2>&1; }
    known() { apt-cache show $missing >/dev/null 2>&1; }

    [ -z "${DRY_RUN:-}" ] || { not_installed "a dry run installs nothing"; return; }
    command -v apt-get >/dev/null || { not_installed "or what has it on this system"; return; }
    [ "$(id -u)" = 0 ] || { not_installed "as root: apt-get install$missing"; return; }
    log=$(mktemp)
    # A minimal root has no package lists yet, and may have outdated ones.
    known || apt_get update || :
    known || { not_installed "apt has no such package here$(sed -n '/^[EW]:/ { s/^../;/p; q; }' "$log")"; rm "$log"; return 1; }
    echo "Installing$missing with apt-get ($why)"
    apt_get install $missing || { apt_get update; apt_get install $missing; } ||
        { not_installed "apt-get failed: $(grep -m1 '^E:' "$log" || tail -n1 "$log")"; rm "$log"; return 1; }
    rm "$log"
}

# Why $1 is no JDK to patch; nothing when it is one.
unfit() {
    local version
    [ -d "$1" ] || { echo "no such directory"; return; }
    [ -x "$1/bin/javac" ] || { echo "no bin/javac"; return; }
    version=$(jdk_release "$1")
    [ "${version:-0}" -ge $oldest ] || { echo "JDK ${version:-of unknown version}"; return; }
    ! grep -q 'Pooled[ -]Confined[ -]Arena' "$1/release" || { echo "has the patch already"; return; }
    # Debian's lib/src.zip is a link that dangles until the package with the sources is there.
    [ -r "$1/lib/src.zip" ] || { echo "no readable lib/src.zip (Debian's package is openjdk-$version-source)"; return; }
    # Some JDKs can link without jmods, and say so.
    [ -d "$1/jmods" ] || LC_ALL=C "$1/bin/jlink" --help 2>/dev/null | grep -q 'run-time image enabled' ||
        echo "no jmods, without which its jlink cannot link"
}

# The JDK in the usual install places with the lowest release. Links are followed, so that one JDK counts once.
usual_jdk() {
    local dir
    for dir in /usr/lib{,64}/jvm/* ~/.sdkman/candidates/java/* /opt/* /usr/java/* ~/.jdks/* \
            {,~}/Library/Java/JavaVirtualMachines/*/Contents/Home; do
        [ ! -x "$dir/bin/javac" ] || [ -n "$(unfit "$dir")" ] || echo "$(jdk_release "$dir") $(cd -P "$dir" && pwd)"
    done | sort -k1,1n -s | sed -n '1s/^[0-9]* //p'
}

# find_jdk [JDK]: prints the home of the JDK to patch, which has its sources, and on standard error which one and why it; or
# one line that does not begin with a slash: why there is none. In this order: the argument, JAVA_HOME, the usual install
# places, apt. One that is newer than the patch is for is taken too, as most releases change nothing that the patch does.
find_jdk() {
    local home=${1:-} why="as set by JDK=" reason passed_over= usual
    local accepted="a JDK home with bin/javac and lib/src.zip, $oldest to $newest"
    if [ -n "$home" ]; then
        reason=$(unfit "$home")
        [ -z "$reason" ] || { echo "JDK=$home: $reason; accepted is $accepted; nothing was built"; return; }
    else
        usual=$(usual_jdk)
        if [ -n "${JAVA_HOME:-}" ]; then
            reason=$(unfit "$JAVA_HOME")
            [ -z "$reason" ] && home=$JAVA_HOME why="from JAVA_HOME" || passed_over="JAVA_HOME=$JAVA_HOME passed over: $reason; "
        fi
        if [ -z "$home" ] && [ -z "$usual" ]; then
            install "JDK $oldest with sources" openjdk-$oldest-jdk-headless openjdk-$oldest-source 3>&1 1>&2 2>&3 ||
                { echo "${passed_over}accepted is $accepted; set it with JDK="; return; }
            usual=$(usual_jdk) passed_over+="installed just now; "
            [ -n "$usual" ] || { echo "No JDK found: accepted is $accepted; set it with JDK="; return; }
        fi
        if [ -z "$home" ]; then
            home=$usual why="${passed_over}JDK= sets another"
        elif [ -n "$usual" ] && [ "$(jdk_release "$usual")" -lt "$(jdk_release "$home")" ]; then
            why+="; JDK $(jdk_release "$usual") is installed too, JDK=$usual sets it"
        fi
    fi
    [ "$(jdk_release "$home")" -le $newest ] || why+="; newer than $newest, for which the patch is, and taken as that"
    home=$(cd "$home" && pwd)
    # A make in a recipe of another one does not say it again.
    [ "$home" = "${JDK_HOME:-}" ] || echo "JDK $(jdk_version "$home") at $home ($why)" >&2
    echo "$home"
}

# find_tree JDK_SRC [JDK]: prints the absolute path of JDK_SRC when that is the top directory of an OpenJDK source tree that the
# patch is for, and of the release of JDK where that is given; else one line that says what is wrong, with status 1.
find_tree() {
    local src=$1 jdk=${2:-} tree found part
    local accepted="accepted is the top directory of an OpenJDK $oldest to $newest source tree, as in JDK_SRC=../jdk25u"
    [ -n "$src" ] || { echo "JDK_SRC is not set; $accepted"; return 1; }
    tree=$(cd "$src" 2>/dev/null && pwd -P) || { echo "JDK_SRC=$src: no such directory; $accepted"; return 1; }
    found=$(tree_release "$tree")
    [ -n "$found" ] || { echo "JDK_SRC=$src: not an OpenJDK source tree; $accepted"; return 1; }
    [ "$found" -ge $oldest ] && [ "$found" -le $newest ] || { echo "JDK_SRC=$src: OpenJDK $found; $accepted"; return 1; }
    for part in src/java.base test/jdk/TEST.groups test/lib; do
        [ -e "$tree/$part" ] || { echo "JDK_SRC=$src: has no $part; $accepted"; return 1; }
    done
    [ -z "$jdk" ] || [ "$(jdk_release "$jdk")" = "$found" ] || {
        echo "JDK_SRC=$src: OpenJDK $found, but the JDK is $(jdk_release "$jdk"), $jdk;" \
            "accepted is a JDK of the same release, as in JDK=/usr/lib/jvm/jdk-$found"
        return 1
    }
    echo "$tree"
}

# users_of TREE DELETED: prints the tests and benchmarks in the source tree TREE that use a class which the list DELETED names, and
# those that use one of these.
users_of() {
    local names found users=
    names=$(sed 's|.*/||; s|\.java$||' "$2")
    while [ -n "$names" ]; do
        found=$(cd "$1" && grep -rlwE "${names//$'\n'/|}" test/jdk/java/foreign test/micro/org/openjdk/bench/java/lang/foreign \
            --include='*.java' 2>/dev/null | grep -vxF "${users:-none}" | LC_ALL=C sort) || true
        users=$(printf '%s\n' $users $found)
        names=$(printf '%s\n' $found | sed -n 's|.*/\(.*\)\.java$|\1|p')
    done
    echo "$users"
}

# Prints the jtreg to use. In: JTREG, the command or the directory it is installed in, when it is not to be looked for.
find_jtreg() {
    local found
    if [ -n "${JTREG:-}" ]; then
        found=$(command -v -- "$JTREG" || echo "$JTREG")
        [ ! -d "$found" ] || found+=/bin/jtreg
        [ ! -x "$found" ] || { realpath "$found"; return; }
        echo "JTREG=$JTREG: accepted is the command jtreg or the directory it is installed in" >&2
        return 1
    fi
    look() {
        # The newer one first, which OpenJDK's own suites of today ask for.
        realpath -e "$(command -v jtreg8 || command -v jtreg || command -v jtreg7 ||
            ls -d /usr/share/jtreg*/bin/jtreg /opt/jtreg*/bin/jtreg 2>/dev/null | tail -n1)" 2>/dev/null
    }
    look && return
    install jtreg jtreg8 >&2 2>/dev/null || install "jtreg (7 or 8), which JTREG= can name" jtreg7 >&2 || return 1
    look
}

# The path of the system's first shared object whose name is the regular expression $1.
find_library() { PATH=$PATH:/sbin ldconfig -p | awk -v name="^$1\$" '$1 ~ name && !found++ { print $NF }'; }

find_maven() { command -v mvn >/dev/null || install Maven maven; }

# Maven on JAVA_HOME's JDK. It prints errors only, and refuses what does not have its checksum.
maven() (
    set -o pipefail
    find_maven || exit
    # Maven's own libraries use what newer JDKs warn of. It resets colours even where it uses none.
    MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
        mvn --quiet --batch-mode --strict-checksums -Dstyle.color=never "$@" 2>&1 | sed $'s/\033\\[0*m//g'
)

# run_logged NAME LOG COMMAND... : COMMAND with all it prints in LOG; twice a minute prints NAME, the time and the last line of
# LOG that is not make's. COMMAND is in a process group of its own, all of which end_logged ends, for at_exit.
running=
run_logged() {
    local name=$1 log=$2 status=0 start=$SECONDS
    shift 2
    set -m
    "$@" >"$log" 2>&1 </dev/null &
    running=$!
    set +m
    while sleep 1; kill -0 $running 2>/dev/null; do
        [ $(((SECONDS - start) % 30)) -ne 29 ] ||
            echo "$name: $(((SECONDS - start) / 60)) min, $(grep -Eav '^g?make(\[|:)' "$log" | tail -n1 | cut -c1-100)"
    done
    wait $running || status=$?
    running=
    return $status
}
end_logged() { [ -z "$running" ] || kill -KILL -- "-$running" 2>/dev/null || :; }
