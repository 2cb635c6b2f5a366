// SPDX-License-Identifier: Apache-2.0
//
// Tells coalcheck where to look, from inside a program. Header-only, C and C++: nothing to link but
// libdl, which is part of libc since glibc 2.34. Without coalcheck in the process every call does
// nothing, and costs one look-up of a symbol.
//
//   coalcheck_push("step");   everything this thread launches until the pop is in the region "step"
//   coalcheck_pop();          of the domain "coalcheck", which --nvtx-include and the report know
//
//   coalcheck_stop();         launches are not checked from here on …
//   coalcheck_start();        … and are again; with --profile-from-start off, from here on only
//
//   coalcheck_source("k.cu", text);   what a file holds that is gone, or never was, when the report
//                             is made, as of NVRTC; named as the line table names it
//
//   coalcheck_flush();        writes what is known so far to the recording, before a risky step
//
// coalcheck is in the process once CUDA has started, or NVTX has been used under `coalcheck run`;
// what is pushed before that is not seen.
#ifndef COALCHECK_H
#define COALCHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1  // RTLD_DEFAULT
#endif
#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

// The agent's function of that name, or null. Not remembered while it is null: it may come.
static inline void* coalcheck_find_(void** known, const char* name) {
  void* found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found == 0) {
    found = dlsym(RTLD_DEFAULT, name);
    __atomic_store_n(known, found, __ATOMIC_RELAXED);
  }
  return found;
}

static inline void coalcheck_call_(void** known, const char* name) {
  void* found = coalcheck_find_(known, name);
  if (found != 0) (*(void (**)(void)) & found)();
}

// From here on launches are checked.
static inline void coalcheck_start(void) {
  static void* known;
  coalcheck_call_(&known, "coalcheck_agent_start");
}

// From here on launches are not checked.
static inline void coalcheck_stop(void) {
  static void* known;
  coalcheck_call_(&known, "coalcheck_agent_stop");
}

// Begins a region of the calling thread. Regions nest.
static inline void coalcheck_push(const char* name) {
  static void* known;
  void* found = coalcheck_find_(&known, "coalcheck_agent_push");
  if (found != 0) (*(void (**)(const char*)) & found)(name);
}

// Ends the calling thread's innermost region.
static inline void coalcheck_pop(void) {
  static void* known;
  coalcheck_call_(&known, "coalcheck_agent_pop");
}

// Keeps the text of a file in the recording: the report quotes it where there is no such file. A
// name without a '/' stands for that file in whatever folder.
static inline void coalcheck_source(const char* file, const char* text) {
  static void* known;
  void* found = coalcheck_find_(&known, "coalcheck_agent_source");
  if (found != 0) (*(void (**)(const char*, unsigned, const char*)) & found)(file, 1, text);
}

// Writes what is known so far to the recording.
static inline void coalcheck_flush(void) {
  static void* known;
  coalcheck_call_(&known, "coalcheck_agent_flush");
}

#ifdef __cplusplus
}  // extern "C"

namespace coalcheck {

// A region as long as a scope.
class Region {
 public:
  explicit Region(const char* name) { coalcheck_push(name); }
  ~Region() { coalcheck_pop(); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

}  // namespace coalcheck
#endif

#endif  // COALCHECK_H
