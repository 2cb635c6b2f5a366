// SPDX-License-Identifier: Apache-2.0
//
// The program of the self-test: an ordinary CUDA program that runs the two built-in kernels and
// checks what they wrote.
#include <fmt/format.h>

#include <vector>

#include "cli/doctor/driver_calls.h"
#include "cli/doctor/self_test.h"
#include "libcoalcheck/doctor/kernels.h"

namespace coalcheck::cli::doctor {
namespace {

namespace kernels = coalcheck::doctor;

// Neighbours have different values, which floats hold exactly.
std::vector<float> Input() {
  std::vector<float> input(std::size_t{kernels::kThreads} * kernels::kStride);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i + 1);
  return input;
}

class Program {
 public:
  explicit Program(const DriverCalls& calls) : calls_(calls) {}

  // Empty, or what went wrong.
  std::string Run(int ordinal) {
    const std::vector<float> input = Input();
    const std::size_t out_size = kernels::kThreads * sizeof(float);
    int option = kGenerateLineInfo;
    void* yes = reinterpret_cast<void*>(std::uintptr_t{1});
    DriverDevice device = 0;
    const bool ready =
        Ok("cuInit", calls_.init(0)) && Ok("cuDeviceGet", calls_.device(&device, ordinal)) &&
        Ok("cuCtxCreate", calls_.context_create(&context_, 0, device)) &&
        Ok("cuModuleLoadDataEx",
           calls_.module_load(&module_, kernels::kKernelsPtx, 1, &option, &yes)) &&
        Ok("cuMemAlloc", calls_.allocate(&in_, input.size() * sizeof(float))) &&
        Ok("cuMemAlloc", calls_.allocate(&out_, out_size)) &&
        Ok("cuMemcpyHtoD", calls_.copy_in(in_, input.data(), input.size() * sizeof(float)));
    if (!ready || !Launch(kernels::kCoalescedKernel, input, 1) ||
        !Launch(kernels::kStridedKernel, input, kernels::kStride)) {
      return failure_;
    }
    Ok("cuCtxDestroy", calls_.context_destroy(context_));
    return failure_;
  }

 private:
  bool Ok(const char* call, DriverResult result) {
    if (result != 0) failure_ = fmt::format("{}: {}", call, calls_.Name(result));
    return result == 0;
  }

  // Runs the kernel, which copies every `stride`th value, and looks at each.
  bool Launch(std::string_view name, const std::vector<float>& input, std::size_t stride) {
    DriverHandle function = nullptr;
    void* arguments[] = {&in_, &out_};
    std::vector<float> output(kernels::kThreads);
    const std::vector<float> nothing(kernels::kThreads);
    const std::size_t size = output.size() * sizeof(float);
    const bool ran = Ok("cuMemcpyHtoD", calls_.copy_in(out_, nothing.data(), size)) &&
                     Ok("cuModuleGetFunction",
                        calls_.module_function(&function, module_, std::string(name).c_str())) &&
                     Ok("cuLaunchKernel",
                        calls_.launch(function, kernels::kBlocks, 1, 1, kernels::kThreadsPerBlock,
                                      1, 1, 0, nullptr, arguments, nullptr)) &&
                     Ok("cuCtxSynchronize", calls_.context_synchronize()) &&
                     Ok("cuMemcpyDtoH", calls_.copy_out(output.data(), out_, size));
    for (std::size_t i = 0; ran && i < output.size(); ++i) {
      if (output[i] == input[i * stride]) continue;
      failure_ =
          fmt::format("{} wrote {} to place {}, not {}", name, output[i], i, input[i * stride]);
      return false;
    }
    return ran;
  }

  const DriverCalls& calls_;
  DriverHandle context_ = nullptr;
  DriverHandle module_ = nullptr;
  DriverAddress in_ = 0;
  DriverAddress out_ = 0;
  std::string failure_;
};

}  // namespace

std::string RunKernels(int gpu) {
  const Result<DriverCalls> calls = OpenDriver();
  if (!calls.ok()) return calls.error();
  return Program(calls.value()).Run(gpu);
}

}  // namespace coalcheck::cli::doctor
