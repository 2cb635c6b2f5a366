// SPDX-License-Identifier: Apache-2.0
//
// A reader for each type.
#include "libcoalcheck/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "libcoalcheck/options/option_table.h"

namespace coalcheck::options {
namespace {

template <typename Choice>
struct Named {
  std::string_view name;
  Choice choice;
};

// "a, b or c" of "a|b|c".
std::string InWords(std::string_view choices) {
  std::string words;
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t end = std::min(choices.find('|', at), choices.size());
    const bool is_last = end == choices.size();
    if (at > 0) words += is_last ? " or " : ", ";
    words += choices.substr(at, end - at);
    at = end + 1;
  }
  return words;
}

template <typename Choice>
Failure ReadChoice(std::string_view name, std::string_view text,
                   std::initializer_list<Named<Choice>> choices, Choice& target) {
  for (const auto& each : choices) {
    if (each.name != text) continue;
    target = each.choice;
    return std::nullopt;
  }
  return Error{
      fmt::format("--{} takes {}, not '{}'", name, InWords(FindOption(name)->value), text)};
}

template <typename Target>
Failure Take(std::string_view name, auto parsed, Target& target) {
  if (!parsed.ok()) return Error{fmt::format("--{}: {}", name, parsed.error())};
  target = std::move(parsed).value();
  return std::nullopt;
}

}  // namespace

Failure ReadValue(std::string_view name, std::string_view text, std::chrono::milliseconds& target) {
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    return Error{fmt::format("--{} takes a whole number of milliseconds, not '{}'", name, text)};
  }
  target = std::chrono::milliseconds(value);
  return std::nullopt;
}

Failure ReadValue(std::string_view name, std::string_view text, Metrics& target) {
  return ReadChoice(name, text, {{"full", Metrics::kFull}, {"minimal", Metrics::kMinimal}}, target);
}

Failure ReadValue(std::string_view name, std::string_view text, WaitingKernels& target) {
  return ReadChoice(name, text,
                    {{"watch", WaitingKernels::kWatch},
                     {"skip", WaitingKernels::kSkip},
                     {"window", WaitingKernels::kWindow}},
                    target);
}

Failure ReadValue(std::string_view name, std::string_view text, Collection& target) {
  return ReadChoice(
      name, text, {{"windows", Collection::kWindows}, {"resident", Collection::kResident}}, target);
}

Failure ReadValue(std::string_view name, std::string_view text, Release& target) {
  return ReadChoice(name, text,
                    {{"never", Release::kNever}, {"after-sampling", Release::kAfterSampling}},
                    target);
}

Failure ReadValue(std::string_view name, std::string_view text, CostMode& target) {
  return ReadChoice(name, text,
                    {{"auto", CostMode::kAuto}, {"off", CostMode::kOff}, {"on", CostMode::kOn}},
                    target);
}

Failure ReadValue(std::string_view name, std::string_view text, bool& target) {
  return ReadChoice(name, text, {{"on", true}, {"off", false}}, target);
}

Failure ReadValue(std::string_view name, std::string_view text, Bytes& target) {
  constexpr std::string_view kUnits = "KMG";
  std::uint64_t value = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), text_end, value);
  const std::size_t unit = end + 1 == text_end ? kUnits.find(*end) : std::string_view::npos;
  const std::size_t shift = unit == std::string_view::npos ? 0 : 10 * (unit + 1);
  const bool complete = end == text_end || unit != std::string_view::npos;
  if (code != std::errc() || !complete || value == 0 || value > (~std::uint64_t{0} >> shift)) {
    return Error{fmt::format("--{} takes a size such as 500M, not '{}'", name, text)};
  }
  target = Bytes(value << shift);
  return std::nullopt;
}

Failure ReadValue(std::string_view, std::string_view text, std::string& target) {
  target = text;
  return std::nullopt;
}

Failure ReadValue(std::string_view name, std::string_view text, selection::Sampling& target) {
  return Take(name, selection::ParseSampling(text), target);
}

Failure ReadValue(std::string_view name, std::string_view text, selection::BudgetShare& target) {
  return Take(name, selection::BudgetShare::Parse(text), target);
}

Failure ReadValue(std::string_view name, std::string_view text, SamplePeriod& target) {
  return Take(name, SamplePeriod::Parse(text), target);
}

Failure ReadValue(std::string_view name, std::string_view text, selection::LaunchNumber& target) {
  return Take(name, selection::ParseLaunchSkip(text), target);
}

Failure ReadValue(std::string_view name, std::string_view text,
                  std::optional<selection::LaunchNumber>& target) {
  return Take(name, selection::ParseLaunchCount(text), target);
}

}  // namespace coalcheck::options
