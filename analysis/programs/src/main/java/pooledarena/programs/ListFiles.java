/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
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

import java.util.Map;
import java.util.TreeMap;

/** What a file manager does with GLib's Gio: walks directories and asks for size, time and kind of each file. */
final class ListFiles {

    private final Map<String, Long> bytes = new TreeMap<>();
    private long files;

    private ListFiles() {
    }

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
        }
        children.close(null);
        // What the bindings left for the main loop, such as the release of objects that were collected.
        while (MainContext.default_().iteration(false)) {
        }
    }
}
