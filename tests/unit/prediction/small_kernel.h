// SPDX-License-Identifier: Apache-2.0
//
// A kernel of a few instructions of PTX, and what one access of it costs at least and at most.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "libcoalcheck/prediction/predict_function.h"

namespace coalcheck::prediction {

inline constexpr std::uint32_t kBodyLine = 10;

// k(float*, int n): the pointer in %rd1, n in %r2, threadIdx.x in %r1, blockIdx.x * blockDim.x +
// threadIdx.x in %r3. The access stands alone in the last line of `body`.
class Kernel {
 public:
  explicit Kernel(const std::string& body)
      : text_(
            ".version 9.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 k_0, .param .u32 k_1)\n{\n"
            ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>;\n"
            "ld.param.u64 %rd1, [k_0]; ld.param.u32 %r2, [k_1];\n"
            "mov.u32 %r1, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;\n"
            "mad.lo.s32 %r3, %r4, %r5, %r1;\n" +
            body + "ret;\n}\n") {
    std::uint32_t line = kBodyLine - 1;
    for (std::size_t at = 0; at < body.size(); at = body.find('\n', at) + 1) {
      ++line;
      const std::string one = body.substr(at, body.find('\n', at) - at);
      if (one.find("global") == std::string::npos) continue;
      cubin::GlobalAccess access;
      access.pc = PcOffset(16 * line);
      access.width = Bytes(4);
      access.ptx_line = line;
      if (one.starts_with("st.")) access.kind = cubin::AccessKind::kStore;
      access.ptx = "the text of the line";
      function_.accesses.push_back(access);
    }
    function_.name = "k";
    function_.is_kernel = true;
    function_.ptx_text = text_;
  }

  AccessPrediction Predict(const LaunchesOfKernel* known = nullptr) const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    EXPECT_EQ(formulas.why_not(), "");
    const KernelPrediction kernel(function_, formulas, modules, {known, {"data", "n"}});
    return PredictFunction(function_, formulas, {&kernel}).accesses.begin()->second;
  }

  // A measure of the time that it takes to predict it.
  std::uint64_t StepsFor(const LaunchesOfKernel& known) const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    return KernelPrediction(function_, formulas, modules, {&known, {}}).steps();
  }

  bool CallsUnseen() const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    const KernelPrediction kernel(function_, formulas, modules, {});
    return PredictFunction(function_, formulas, {&kernel}).calls_unseen;
  }

  // The launches that it was predicted for.
  std::string AssumedFor(const std::vector<KnownLaunch>& launches) const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    const LaunchesOfKernel known{launches};
    const KernelPrediction kernel(function_, formulas, modules, {&known, {"data", "n"}});
    return PredictFunction(function_, formulas, {&kernel}).assumed;
  }

  // The launches on which changes can be tried.
  std::vector<findings::CountedLaunch> GivenBy(const KnownLaunch& launch) const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    const LaunchesOfKernel known{{launch}};
    const KernelPrediction kernel(function_, formulas, modules, {&known, {"data", "n"}});
    return PredictFunction(function_, formulas, {&kernel}).given;
  }

  AccessPrediction PredictLast() const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    const KernelPrediction kernel(function_, formulas, modules, {});
    return PredictFunction(function_, formulas, {&kernel}).accesses.rbegin()->second;
  }

  // The last access, where `left` steps may be spent on warps that take long.
  AccessPrediction PredictLongLaunch(const LaunchesOfKernel& known, std::uint64_t left) const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    const KernelPrediction kernel(function_, formulas, modules, {&known, {}, nullptr, &left});
    return PredictFunction(function_, formulas, {&kernel}).accesses.rbegin()->second;
  }

  // The assembler made another instruction of the first access, of another width.
  void AddCopyOf(Bytes width) {
    cubin::GlobalAccess copy = function_.accesses[0];
    copy.pc = PcOffset(copy.pc.value() + 8);
    copy.width = width;
    function_.accesses.push_back(copy);
  }

  void SayItIsAStore() { function_.accesses[0].kind = cubin::AccessKind::kStore; }

  // As if another kernel were all that the file holds.
  AccessPrediction PredictWithoutCaller() const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    return PredictFunction(function_, formulas, {}).accesses.begin()->second;
  }

  std::vector<std::string> Problems(const KnownLaunch& launch,
                                    const std::vector<std::string>& names = {"data", "n"}) const {
    address::PtxModules modules;
    const address::AccessFormulas formulas(function_, modules);
    const LaunchesOfKernel known{{launch}};
    return KernelPrediction(function_, formulas, modules, {&known, names}).problems();
  }

 private:
  std::string text_;
  cubin::Function function_;
};

// One launch of four blocks of so many threads, with its arguments.
inline LaunchesOfKernel FourBlocks(std::uint32_t threads, std::int32_t n) {
  KnownLaunch launch;
  launch.grid = address::Extent{4, 1, 1};
  launch.block = address::Extent{threads, 1, 1};
  launch.arguments.assign(12, '\0');
  launch.argument_bytes = launch.arguments.size();
  const std::uint64_t pointer = 0x700000000000;
  std::memcpy(launch.arguments.data(), &pointer, sizeof(pointer));
  std::memcpy(launch.arguments.data() + 8, &n, sizeof(n));
  return {{launch}};
}

// The access of element %r9.
inline const std::string kLoad =
    "mul.wide.s32 %rd2, %r9, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f1, [%rd3];\n";

// Lanes are 32 elements apart where %p1 holds, else neighbours.
inline const std::string kStride = "selp.u32 %r7, 32, 1, %p1;\nmul.lo.u32 %r9, %r1, %r7;\n" + kLoad;

inline double Least(const AccessPrediction& one) { return one.least.WastedShare(); }
inline double Most(const AccessPrediction& one) { return one.most.WastedShare(); }

}  // namespace coalcheck::prediction
