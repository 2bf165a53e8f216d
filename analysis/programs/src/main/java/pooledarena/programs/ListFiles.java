/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import io.github.jwharm.javagi.base.GErrorException;

import org.gnome.gio.File;
import org.gnome.gio.FileEnumerator;
import org.gnome.gio.FileInfo;
import org.gnome.gio.FileQueryInfoFlags;
import org.gnome.gio.FileType;
import org.gnome.gio.Gio;
import org.gnome.glib.MainContext;

import module java.base;

/** What a file manager does with GLib's Gio: walks directories and asks for size, time and kind of each file. */
final class ListFiles {

    private final Map<String, Long> bytes = new TreeMap<>();
    private long files;

    /** @param args the directories to list */
    public static void main(String[] args) throws GErrorException {
        Gio.javagi$ensureInitialized();
        ListFiles list = new ListFiles();
        for (String directory : args) {
            list.add(File.newForPath(directory));
        }
        System.out.println(list.files + " files of " + list.bytes.size() + " kinds, "
                + list.bytes.values().stream().mapToLong(Long::longValue).sum() + " bytes");
    }

    private void add(File directory) throws GErrorException {
        FileEnumerator children = directory.enumerateChildren("standard::*,time::modified",
                FileQueryInfoFlags.NOFOLLOW_SYMLINKS, null);
        for (FileInfo child; (child = children.nextFile(null)) != null;) {
            if (child.getFileType() == FileType.DIRECTORY) {
                add(children.getChild(child));
            } else {
                files++;
                bytes.merge(child.getContentType(), child.getSize(), Long::sum);
            }
            Reference.reachabilityFence(child);
        }
        children.close(null);
        // The bindings read an object's address and then call the native function. In between the garbage collector may find
        // the object unreachable, and the bindings' cleaner releases it.
        Reference.reachabilityFence(children);
        Reference.reachabilityFence(directory);
        // What the bindings left for the main loop, such as the release of objects that were collected.
        while (MainContext.default_().iteration(false)) {
        }
    }
}
