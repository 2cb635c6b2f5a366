// SPDX-License-Identifier: Apache-2.0
//
// "a.cu:19: the load of `B` wastes nothing, but each block asks for its sectors 8 times over; …"
#include "libcoalcheck/output/view/fetched_again.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/step_words.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

std::string NoteOn(const findings::Report& report, const findings::FetchedAgain& one) {
  const findings::Access& access = report.accesses[one.access];
  const std::string array = words::Printable(words::ArrayOf(access));
  std::string note = fmt::format(
      "{}:{}: the load{} wastes nothing, but each block asks for its sectors {} times over",
      words::Printable(words::PathShown(report, access.shown->file)), access.shown->line,
      array.empty() ? "" : fmt::format(" of `{}`", array), words::Average(one.times));
  if (one.tile == Bytes(0)) return note;
  return note + fmt::format("; a shared tile of {}, filled for every {}, would fetch them once",
                            findings::SizeWords(one.tile.count()),
                            one.loads == 1 ? "load of a thread"
                                           : fmt::format("{} loads of a thread", one.loads));
}

}  // namespace

std::vector<std::string> FetchedAgainNotes(const findings::Report& report) {
  std::vector<findings::FetchedAgain> sorted = report.fetched_again;
  std::ranges::stable_sort(sorted, std::ranges::greater(), &findings::FetchedAgain::times);
  std::set<findings::Frame> seen;
  std::vector<std::string> notes;
  for (const findings::FetchedAgain& one : sorted) {
    const findings::Access& access = report.accesses[one.access];
    if (!access.in_scope || !access.shown) continue;
    findings::Frame line = *access.shown;
    line.function.clear();
    if (seen.insert(std::move(line)).second) notes.push_back(NoteOn(report, one));
  }
  return notes;
}

}  // namespace coalcheck::output
