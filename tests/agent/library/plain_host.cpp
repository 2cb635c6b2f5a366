// SPDX-License-Identifier: Apache-2.0
//
// A program without CUDA that loads the library: plain_host LIBRARY TIMES EXIT_CODE.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 4) return 120;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 121;
  }
  auto* initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (initialize == nullptr) return 122;
  for (int i = std::atoi(argv[2]); i > 0; --i) {
    if (initialize() != 1) return 123;
  }
  std::puts("the host's own output");
  return std::atoi(argv[3]);
}
