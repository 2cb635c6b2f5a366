// SPDX-License-Identifier: Apache-2.0
//
// Makes the parts, each with those that it needs.
#include "injection/agent/counting/parts.h"

#include <algorithm>
#include <utility>

namespace coalcheck::agent {

Parts::Parts(const options::AgentOptions& chosen, recording::Header process,
             const Dependencies& from)
    : options(chosen),
      deadlines(options),
      collector(from.collector),
      device(from.device),
      code(from.code),
      ranges(from.ranges),
      sources(from.sources),
      clock(from.clock),
      session(options, std::move(process)),
      lifecycle(session),
      launch_book(options.filters,
                  [&book = from.ranges](RangeSetId id) { return book.Describe(id); }),
      contexts({collector, device, clock, captures, code_changes, deadlines}),
      announced_changes(code_changes, clock, deadlines, lifecycle),
      gates(contexts, announced_changes, clock),
      sampling(options.pc_sampling, from.sampler, clock, session, lifecycle, deadlines, contexts,
               gates),
      vetting(options, deadlines, launch_book, code, device, contexts, announced_changes, counters),
      first_windows(options, deadlines, clock, session),
      policy(options, deadlines, clock, session, first_windows),
      windows(session, lifecycle, counters, policy, code_changes, clock, deadlines),
      resident(options, windows, session, lifecycle) {
  // Ranges that filters name are kept in any case: a program may open more ranges than there is
  // room for.
  ranges.Want([filters = options.filters](std::string_view name) {
    const auto mentions = [name](const selection::RangeFilter& one) { return one.Mentions(name); };
    return name == kAutotuningRange || std::ranges::any_of(filters.nvtx_include, mentions) ||
           std::ranges::any_of(filters.nvtx_exclude, mentions);
  });
}

bool Parts::IsDeaf() const {
  return lifecycle.ended() || lifecycle.released() || (lifecycle.stopped() && !windows.AnyOpen());
}

ContextWatch* Parts::PassQuietly(ContextHandle context, FunctionHandle function) {
  if (lifecycle.released() || lifecycle.forked()) return nullptr;
  ContextWatch* watch = contexts.Find(context);
  if (watch != nullptr && function != FunctionHandle(0)) vetting.LoadBeforeLaunch(*watch, function);
  return watch != nullptr && watch->gate().Pass() ? watch : nullptr;
}

void Parts::WriteNewRanges() {
  if (!launch_book.has_new_ranges()) return;
  for (const recording::RangeSet& set : launch_book.TakeNewRanges()) session.Write(set);
}

}  // namespace coalcheck::agent
