// SPDX-License-Identifier: Apache-2.0
//
// Hands to the rule what is known of a kernel, and words what it decides.
#include "injection/agent/counting/first_windows.h"

#include <fmt/format.h>

#include "injection/agent/process/say.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/base/shell_word.h"

namespace coalcheck::agent {
namespace {

using selection::FirstWindow;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

}  // namespace

std::string InSeconds(nanoseconds duration) {
  if (duration < milliseconds(100)) {
    return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(duration).count());
  }
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

std::string WhatCountsIt(const std::string& name, std::optional<milliseconds> limit) {
  const std::string kernel = "--kernel " + QuoteForShell(selection::QualifiedName(name));
  if (!limit) return kernel + " counts it";
  return fmt::format("--window-limit {} counts it, and so does {}", limit->count(), kernel);
}

void SayIsCounted(const std::string& name, std::string_view takes, nanoseconds cost) {
  Say(fmt::format("{} is counted, as --kernel asks: a window of it {} take {}", name, takes,
                  InSeconds(cost)));
}

bool FirstWindows::IsRuledOn(const ShapeEntry& entry) const {
  return options_.sampling.kind == selection::Sampling::Kind::kAuto &&
         !entry.kernel().cost.Expected(1);
}

bool FirstWindows::WantsAccesses(const ShapeEntry& entry) const {
  return IsRuledOn(entry) && !entry.kernel().time.knows_accesses();
}

selection::FirstLaunch FirstWindows::FirstLaunchOf(const ShapeEntry& entry) const {
  const KernelTime& time = entry.kernel().time;
  return {.uncounted = time.Uncounted(entry.threads()),
          .outlived = time.outlived(),
          .by_code = selection::TimeToCount(entry.threads(), time.accesses()),
          .share = time.share(),
          .in_loops = time.in_loops()};
}

FirstWindow FirstWindows::RuleOn(const ShapeEntry& entry) {
  if (!IsRuledOn(entry)) return FirstWindow::kOpen;
  const selection::FirstLaunch launch = FirstLaunchOf(entry);
  const FirstWindow rule =
      selection::RuleOn(launch, corrections_.factor(),
                        {options_.window_limit, windows_.Left(Now()), windows_.reserve()});
  if (rule == FirstWindow::kOpen) return rule;
  if (IsAskedFor()) {
    if (!entry.kernel().cost_was_told.exchange(true)) SayWhatItCosts(entry, launch);
    return FirstWindow::kOpen;
  }
  entry.kernel().time.PutOff();
  const auto expected = selection::ExpectedOf(launch, corrections_.factor());
  const bool is_for_good = launch.outlived || (expected && *expected > options_.window_limit);
  if (is_for_good) Name(entry);
  return rule;
}

bool FirstWindows::MayGoOn(const ShapeEntry& entry) {
  if (!IsRuledOn(entry) || IsAskedFor() || windows_.MayGoOn(Now())) return true;
  entry.kernel().time.PutOff();
  return false;
}

void FirstWindows::Took(const ShapeEntry& entry, nanoseconds window, nanoseconds launch) {
  const KernelState& kernel = entry.kernel();
  if (!kernel.cost.Expected(1)) windows_.Took(window, Now());
  selection::FirstLaunch by_time = FirstLaunchOf(entry);
  by_time.in_loops = true;  // a bound teaches nothing
  if (const auto foretold = selection::ExpectedOf(by_time, 1)) {
    corrections_.Saw(*foretold, launch);
  }
}

void FirstWindows::NameLeftOut(const LaunchBook& book) {
  for (const ShapeEntry* entry : book.Entries()) {
    const KernelState& kernel = entry->kernel();
    if (kernel.time.was_put_off() && kernel.counted.load() == 0) Name(*entry);
  }
}

void FirstWindows::SayWhatItCosts(const ShapeEntry& entry, const selection::FirstLaunch& launch) {
  const auto expected = selection::ExpectedOf(launch, corrections_.factor());
  SayIsCounted(Demangle(entry.shape().kernel), expected ? "is expected to" : "may",
               expected.value_or(launch.by_code));
}

void FirstWindows::Name(const ShapeEntry& entry) {
  if (entry.kernel().cost_was_told.exchange(true)) return;
  const selection::FirstLaunch launch = FirstLaunchOf(entry);
  const auto expected = selection::ExpectedOf(launch, corrections_.factor());
  const std::string name = Demangle(entry.shape().kernel);
  std::string why;
  std::optional<milliseconds> limit;
  if (launch.outlived) {
    why = fmt::format("it had not ended after {} uncounted", InSeconds(deadlines_.time));
  } else if (expected && *expected > options_.window_limit) {
    why = fmt::format("a window is expected to take {}, and a launch takes {} uncounted",
                      InSeconds(*expected), InSeconds(*launch.uncounted));
    // The next launch may take somewhat longer than the one that was timed.
    limit = std::chrono::ceil<milliseconds>(*expected * 5 / 4);
  } else if (expected && *expected <= windows_.Left(Now())) {
    why = fmt::format("by its code a window might have taken {}, by its only launch {}",
                      InSeconds(launch.by_code), InSeconds(*expected));
  } else if (!expected && launch.by_code > options_.window_limit) {
    why = fmt::format("by its code a window might take {}, and no launch could be timed",
                      InSeconds(launch.by_code));
  } else {
    why = fmt::format("counting first launches had taken {}", InSeconds(windows_.spent()));
    if (expected) why += fmt::format(", and a window is expected to take {}", InSeconds(*expected));
  }
  session_.WriteLoss(recording::loss::kWindowLimit,
                     fmt::format("{}: {}; {}", name, why, WhatCountsIt(name, limit)), 1);
}

}  // namespace coalcheck::agent
