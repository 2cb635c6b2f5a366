// SPDX-License-Identifier: Apache-2.0
//
// Decides of each access whether it is a finding, and says by which rule.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/policy/rules.h"
#include "libcoalcheck/policy/source_comment.h"
#include "libcoalcheck/policy/work.h"

namespace coalcheck::policy {

class Hints;

// What is built in: `min_wasted_share` (0 to 1), and where that came from.
Thresholds BuiltIn(double min_wasted_share, std::string origin = "default");

class Judge {
 public:
  // `report` is complete but for the decisions and what depends on them.
  Judge(const Rules& rules, const findings::Report& report, cubin::SourceText& sources);

  // Fills is_finding, excuse and decision of an access of the report.
  void Decide(findings::Access& access);

  // Whose rules were used and what they excused; suppressions that expired, matched no finding or
  // cannot be read, and rules that matched nothing: a sentence each.
  std::vector<std::string> Notes() const;

  // Empty, or why the rules could not be held against all accesses: nothing that was decided counts
  // then.
  std::string WhyNotDone() const;

 private:
  using SourceLine = std::pair<std::string, std::uint32_t>;  // file and line of a comment
  using Accesses = std::vector<const findings::Access*>;

  Thresholds EffectiveFor(const findings::Access& access);
  void RuleOnUncounted(findings::Access& access, const Thresholds& thresholds) const;
  void CountSpared(const findings::Access& access);
  bool IsExpired(const std::optional<Date>& until) const;
  std::string WhoseRules() const;
  void NoteSuppressions(const Accesses& not_judged, Hints& hints,
                        std::vector<std::string>& notes) const;
  void NoteComments(std::vector<std::string>& notes) const;
  void NoteRules(const Accesses& not_judged, Hints& hints, std::vector<std::string>& notes) const;
  bool FitsAny(const Accesses& accesses, const Selector& selector) const;
  bool Matches(const Selector& selector, const findings::Access& access) const;
  const std::string& Readable(const std::string& mangled) const;
  bool LiesIn(const std::vector<selection::Glob>& modules, CubinId cubin) const;
  std::optional<findings::Excuse> Suppressed(const findings::Access& access);
  std::optional<findings::Excuse> SuppressedInSource(const findings::Access& access);
  std::optional<findings::Excuse> Use(const SourceLine& at, const SourceComment& comment);
  void ReadComments(const std::string& file);
  void StopReadingComments(const std::string& file, std::uint32_t line);

  const Rules& rules_;
  const findings::Report& report_;
  cubin::SourceText& sources_;
  std::size_t suppressed_by_file_ = 0;
  std::size_t spared_by_file_ = 0;     // findings but for its thresholds
  std::size_t spared_by_options_ = 0;  // findings but for those of the command line
  std::set<std::size_t> rules_used_;
  std::set<std::size_t> used_;  // of rules_.suppressions
  std::set<std::string> files_read_;
  std::map<SourceLine, SourceComment> comments_;
  std::set<SourceLine> comments_used_;
  std::vector<std::string> problems_;
  std::string comments_unread_;  // the place of the first, and why; empty: none is
  std::size_t comments_left_;
  std::uint64_t text_left_;  // bytes
  mutable Work work_{kMostWork};
  mutable absl::flat_hash_map<std::string, std::string> readable_;  // by mangled name, the last few
};

}  // namespace coalcheck::policy
