// SPDX-License-Identifier: Apache-2.0
//
// What GCC 12's static runtime takes from a glibc newer than 2.28, for scripts/manylinux-wheel.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

// glibc 2.32: whether atomic operations may be left out. They may not.
HIDDEN char __libc_single_threaded = 0;

// glibc 2.36; std::random_device asks for it.
HIDDEN uint32_t arc4random(void) {
  uint32_t word = 0;
  if (getentropy(&word, sizeof word) != 0) __builtin_trap();
  return word;
}

// glibc 2.35; the unwinder asks where the tables of a function are.
struct Search {
  uintptr_t pc;
  struct dl_find_object* found;
};

static int Look(struct dl_phdr_info* object, size_t size, void* data) {
  struct Search* search = data;
  uintptr_t start = UINTPTR_MAX;
  uintptr_t end = 0;
  int is_inside = 0;
  void* tables = NULL;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &object->dlpi_phdr[i];
    const uintptr_t from = object->dlpi_addr + header->p_vaddr;
    const uintptr_t to = from + header->p_memsz;
    if (header->p_type == PT_GNU_EH_FRAME) tables = (void*)from;
    if (header->p_type != PT_LOAD) continue;
    if (from < start) start = from;
    if (to > end) end = to;
    if (search->pc >= from && search->pc < to) is_inside = 1;
  }
  if (!is_inside || tables == NULL) return 0;
  search->found->dlfo_map_start = (void*)start;
  search->found->dlfo_map_end = (void*)end;
  search->found->dlfo_eh_frame = tables;
  return 1;
}

HIDDEN int _dl_find_object(void* pc, struct dl_find_object* found) {
  struct Search search = {(uintptr_t)pc, found};
  memset(found, 0, sizeof *found);
  return dl_iterate_phdr(Look, &search) == 1 ? 0 : -1;
}
