// SPDX-License-Identifier: Apache-2.0
//
// The sampling rules, as functions of plain values.
#include "libcoalcheck/selection/sampling.h"

#include <fmt/format.h>

#include <charconv>

namespace coalcheck::selection {
namespace {

constexpr std::string_view kEveryPrefix = "every:";

// After n misses the next try waits for the launch with ordinal 4^n.
bool FarEnoughFromTheLastMiss(const ShapeHistory& history) {
  if (history.missed == 0) return true;
  return history.earlier_launches + 1 >= (std::uint64_t{1} << (2 * history.missed));
}

}  // namespace

Result<Sampling> ParseSampling(std::string_view text) {
  if (text == "first") return Sampling{Sampling::Kind::kFirst, 1};
  if (text == "all") return Sampling{Sampling::Kind::kAll, 1};
  if (text.substr(0, kEveryPrefix.size()) == kEveryPrefix) {
    const std::string_view digits = text.substr(kEveryPrefix.size());
    std::uint64_t every = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), every);
    if (code == std::errc() && end == digits.data() + digits.size() && every > 0) {
      return Sampling{Sampling::Kind::kEvery, every};
    }
  }
  return Error{fmt::format(
      "'{}' is no sampling; use first, all or every:N with a whole number N from 1", text)};
}

std::string ToString(const Sampling& sampling) {
  switch (sampling.kind) {
    case Sampling::Kind::kFirst:
      return "first";
    case Sampling::Kind::kAll:
      return "all";
    case Sampling::Kind::kEvery:
      return fmt::format("every:{}", sampling.every);
  }
  return "first";
}

bool WantsWindow(const Sampling& sampling, const ShapeHistory& history) {
  if (history.ended_late || history.missed >= kMostMisses) return false;
  switch (sampling.kind) {
    case Sampling::Kind::kFirst:
      return history.windows == 0 && FarEnoughFromTheLastMiss(history);
    case Sampling::Kind::kAll:
      return true;
    case Sampling::Kind::kEvery:
      return history.earlier_launches % sampling.every == 0;
  }
  return false;
}

}  // namespace coalcheck::selection
