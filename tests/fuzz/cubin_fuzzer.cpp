// SPDX-License-Identifier: Apache-2.0
//
// Feeds arbitrary bytes to everything that reads cubins and the files around them.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/fatbin.h"
#include "libcoalcheck/cubin/line_shown.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "tests/fuzz/require.h"

namespace {

using coalcheck::Demangle;
using coalcheck::Require;
namespace cubin = coalcheck::cubin;

// What every parsed cubin promises, however it came about.
void UseFunction(const cubin::Cubin& parsed, const cubin::Function& function) {
  Require(parsed.FindFunction(function.name) != nullptr);
  Require(Demangle(function.name).size() < 100000);
  const cubin::GlobalAccess* previous = nullptr;
  for (const cubin::GlobalAccess& access : function.accesses) {
    Require(previous == nullptr || previous->pc < access.pc);
    Require(cubin::Cubin::FindAccess(function, access.pc) == &access);
    Require(function.has_lines || access.frames.empty());
    Require(access.width.count() <= 32 * 32);
    cubin::ReadPtxAccess(access.ptx);
    for (const cubin::SourceFrame& frame : access.frames) Require(frame.line != 0);
    Require((cubin::LineShown(access.frames, {"/src"}) == nullptr) == access.frames.empty());
    previous = &access;
  }
}

void ParseAndUse(std::string bytes) {
  const absl::StatusOr<cubin::Cubin> parsed = cubin::Cubin::Parse(std::move(bytes));
  if (!parsed.ok()) return;
  for (const cubin::Function& function : parsed->functions()) UseFunction(*parsed, function);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const cubin::UnpackLimits limits{1U << 20U};
  cubin::VisitProgramImages(
      bytes,
      [](cubin::ProgramImage image) {
        Require(image.cubin.empty() != image.skipped_reason.empty());
        if (!image.cubin.empty()) ParseAndUse(std::move(image.cubin));
      },
      limits)
      .IgnoreError();
  cubin::DescribeContent(bytes);
  if (size < 4096) Require(Demangle(bytes).size() < 100000);
  return 0;
}
