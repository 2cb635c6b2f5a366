// SPDX-License-Identifier: Apache-2.0
//
// A step is named as the source has it, valued as the launch had it.
#include "libcoalcheck/findings/words/step_words.h"

#include <fmt/format.h>

#include <cstring>

namespace coalcheck::findings {
namespace {

using address::FormulaAtom;
using address::FormulaKind;
using address::LaunchValues;

std::optional<std::int64_t> OfArgument(const ptx::Function& function, const FormulaAtom& atom,
                                       const LaunchValues& launch) {
  if (atom.b != 0 || atom.a >= function.parameters.size() || !launch.arguments) return std::nullopt;
  const ptx::Parameter& one = function.parameters[atom.a];
  const bool is_number = one.type.IsInteger() && one.bytes == one.type.bytes;
  if (!is_number || std::uint64_t{one.offset} + one.bytes > launch.arguments->size()) {
    return std::nullopt;
  }
  if (one.bytes == sizeof(std::int32_t)) {
    std::int32_t value = 0;
    std::memcpy(&value, launch.arguments->data() + one.offset, sizeof(value));
    return value;
  }
  if (one.bytes != sizeof(std::int64_t)) return std::nullopt;
  std::int64_t value = 0;
  std::memcpy(&value, launch.arguments->data() + one.offset, sizeof(value));
  return value;
}

std::optional<std::int64_t> OfSize(const FormulaAtom& atom, const LaunchValues& launch) {
  switch (static_cast<ptx::Special>(atom.a)) {
    case ptx::Special::kNtidX:
      return launch.block.x;
    case ptx::Special::kNtidY:
      return launch.block.y;
    case ptx::Special::kNtidZ:
      return launch.block.z;
    case ptx::Special::kNctaidX:
      return launch.grid.x;
    case ptx::Special::kNctaidY:
      return launch.grid.y;
    case ptx::Special::kNctaidZ:
      return launch.grid.z;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> ValueOf(const address::FunctionFormulas& formulas,
                                    const address::Formula& formula, const LaunchValues& launch) {
  std::int64_t sum = 0;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    auto product = static_cast<std::int64_t>(coefficient);
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const FormulaAtom& atom = formulas.atoms()[monomial.atom(i)];
      std::optional<std::int64_t> value;
      if (atom.kind == FormulaKind::kParameter)
        value = OfArgument(formulas.function(), atom, launch);
      if (atom.kind == FormulaKind::kSpecial) value = OfSize(atom, launch);
      if (!value || __builtin_mul_overflow(product, *value, &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

std::string StepWords(const address::FunctionFormulas& formulas, const address::LanePart& lanes,
                      Bytes width, std::string_view elements, const address::FormulaNames& names,
                      const LaunchValues* launch) {
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
  const auto value = launch == nullptr ? std::nullopt : ValueOf(formulas, step, *launch);
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
