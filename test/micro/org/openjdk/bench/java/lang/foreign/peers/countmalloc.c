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

/*
 * Counts calls of malloc and its like by thread, those of libjvm.so apart from those of all other code. Preloaded.
 * For glibc, whose own functions it calls under the names that need no look-up.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/* [0] the virtual machine's calls, [1] all others. Not allocated on first use, which would be a call itself. */
static __thread long counts[2] __attribute__((tls_model("initial-exec")));

/* The same of all threads, from the first call of countmalloc_totals on. */
static long totals[2];
static int totalled;

static uintptr_t jvm_start, jvm_end;

static inline void count(void *caller) {
    uintptr_t address = (uintptr_t) caller;
    int i = address >= jvm_start && address < jvm_end ? 0 : 1;
    counts[i]++;
    if (totalled) {
        __atomic_fetch_add(&totals[i], 1, __ATOMIC_RELAXED);
    }
}

void *malloc(size_t size) {
    count(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(__builtin_return_address(0));
    return __libc_calloc(number, size);
}

/* One that moves a block is no new one. */
void *realloc(void *block, size_t size) {
    if (block == NULL) {
        count(__builtin_return_address(0));
    }
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

static int find_jvm(struct dl_phdr_info *info, size_t size, void *data) {
    (void) size;
    (void) data;
    if (strstr(info->dlpi_name, "/libjvm.so") == NULL) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0) {
            jvm_start = info->dlpi_addr + header->p_vaddr;
            jvm_end = jvm_start + header->p_memsz;
        }
    }
    return 1;
}

/* Stores both counts of the calling thread. The first call finds the virtual machine, so only differences count. */
void countmalloc_counts(long *result) {
    if (jvm_end == 0) {
        dl_iterate_phdr(find_jvm, NULL);
    }
    result[0] = counts[0];
    result[1] = counts[1];
}

/* Stores both counts of all threads since its first call. */
void countmalloc_totals(long *result) {
    countmalloc_counts(result);
    totalled = 1;
    result[0] = __atomic_load_n(&totals[0], __ATOMIC_RELAXED);
    result[1] = __atomic_load_n(&totals[1], __ATOMIC_RELAXED);
}
