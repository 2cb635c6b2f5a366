// SPDX-License-Identifier: Apache-2.0
//
// The kernel, the functions inlined into it from the outside in, the line, and what was wasted
// there.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/forms/forms.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Report;

// Semicolons separate frames, and the last blank of a line the number. Two colons would begin a
// command to the runner of a build.
std::string FrameName(std::string name) {
  std::ranges::replace(name, ';', ',');
  return name.empty() ? "?" : name;
}

std::string Stack(const Report& report, const Access& access) {
  std::string stack = FrameName(words::PrintableName(access.kernel));
  for (auto at = access.chain.rbegin(); at != access.chain.rend(); ++at) {
    const findings::Frame& frame = *at;
    const std::string place =
        fmt::format("{}:{}", words::Printable(words::PathShown(report, frame.file)), frame.line);
    const bool is_kernel = frame.function == access.kernel || frame.function.empty();
    stack +=
        ';' + FrameName(is_kernel ? place : words::PrintableName(frame.function) + " " + place);
  }
  if (access.chain.empty()) {
    stack += fmt::format(";pc 0x{:x}", access.instructions.front().pc.value());
  }
  return stack + fmt::format(";{}", cubin::ToString(access.kind));
}

}  // namespace

void WriteFolded(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  std::map<std::string, Sectors> stacks;
  for (const Access& access : report.accesses) {
    if (!access.is_unknown() && access.counts.Wasted() > Sectors(0)) {
      stacks[Stack(report, access)] += access.counts.Wasted();
    }
  }
  std::string text;
  for (const auto& [stack, wasted] : stacks) {
    text += fmt::format("{} {}\n", stack, wasted.count());
  }
  out << text;
}

}  // namespace coalcheck::output
