/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

import module java.base;

import jdk.tools.jlink.internal.PluginRepository;
import jdk.tools.jlink.plugin.Plugin;
import jdk.tools.jlink.plugin.ResourcePool;
import jdk.tools.jlink.plugin.ResourcePoolBuilder;
import jdk.tools.jlink.plugin.ResourcePoolEntry;

/**
 * Links a complete JDK image out of the JDK that runs this program, with classes of {@code java.base} replaced and added;
 * or with {@code -Dlink.jdk=JDK} out of that JDK, which is of the same release, has {@code jmods}, and may be for another
 * processor.
 *
 * <p>{@code jlink} links from {@code jmods}, or, in a JDK without them, from the run-time image itself; there it refuses
 * a patched {@code java.base}. So the patch goes in as a plugin, which sees every class on its way into the image and
 * works the same for both.
 *
 * <p>Usage: {@code java --add-modules jdk.jlink --add-exports jdk.jlink/jdk.tools.jlink.internal=ALL-UNNAMED
 * --add-exports jdk.jlink/jdk.tools.jlink.plugin=ALL-UNNAMED LinkImage.java PATCHED IMAGE NAME}, where {@code PATCHED}
 * holds {@code classes}, {@code src} and {@code deleted}, the list of sources that go, and {@code NAME} is what the image's
 * vendor version says of the patch.
 */
public class LinkImage {

    private static final Path JDK = Path.of(System.getProperty("link.jdk", System.getProperty("java.home")));
    private static final Path JMODS = JDK.resolve("jmods");

    public static void main(String[] args) throws IOException {
        Path patched = Path.of(args[0]);
        Path image = Path.of(args[1]);

        List<String> deleted = Files.readAllLines(patched.resolve("deleted"));
        PluginRepository.registerPlugin(new PatchJavaBase(readClasses(patched.resolve("classes")), deleted));
        link(image, args[2]);
        copyFilesThatBelongToNoModule(image);
        addSources(patched.resolve("src"), deleted, image.resolve("lib", "src.zip"));
    }

    private static void link(Path image, String patch) throws IOException {
        Map<String, String> properties = release();
        String vendor = properties.get("IMPLEMENTOR_VERSION");
        String vendorVersion = vendor == null ? patch : vendor.replace("\"", "") + " with " + patch;
        properties.put("IMPLEMENTOR_VERSION", '"' + vendorVersion + '"');
        Path release = Files.createTempFile("release", "");
        int status;
        try {
            Files.write(release, properties.entrySet().stream().map(entry -> entry.getKey() + '=' + entry.getValue()).toList());
            List<String> options = new ArrayList<>(List.of(
                    "--output", image.toString(),
                    "--add-modules", String.join(",", linkableModules()),
                    "--release-info", release.toString(),
                    "--vendor-version", vendorVersion,
                    "--dedup-legal-notices", "error-if-not-same-content",
                    // The order of OpenJDK's own images: what start-up reads stands together.
                    "--order-resources", "**module-info.class,@" + JDK.resolve("lib", "classlist")
                            + ",/java.base/java/**,/java.base/jdk/**,/java.base/sun/**,/java.base/com/**,/jdk.localedata/**"));
            if (Files.isDirectory(JMODS)) {
                options.addAll(List.of("--module-path", JMODS.toString()));
            }
            StringWriter output = new StringWriter();
            PrintWriter log = new PrintWriter(output, true);
            status = jdk.tools.jlink.internal.Main.run(log, log, options.toArray(String[]::new));
            if (status != 0) {
                System.err.print(output);
            }
        } finally {
            Files.delete(release);
        }
        if (status != 0) {
            System.exit(status); // here, as it skips a finally
        }
    }

    /** All modules; out of a run-time image, jlink does not link {@code jdk.jlink} and so none that requires it. */
    private static Set<String> linkableModules() throws IOException {
        if (Files.isDirectory(JMODS)) {
            try (Stream<Path> files = Files.list(JMODS)) {
                return files.map(file -> file.getFileName().toString().replaceFirst("\\.jmod$", "")).collect(Collectors.toSet());
            }
        }
        return ModuleFinder.ofSystem().findAll().stream().map(ModuleReference::descriptor)
                .filter(module -> !module.name().equals("jdk.jlink")
                        && module.requires().stream().noneMatch(required -> required.name().equals("jdk.jlink")))
                .map(ModuleDescriptor::name).collect(Collectors.toSet());
    }

    /** The lines of the file {@code release} of this JDK, with quotes; jlink puts in the image's modules. */
    private static Map<String, String> release() throws IOException {
        return Files.readAllLines(JDK.resolve("release")).stream().filter(line -> line.contains("="))
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(line -> line[0], line -> line[1], (_, last) -> last, TreeMap::new));
    }

    /** Such as {@code NOTICE}, beside {@code release}. */
    private static void copyFilesThatBelongToNoModule(Path image) throws IOException {
        try (Stream<Path> files = Files.list(JDK)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = image.resolve(file.getFileName());
                if (Files.notExists(copy)) {
                    Files.copy(file, copy);
                }
            }
        }
    }

    /** Debuggers and IDEs look for the sources in {@code lib/src.zip}, so the patched ones have to be there. */
    private static void addSources(Path sources, List<String> deleted, Path zip) throws IOException {
        Files.copy(JDK.resolve("lib", "src.zip"), zip);
        zip.toFile().setWritable(true);
        try (FileSystem archive = FileSystems.newFileSystem(zip); Stream<Path> files = Files.walk(sources)) {
            Path javaBase = archive.getPath("java.base");
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = javaBase.resolve(sources.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            for (String source : deleted) {
                Files.delete(javaBase.resolve(source));
            }
        }
    }

    /** Class files by their path in the image, {@code /java.base/...}. */
    private static Map<String, byte[]> readClasses(Path classes) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                found.put("/java.base/" + classes.relativize(file), Files.readAllBytes(file));
            }
        }
        return found;
    }

    /** Replaces, adds and deletes classes, and drops the nested classes that a patched class no longer has. */
    private static final class PatchJavaBase implements Plugin {

        private final Map<String, byte[]> classes;
        private final Set<String> gone;

        PatchJavaBase(Map<String, byte[]> classes, List<String> deleted) {
            this.classes = classes;
            gone = deleted.stream().map(source -> "/java.base/" + source.replaceFirst("\\.java$", ".class"))
                    .collect(Collectors.toCollection(() -> new TreeSet<>(classes.keySet())));
        }

        @Override
        public String getName() {
            return "patch-java-base";
        }

        @Override
        public Set<State> getState() {
            return EnumSet.of(State.AUTO_ENABLED, State.FUNCTIONAL);
        }

        @Override
        public Category getType() {
            return Category.TRANSFORMER;
        }

        @Override
        public ResourcePool transform(ResourcePool in, ResourcePoolBuilder out) {
            in.transformAndCopy(entry -> gone.contains(outermost(entry.path())) ? null : entry, out);
            classes.forEach((path, bytes) -> out.add(ResourcePoolEntry.create(path, bytes)));
            return out.build();
        }

        /** The path of the outermost class around the one at {@code path}, or {@code path} when that is none. */
        private static String outermost(String path) {
            int dollar = path.indexOf('$', path.lastIndexOf('/') + 2);
            return path.endsWith(".class") && dollar > 0 ? path.substring(0, dollar) + ".class" : path;
        }
    }
}
