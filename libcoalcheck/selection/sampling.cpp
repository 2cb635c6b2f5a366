// SPDX-License-Identifier: Apache-2.0
//
// The sampling rules, as functions of plain values.
#include "libcoalcheck/selection/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace coalcheck::selection {
namespace {

constexpr std::string_view kEveryPrefix = "every:";

// value × 2^bits, at most the largest number.
std::uint64_t Shifted(std::uint64_t value, std::uint64_t bits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (value == 0) return 0;
  return bits >= 64 || value > (kMost >> bits) ? kMost : value << bits;
}

// Whether the launch is the one with ordinal `wanted` or a later one; after n misses the next try
// waits for 4^n times that.
bool IsDue(std::uint64_t wanted, const ShapeHistory& history) {
  return history.earlier_launches + 1 >= Shifted(wanted, 2 * history.missed);
}

// Counting from the latest window, too, keeps a shape that waited long for the budget from making
// up for all its windows at once.
Wish AutoWish(const ShapeHistory& history) {
  const std::uint64_t growth_bits = history.counts_differ ? 1 : 2;  // factor 2, or 4
  const std::uint64_t wanted =
      std::max(Shifted(1, growth_bits * std::min<std::uint64_t>(history.windows, 64)),
               Shifted(history.last_window_launch, growth_bits));
  if (!IsDue(wanted, history)) return Wish::kNo;
  const bool is_new_kernel = history.windows == 0 && history.kernel_windows == 0;
  return is_new_kernel ? Wish::kAlways : Wish::kIfAffordable;
}

Wish AlwaysIf(bool wanted) { return wanted ? Wish::kAlways : Wish::kNo; }

}  // namespace

Result<Sampling> ParseSampling(std::string_view text) {
  if (text == "auto") return Sampling{Sampling::Kind::kAuto, 1};
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
  return Error{
      fmt::format("'{}' is not a kind of sampling; use auto, first, all or every:N with a whole "
                  "number N from 1",
                  text)};
}

std::string ToString(const Sampling& sampling) {
  switch (sampling.kind) {
    case Sampling::Kind::kAuto:
      return "auto";
    case Sampling::Kind::kFirst:
      return "first";
    case Sampling::Kind::kAll:
      return "all";
    case Sampling::Kind::kEvery:
      return fmt::format("every:{}", sampling.every);
  }
  return "first";
}

Wish WishFor(const Sampling& sampling, const ShapeHistory& history) {
  if (history.ended_late || history.missed >= kMostMisses) return Wish::kNo;
  switch (sampling.kind) {
    case Sampling::Kind::kFirst:
      return AlwaysIf(history.windows == 0 && IsDue(1, history));
    case Sampling::Kind::kAll:
      return Wish::kAlways;
    case Sampling::Kind::kEvery:
      return AlwaysIf(history.earlier_launches % sampling.every == 0);
    case Sampling::Kind::kAuto:
      return AutoWish(history);
  }
  return Wish::kNo;
}

bool WantsWindow(const Sampling& sampling, const ShapeHistory& history) {
  return WishFor(sampling, history) != Wish::kNo;
}

}  // namespace coalcheck::selection
