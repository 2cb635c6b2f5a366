// SPDX-License-Identifier: Apache-2.0
//
// A million launches and ten thousand modules: what a launch costs at the start and at the end, and
// the memory of the process, written to a file.
#include <chrono>

#include "patched_module.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

__global__ void count_one(unsigned long long* total) {
  if (threadIdx.x == 0) atomicAdd(total, 1ULL);
}

// Mean time of the launches in one part of the run; the modules between them are not in it.
class Stretch {
 public:
  void Add(std::chrono::nanoseconds duration) { ns_ += duration.count(); }
  void Launched(int launches) { launches_ += launches; }
  double MicrosecondsPerLaunch() const {
    return launches_ == 0 ? 0 : static_cast<double>(ns_) / 1e3 / static_cast<double>(launches_);
  }

 private:
  std::int64_t ns_ = 0;
  std::int64_t launches_ = 0;
};

// soak run FILE [LAUNCHES [MODULES]]
void Run(const Arguments& arguments) {
  const long launches = hosts::NumberOr(arguments, 1, 1'000'000);
  const long modules = std::max(1L, hosts::NumberOr(arguments, 2, 10'000));
  const long batch = std::max(1L, launches / modules);
  const hosts::PatchedModules images;
  hosts::ModuleRunner runner;
  Arrays a;
  unsigned long long* total = nullptr;
  Check(cudaMalloc(&total, sizeof *total), "cudaMalloc");
  Check(cudaMemset(total, 0, sizeof *total), "cudaMemset");
  Checksum sum;
  Stretch first;
  Stretch last;
  long start_kb = 0;
  long middle_kb = 0;
  for (long done = 0; done < launches;) {
    const int now = static_cast<int>(std::min(batch, launches - done));
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < now; ++i) count_one<<<1, 32, 0, a.stream>>>(total);
    const auto end = std::chrono::steady_clock::now();
    Stretch ignored;
    Stretch& stretch = done < launches / 20               ? first
                       : done >= launches - launches / 20 ? last
                                                          : ignored;
    stretch.Add(end - begin);
    stretch.Launched(now);
    runner.Run(images.Image(static_cast<std::uint32_t>(0x10000 + done)), hosts::kMarkerName, sum);
    if (done <= launches / 20) start_kb = hosts::ResidentKb();
    if (done <= launches / 2) middle_kb = hosts::ResidentKb();
    done += now;
  }
  Check(cudaStreamSynchronize(a.stream), "cudaStreamSynchronize");
  unsigned long long counted = 0;
  Check(cudaMemcpy(&counted, total, sizeof counted, cudaMemcpyDeviceToHost), "copy");
  sum.Add(counted);
  const long end_kb = hosts::ResidentKb();
  std::fprintf(stderr, "resident KB: start %ld middle %ld end %ld\n", start_kb, middle_kb, end_kb);
  std::fprintf(stderr, "us per launch: first 5 %% %.3f last 5 %% %.3f\n",
               first.MicrosecondsPerLaunch(), last.MicrosecondsPerLaunch());
  if (!arguments.empty() && arguments[0] != "-") {
    std::FILE* file = std::fopen(arguments[0].c_str(), "a");
    if (file == nullptr) hosts::Fail("fopen", arguments[0].c_str());
    std::fprintf(
        file,
        "{\"launches\":%ld,\"modules\":%ld,\"watched\":%s,\"first_us\":%.3f,"
        "\"last_us\":%.3f,\"start_kb\":%ld,\"middle_kb\":%ld,\"end_kb\":%ld}\n",
        launches, modules, std::getenv("CUDA_INJECTION64_PATH") != nullptr ? "true" : "false",
        first.MicrosecondsPerLaunch(), last.MicrosecondsPerLaunch(), start_kb, middle_kb, end_kb);
    std::fclose(file);
  }
  hosts::Print("soak", sum);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv, {{"run", Run}});
}
