// SPDX-License-Identifier: Apache-2.0
//
// Numbers of launches, read and counted down.
#include "libcoalcheck/selection/launch_filter.h"

#include <fmt/format.h>

#include <charconv>

namespace coalcheck::selection {
namespace {

constexpr std::string_view kKernelPrefix = "kernel:";

std::optional<LaunchNumber> Read(std::string_view text) {
  LaunchNumber number;
  if (text.starts_with(kKernelPrefix)) {
    number.scope = LaunchScope::kKernel;
    text.remove_prefix(kKernelPrefix.size());
  }
  std::uint64_t launches = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), text_end, launches);
  if (code != std::errc() || end != text_end) return std::nullopt;
  number.launches = Launches(launches);
  return number;
}

Error NoNumber(std::string_view text, std::string_view accepted) {
  return Error{fmt::format(
      "'{}' is not a number of launches; use {}, or kernel:N for N launches of each kernel", text,
      accepted)};
}

}  // namespace

Result<LaunchNumber> ParseLaunchSkip(std::string_view text) {
  const std::optional<LaunchNumber> number = Read(text);
  if (!number) return NoNumber(text, "a whole number N");
  return *number;
}

Result<LaunchNumber> ParseLaunchCount(std::string_view text) {
  const std::optional<LaunchNumber> number = Read(text);
  if (!number || number->launches == Launches(0)) return NoNumber(text, "a whole number N from 1");
  return *number;
}

bool LaunchFilter::Admits(LaunchTurns& process, LaunchTurns& kernel) const {
  if (skip.launches > Launches(0)) {
    LaunchTurns& turns = skip.scope == LaunchScope::kProcess ? process : kernel;
    const Launches earlier(turns.offered.fetch_add(1, std::memory_order_relaxed));
    if (earlier < skip.launches) return false;
  }
  if (!count) return true;
  LaunchTurns& turns = count->scope == LaunchScope::kProcess ? process : kernel;
  return Launches(turns.kept.fetch_add(1, std::memory_order_relaxed)) < count->launches;
}

}  // namespace coalcheck::selection
