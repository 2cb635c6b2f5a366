// SPDX-License-Identifier: Apache-2.0
//
// An oracle: what CUPTI says about instructions of a cubin. One cubin per process, because CUPTI
// answers from what it read first.
//
// usage: cupti_lines LIBCUPTI CUBIN <questions >answers
// A question is a line "FUNCTION PC", an answer "LINE<tab>DIRECTORY<tab>FILE", or "none".
#include <cupti.h>
#include <cupti_pcsampling.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

using Ask = decltype(&cuptiGetSassToSourceCorrelation);

void Answer(Ask ask, const std::string& cubin, const std::string& function, std::uint64_t pc) {
  CUpti_GetSassToSourceCorrelationParams params = {};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  params.functionName = function.c_str();
  params.pcOffset = pc;
  if (ask(&params) != CUPTI_SUCCESS || params.fileName == nullptr) {
    std::printf("none\n");
    return;
  }
  std::printf("%u\t%s\t%s\n", params.lineNumber, params.dirName == nullptr ? "" : params.dirName,
              params.fileName);
  std::free(params.fileName);
  std::free(params.dirName);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return EXIT_FAILURE;
  }
  const auto ask = reinterpret_cast<Ask>(dlsym(library, "cuptiGetSassToSourceCorrelation"));
  std::ifstream stream(argv[2], std::ios::binary);
  const std::string cubin{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (ask == nullptr || cubin.empty()) return EXIT_FAILURE;
  std::string function;
  std::uint64_t pc = 0;
  while (std::cin >> function >> pc) Answer(ask, cubin, function, pc);
  std::fflush(stdout);
  std::_Exit(EXIT_SUCCESS);  // what the vendor's library keeps is no leak of ours
}
