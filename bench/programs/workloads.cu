// SPDX-License-Identifier: Apache-2.0
//
// `workloads NAME [COUNT]`: programs for bench/measure_overhead.py, by name.
#include <cstdlib>
#include <cstring>

#include "bench/programs/program.h"

namespace {

constexpr bench::Workload kWorkloads[] = {
    {"kernels15", "rounds of 15 different kernels", 20, bench::RunManyKernels},
    {"empty", "launches of an empty kernel", 200000, bench::RunEmptyLaunches},
    {"argument-sets", "launches of 20 kernels with five sets of arguments each", 100000,
     bench::RunArgumentSets},
    {"graph", "replays of a graph of ten kernels", 10000, bench::RunGraphReplay},
    {"graph-updated", "of them, updated after the first with what it is", 10000,
     bench::RunUpdatedGraphReplay},
    {"nvtx", "launches, one in a hundred in the range `measured`", 100000, bench::RunNvtxRanges},
};

int Usage(const char* program) {
  std::fprintf(stderr, "usage: %s NAME [COUNT]\n", program);
  for (const bench::Workload& workload : kWorkloads) {
    std::fprintf(stderr, "  %-14s COUNT %s (default %lld)\n", workload.name, workload.summary,
                 static_cast<long long>(workload.count));
  }
  return samples::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  for (const bench::Workload& workload : kWorkloads) {
    if (argc < 2 || std::strcmp(argv[1], workload.name) != 0) continue;
    const long long count = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : workload.count;
    if (count <= 0) return Usage(argv[0]);
    samples::RequireGpu("workloads");
    workload.run(count);
    return samples::kOk;
  }
  return Usage(argv[0]);
}
