/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

import module java.base;

/** The command line of the tools: runs one of the commands that it is given, and knows the exit statuses. */
@Command(name = "arena-analysis",
        description = "Measures what the pooled confined arena gains, and records what confined arenas a program uses.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        version = "arena-analysis 1",
        synopsisSubcommandLabel = "COMMAND")
public final class Tool {

    /** Something that was asked for was measured or made, but failed. */
    public static final int EXIT_FAILED = 1;

    /** What was asked for cannot be done with this input; nothing was done. */
    public static final int EXIT_BAD_INPUT = 2;

    private Tool() {}

    /** {@return the exit status of the command line {@code args}, which begins with the name of a command} */
    public static int run(List<Class<?>> commands, String... args) {
        CommandLine commandLine = new CommandLine(new Tool());
        commands.forEach(commandLine::addSubcommand);
        commandLine.setParameterExceptionHandler((e, _) -> fail(e.getCommandLine(), EXIT_BAD_INPUT,
                e.getMessage().lines().findFirst().orElseThrow()
                        + " (see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help)"));
        commandLine.setExecutionExceptionHandler((e, command, _) -> switch (e) {
            case BadInput bad -> fail(command, EXIT_BAD_INPUT, bad.getMessage());
            case IOException io -> fail(command, EXIT_FAILED, failure(io));
            case UncheckedIOException unchecked -> fail(command, EXIT_FAILED, failure(unchecked.getCause()));
            default -> throw e;
        });
        commandLine.setUsageHelpWidth(100);
        commandLine.setExpandAtFiles(false); // the command to record may have arguments that begin with @
        return orOutputLost(commandLine.execute(args));
    }

    /** {@return the exit status, which is none of success if standard output was lost} A full disk is no exception of a PrintStream. */
    public static int orOutputLost(int status) {
        if (System.out.checkError()) {
            System.err.println("arena-analysis: not all of the standard output could be written");
            return Math.max(status, EXIT_FAILED);
        }
        return status;
    }

    /** {@return the characters in a line of the terminal; if the output is not one, as many as there can be} */
    public static int width() {
        Console terminal = System.console();
        return terminal == null || !terminal.isTerminal() ? Integer.MAX_VALUE
                : new CommandLine(new Tool()).setUsageHelpAutoWidth(true).getCommandSpec().usageMessage().width();
    }

    /** {@return an argument as a shell needs it} */
    public static String quoted(String argument) {
        return argument.matches("[\\w./=:,@+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    /** {@return what to say} Commands tell of files that they cannot read, so this is nearly always one that cannot be written. */
    private static String failure(IOException e) {
        String file = e instanceof FileSystemException failed ? failed.getFile() : null;
        return "the files could not be written: " + (file == null ? "" : file.replaceFirst("\\.tmp$", "") + ": ") + reason(e)
                + "; those that are not named as written are as they were";
    }

    /** {@return why a file or directory could not be read or written, in words} */
    public static String reason(Exception e) {
        return switch (e) {
            case UncheckedIOException _, DirectoryIteratorException _ -> reason((IOException) e.getCause());
            case NoSuchFileException _ -> "there is no such file or directory";
            case FileAlreadyExistsException _ -> "it is there already, and is no directory";
            case AccessDeniedException _ -> "no permission";
            case FileSystemException failed when failed.getReason() != null -> failed.getReason();
            default -> Objects.requireNonNullElse(e.getMessage(), e.toString());
        };
    }

    private static int fail(CommandLine command, int status, String message) {
        command.getErr().println(command.getCommandName() + ": " + message);
        return status;
    }
}
