// SPDX-License-Identifier: Apache-2.0
//
// A step is named as the source has it, valued as the launch had it.
#include "libcoalcheck/findings/words/step_words.h"

#include <fmt/format.h>

#include "libcoalcheck/address/launch_numbers.h"

namespace coalcheck::findings {
std::string StepWords(const address::FunctionFormulas& formulas, const address::LanePart& lanes,
                      Bytes width, std::string_view elements, const address::FormulaNames& names,
                      const address::LaunchValues* launch) {
  constexpr std::string_view kApart = "neighbouring threads are {} apart";
  if (!lanes.step || width == Bytes(0)) return {};
  if (const auto bytes = lanes.StepInBytes()) {
    const auto size = static_cast<std::uint64_t>(*bytes < 0 ? -*bytes : *bytes);
    return size == 0 ? "" : fmt::format(fmt::runtime(kApart), SizeWords(size));
  }
  const bool is_whole = lanes.step->CommonFactor() % width.count() == 0;
  const address::Formula step = is_whole ? lanes.step->DividedBy(width.count()) : *lanes.step;
  const std::string name = address::Words(formulas, step, names);
  const std::string_view unit = is_whole ? elements : "bytes";
  const auto value = launch == nullptr ? std::nullopt : address::NumberOf(formulas, step, *launch);
  if (!value || *value <= 0) {
    return fmt::format(fmt::runtime(kApart), fmt::format("{} {}", name, unit));
  }
  const auto number = static_cast<std::uint64_t>(*value);
  const std::string size =
      is_whole ? fmt::format(" ({})", SizeWords(number * width.count())) : std::string();
  return fmt::format(fmt::runtime(kApart), fmt::format("{} = {} {}{}", name, number, unit, size));
}

std::string SizeWords(std::uint64_t bytes) {
  constexpr std::uint64_t kKibi = 1024;
  if (bytes >= kKibi * kKibi && bytes % (kKibi * kKibi) == 0) {
    return fmt::format("{} MiB", bytes / (kKibi * kKibi));
  }
  if (bytes >= kKibi && bytes % kKibi == 0) return fmt::format("{} KiB", bytes / kKibi);
  return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
}

}  // namespace coalcheck::findings
