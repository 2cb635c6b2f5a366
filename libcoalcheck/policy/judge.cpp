// SPDX-License-Identifier: Apache-2.0
//
// Puts the thresholds that hold for an access together, and looks for what excuses it.
#include "libcoalcheck/policy/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/options/option_table.h"
#include "libcoalcheck/policy/hints.h"
#include "libcoalcheck/policy/thresholds.h"
#include "libcoalcheck/selection/glob.h"
#include "libcoalcheck/selection/regular_expression.h"

namespace coalcheck::policy {
namespace {

using findings::Access;
using findings::Excuse;

constexpr std::size_t kMostNames = 1024;  // that are kept in readable form

// Of comments, each a message, and of the lines in which they are looked for. Files that are held
// have no more; but a file may be read once for each of its names.
constexpr std::size_t kMostComments = 10'000;
constexpr std::uint64_t kMostText = std::uint64_t{256} << 20U;
constexpr std::uint64_t kBytesOfLine = 5;  // beside its text

void Override(const Thresholds& over, Thresholds& thresholds) {
  for (std::size_t i = 0; i < kKeys; ++i) {
    if (over[i]) thresholds[i] = over[i];
  }
}

std::string Until(const std::optional<Date>& until) {
  return until ? fmt::format(" (until {})", ToString(*until)) : "";
}

std::string ExpiredNote(const std::string& origin, const auto& suppression) {
  return fmt::format("{}: the suppression expired on {}: {}", origin, ToString(*suppression.until),
                     suppression.reason);
}

std::string UnusedNote(const std::string& origin, const auto& suppression,
                       const std::string& hint) {
  return fmt::format("{}: the suppression matches no finding of this run: {}{}", origin,
                     suppression.reason, hint);
}

}  // namespace

Thresholds BuiltIn(double min_wasted_share, std::string origin) {
  Thresholds thresholds;
  thresholds[static_cast<std::size_t>(Key::kMinWastedShare)] =
      Limit{min_wasted_share * 100, std::move(origin)};
  return thresholds;
}

Judge::Judge(const Rules& rules, const findings::Report& report, cubin::SourceText& sources)
    : rules_(rules),
      report_(report),
      sources_(sources),
      comments_left_(kMostComments),
      text_left_(kMostText) {}

std::string Judge::WhyNotDone() const {
  if (!work_.is_spent()) return {};
  return fmt::format(
      "{}: its patterns are too many, or too heavy, for the {} of this run: name files or kernels "
      "with fewer patterns, or use --config none",
      rules_.file, words::Count(report_.accesses.size(), "access", "accesses"));
}

const std::string& Judge::Readable(const std::string& mangled) const {
  if (readable_.size() >= kMostNames) readable_.clear();
  const auto [known, is_new] = readable_.try_emplace(mangled);
  if (is_new) known->second = Demangle(mangled);
  return known->second;
}

void Judge::Decide(Access& access) {
  access.is_finding = false;
  if (!access.in_scope) return;
  if (access.shown) ReadComments(access.shown->file);
  const Thresholds thresholds = EffectiveFor(access);
  if (access.uncounted) RuleOnUncounted(access, thresholds);
  Ruling ruling = RuleOn(report_, access, thresholds);
  access.decision = std::move(ruling.because);
  if (!ruling.is_finding) {
    CountSpared(access);
    return;
  }
  access.excuse = Suppressed(access);
  if (access.excuse && !access.excuse->in_source) ++suppressed_by_file_;
  access.is_finding = !access.excuse.has_value();
  if (access.excuse) access.decision += "; suppressed: " + access.excuse->reason;
}

// As if they were what was counted.
void Judge::RuleOnUncounted(Access& access, const Thresholds& thresholds) const {
  Access uncounted;
  uncounted.kind = access.kind;
  uncounted.counts = access.uncounted->counts;
  uncounted.launches_checked = access.uncounted->launches;
  uncounted.cost = access.cost;
  const bool is_wasteful = RuleOn(report_, uncounted, thresholds).is_finding;
  access.uncounted->word =
      is_wasteful ? findings::PredictedWord::kWasteful : findings::PredictedWord::kClean;
}

// Who makes nothing of an access that would be a finding otherwise: the options before the file.
void Judge::CountSpared(const Access& access) {
  const Thresholds built_in = BuiltIn(options::DefaultNumberOf("min-wasted-share") / 100);
  Thresholds of_options = built_in;
  Override(rules_.command_line, of_options);
  if (RuleOn(report_, access, of_options).is_finding) {
    ++spared_by_file_;
  } else if (RuleOn(report_, access, built_in).is_finding) {
    ++spared_by_options_;
  }
}

Thresholds Judge::EffectiveFor(const Access& access) {
  Thresholds thresholds = BuiltIn(report_.min_wasted_share);
  Override(rules_.defaults, thresholds);
  for (std::size_t i = 0; i < rules_.rules.size() && !work_.is_spent(); ++i) {
    const Rule& rule = rules_.rules[i];
    if (!Matches(rule.selector, access)) continue;
    rules_used_.insert(i);
    Override(rule.thresholds, thresholds);
  }
  Override(rules_.command_line, thresholds);
  return thresholds;
}

bool Judge::Matches(const Selector& selector, const Access& access) const {
  if (!work_.Spend(kWorkOfRule)) return false;
  const auto any_or_none = [this](const auto& values, const auto& matches) {
    return values.empty() || std::ranges::any_of(values, [&](const auto& value) {
             return work_.Spend(kWorkOfValue) && matches(value);
           });
  };
  const auto fits = [this](const auto& pattern, std::string_view name) {
    return work_.SpendOn(pattern, name.size()) && pattern.Matches(name);
  };
  const bool has_path = !selector.files.empty() && access.shown;
  const std::string path = has_path ? words::PathShown(report_, access.shown->file) : "";
  const auto in_range = [&](const selection::RangeFilter& filter) {
    return !access.range_sets.empty() &&
           std::ranges::all_of(access.range_sets, [&](std::size_t set) {
             const std::vector<OpenRange>& open = report_.range_sets[set];
             return work_.SpendOnRanges(filter, open) && filter.Matches(open);
           });
  };
  const auto has_pattern = [&](patterns::Pattern pattern) {
    return std::ranges::any_of(access.patterns, [pattern](const patterns::Share& share) {
      return share.pattern.Is(pattern);
    });
  };
  const auto is_in = [&](const selection::KernelPattern& function) {
    return std::ranges::any_of(access.chain, [&](const findings::Frame& frame) {
      return fits(function, Readable(frame.function));
    });
  };
  const auto in_module = [&](const findings::Instruction& instruction) {
    return LiesIn(selector.modules, instruction.cubin);
  };
  return (selector.modules.empty() || std::ranges::all_of(access.instructions, in_module)) &&
         any_or_none(selector.files, [&](const auto& glob) { return fits(glob, path); }) &&
         any_or_none(selector.functions, is_in) &&
         any_or_none(selector.kernels,
                     [&](const auto& kernel) { return fits(kernel, Readable(access.kernel)); }) &&
         any_or_none(selector.ranges, in_range) && any_or_none(selector.patterns, has_pattern) &&
         work_.Spend(kWorkOfMatch);
}

bool Judge::LiesIn(const std::vector<selection::Glob>& modules, CubinId cubin) const {
  const auto is_named = [&](std::string_view name) {
    return std::ranges::any_of(modules, [&](const auto& glob) {
      return work_.SpendOn(glob, name.size()) && glob.Matches(name);
    });
  };
  if (is_named(ToHex(cubin))) return true;
  const auto programs = report_.programs.find(cubin);
  return programs != report_.programs.end() &&
         std::ranges::all_of(programs->second, [&](const std::string& path) {
           return is_named(path) || is_named(std::string_view(path).substr(path.rfind('/') + 1));
         });
}

std::optional<Excuse> Judge::Suppressed(const Access& access) {
  std::optional<Excuse> excuse = SuppressedInSource(access);
  for (std::size_t i = 0; i < rules_.suppressions.size() && !work_.is_spent(); ++i) {
    const Suppression& one = rules_.suppressions[i];
    if (!Matches(one.selector, access)) continue;
    used_.insert(i);  // also where it expired: it is not unused then
    if (IsExpired(one.until)) continue;
    if (!excuse) {
      excuse = Excuse{Excuse::By::kSuppression,
                      fmt::format("{}: {}{}", one.origin, one.reason, Until(one.until))};
    }
  }
  return excuse;
}

std::optional<Excuse> Judge::SuppressedInSource(const Access& access) {
  if (!access.shown) return std::nullopt;
  const SourceLine here{access.shown->file, access.shown->line};
  if (const auto found = comments_.find(here); found != comments_.end()) {
    return Use(here, found->second);
  }
  const SourceLine above{access.shown->file, access.shown->line - 1};
  const auto found = comments_.find(above);
  if (found == comments_.end() || !found->second.alone) return std::nullopt;
  return Use(above, found->second);
}

std::optional<Excuse> Judge::Use(const SourceLine& at, const SourceComment& comment) {
  comments_used_.insert(at);
  if (IsExpired(comment.until)) return std::nullopt;
  return Excuse{Excuse::By::kSuppression,
                fmt::format("{}:{}: {}{}", words::PathShown(report_, at.first), at.second,
                            comment.reason, Until(comment.until)),
                /*in_source=*/true};
}

void Judge::ReadComments(const std::string& file) {
  if (!files_read_.insert(file).second) return;
  const std::uint32_t lines = sources_.LineCount(file).value_or(0);
  for (std::uint32_t line = 1; line <= lines; ++line) {
    if (comments_left_ == 0 || text_left_ == 0) return StopReadingComments(file, line);
    const std::optional<std::string> text = sources_.Line(file, line);
    if (!text) continue;
    text_left_ -= std::min<std::uint64_t>(text_left_, kBytesOfLine + text->size());
    const Result<std::optional<SourceComment>> comment = ReadSourceComment(*text);
    if (!comment.ok()) {
      problems_.push_back(
          fmt::format("{}:{}: {}", words::PathShown(report_, file), line, comment.error()));
    } else if (comment.value() && comment.value()->launch.empty()) {
      comments_[{file, line}] = *comment.value();
    } else {
      continue;
    }
    --comments_left_;
  }
}

void Judge::StopReadingComments(const std::string& file, std::uint32_t line) {
  if (!comments_unread_.empty()) return;
  comments_unread_ = fmt::format(
      "{}:{}: comments for coalcheck are not read from here on, nor in further files: {} comments "
      "and {} MiB of lines are read",
      words::PathShown(report_, file), line, words::Grouped(kMostComments), kMostText >> 20U);
}

// The rules decide what is a finding, so every form of the report names their file.
std::string Judge::WhoseRules() const {
  return fmt::format("rules of {}: {} suppressed, {} more below its thresholds", rules_.file,
                     words::Count(suppressed_by_file_, "access", "accesses"),
                     words::Grouped(spared_by_file_));
}

bool Judge::IsExpired(const std::optional<Date>& until) const {
  return until && *until < rules_.today;
}

std::vector<std::string> Judge::Notes() const {
  std::vector<std::string> notes = problems_;
  if (!comments_unread_.empty()) notes.push_back(comments_unread_);
  if (spared_by_options_ > 0) {
    notes.insert(notes.begin(),
                 fmt::format("{} below the thresholds of the options",
                             words::Count(spared_by_options_, "more access", "more accesses")));
  }
  if (!rules_.file.empty()) notes.insert(notes.begin(), WhoseRules());
  if (work_.is_spent()) return notes;
  Accesses not_judged;
  for (const Access& access : report_.accesses) {
    if (!access.in_scope) not_judged.push_back(&access);
  }
  Hints hints(report_);
  NoteSuppressions(not_judged, hints, notes);
  NoteComments(notes);
  NoteRules(not_judged, hints, notes);
  return notes;
}

void Judge::NoteSuppressions(const Accesses& not_judged, Hints& hints,
                             std::vector<std::string>& notes) const {
  for (std::size_t i = 0; i < rules_.suppressions.size(); ++i) {
    const Suppression& one = rules_.suppressions[i];
    if (IsExpired(one.until)) {
      notes.push_back(ExpiredNote(one.origin, one));
    } else if (!used_.contains(i)) {
      notes.push_back(UnusedNote(one.origin, one,
                                 FitsAny(not_judged, one.selector)
                                     ? "; what it fits is not judged (out of scope)"
                                     : hints.For(one.selector)));
    }
  }
}

void Judge::NoteComments(std::vector<std::string>& notes) const {
  for (const auto& [at, comment] : comments_) {
    const std::string origin = fmt::format("{}:{}", words::PathShown(report_, at.first), at.second);
    if (IsExpired(comment.until)) {
      notes.push_back(ExpiredNote(origin, comment));
    } else if (!comments_used_.contains(at)) {
      notes.push_back(UnusedNote(origin, comment, ""));
    }
  }
}

void Judge::NoteRules(const Accesses& not_judged, Hints& hints,
                      std::vector<std::string>& notes) const {
  for (std::size_t i = 0; i < rules_.rules.size(); ++i) {
    if (rules_used_.contains(i)) continue;
    const Rule& rule = rules_.rules[i];
    notes.push_back(fmt::format("{}: the rule matches no access {}", rule.origin,
                                FitsAny(not_judged, rule.selector)
                                    ? "that is judged (out of scope)"
                                    : "of this run" + hints.For(rule.selector)));
  }
}

bool Judge::FitsAny(const Accesses& accesses, const Selector& selector) const {
  return std::ranges::any_of(accesses,
                             [&](const Access* access) { return Matches(selector, *access); });
}

}  // namespace coalcheck::policy
