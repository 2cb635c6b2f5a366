// SPDX-License-Identifier: Apache-2.0
//
// The rules for records that come twice.
#include "libcoalcheck/recording/run_collector.h"

#include <fmt/format.h>

#include "libcoalcheck/recording/merged_fields.h"
#include "libcoalcheck/recording/merged_line.h"
#include "libcoalcheck/recording/possible_counts.h"
#include "libcoalcheck/recording/record_fields.h"

namespace coalcheck::recording {
namespace {

// In all sets together. A report keeps some copies of each; programs were seen with some hundreds.
constexpr std::size_t kMostOpenRanges = 500'000;
// The minor version from which on an end says what was written before it.
constexpr std::uint32_t kVouchesSince = 6;

}  // namespace

RunCollector::RunCollector(Header header, std::uint64_t header_line, std::string_view bytes)
    : header_line_(header_line), bytes_(bytes) {
  run_.header = std::move(header);
  kinds_[KindOf(run_.header)] = 1;
}

void RunCollector::TakeLine(const Line& line) {
  if (line.number == header_line_ || IsBlank(line.text)) return;
  const ParsedLine parsed = ParseLine(line);
  if (parsed.loss) {
    SettleTorn(false);
    if (*parsed.loss != LineLoss::kNotJson) return Lose(*parsed.loss, line.number, {});
    torn_ = line.number;
    return;
  }
  std::string problem;
  std::optional<Record> record = ToRecord(parsed.json, run_.header.counters.size(), problem);
  SettleTorn(record && std::holds_alternative<ProcessEnd>(*record));
  if (!record) {
    if (problem.empty() && TakeMergedLine(parsed, problem)) return;
    return Lose(problem.empty() ? LineLoss::kUnknownRecord : LineLoss::kBadField, line.number,
                problem);
  }
  if (const End* end = std::get_if<End>(&*record)) {
    problem = WhyNotAsWritten(*end, line);
    if (!problem.empty()) Lose(LineLoss::kNotAsWritten, line.number, problem);
  }
  ++kinds_[KindOf(*record)];
  if (const Window* window = std::get_if<Window>(&*record)) {
    problem = WhyImpossible(*window, run_.header.counters);
    if (!problem.empty()) return Lose(LineLoss::kBadField, line.number, problem);
  }
  if (const RangeSet* set = std::get_if<RangeSet>(&*record)) {
    open_ranges_ += set->open.size();
    if (open_ranges_ > kMostOpenRanges) {
      return Lose(LineLoss::kBadField, line.number, "more ranges than a recording may have");
    }
  }
  NoteRanges(*record, line.number);
  const Refusal refusal =
      std::visit([this](auto& alternative) { return Take(alternative); }, *record);
  if (refusal) Lose(*refusal, line.number, {});
}

std::string RunCollector::WhyNotAsWritten(const End& end, const Line& line) {
  if (!end.before) {
    const bool is_early = run_.header.minor < kVouchesSince;
    return is_early ? "" : "it does not say what was written before it";
  }
  std::string missing;
  for (const auto& [kind, records] : end.before->records) {
    const auto found = kinds_.find(kind);
    const std::uint64_t seen = found == kinds_.end() ? 0 : found->second;
    if (seen == records) continue;
    if (seen > records) {
      return fmt::format("it says that there are {} records of the kind {}, and there are {}",
                         records, kind, seen);
    }
    missing += fmt::format("{}{} of {} records of the kind {}", missing.empty() ? "" : ", ",
                           records - seen, records, kind);
  }
  if (!missing.empty()) return missing + " cannot be read";
  const auto before = static_cast<std::size_t>(line.text.data() - bytes_.data());
  hash_.Add(bytes_.substr(hashed_, before - hashed_));
  hashed_ = before;
  return hash_.value() == end.before->hash ? ""
                                           : "the bytes before it are not those that were written";
}

bool RunCollector::TakeMergedLine(const ParsedLine& parsed, std::string& problem) {
  std::optional<MergedRecord> record = ToMergedRecord(parsed.json, problem);
  if (!record) return false;
  ++kinds_[KindOf(*record)];
  TakeMerged(*record);
  return true;
}

void RunCollector::TakeMerged(MergedRecord& record) {
  if (const RankEntry* entry = std::get_if<RankEntry>(&record)) {
    run_.ranks.Add(*entry);
  } else if (Spread* spread = std::get_if<Spread>(&record)) {
    run_.spreads.push_back(std::move(*spread));
  } else if (LostLines* lost = std::get_if<LostLines>(&record)) {
    run_.lost_lines.push_back(std::move(*lost));
  } else if (Unread* unread = std::get_if<Unread>(&record)) {
    run_.unread.push_back(std::move(*unread));
  }
}

void RunCollector::SettleTorn(bool process_ended) {
  if (torn_) Lose(process_ended ? LineLoss::kCutShort : LineLoss::kNotJson, *torn_, {});
  torn_.reset();
}

void RunCollector::NoteRanges(const Record& record, std::uint64_t line) {
  if (const Tally* tally = std::get_if<Tally>(&record)) {
    ranges_.try_emplace(tally->shape.ranges, line);
  } else if (const Window* window = std::get_if<Window>(&record)) {
    for (const LaunchesInside& one : window->inside) ranges_.try_emplace(one.shape.ranges, line);
  }
}

// A merged recording says what its parts lost, and lists no ranges that they do not.
void RunCollector::LoseUnlistedRanges() {
  if (run_.is_merged()) return;
  ranges_.erase(RangeSetId());
  for (const RangeSet& set : run_.range_sets) ranges_.erase(set.ranges);
  for (const auto& [set, line] : ranges_) {
    Lose(LineLoss::kBadField, line, "in which ranges its launches were made is not recorded");
  }
}

RecordedRun RunCollector::Finish() && {
  SettleTorn(false);
  LoseUnlistedRanges();
  for (auto& [why, lost] : lost_) run_.lost_lines.push_back(std::move(lost));
  return std::move(run_);
}

RunCollector::Refusal RunCollector::Take(Header&) { return LineLoss::kSecondHeader; }

RunCollector::Refusal RunCollector::Take(Device& device) {
  run_.devices.push_back(std::move(device));
  return {};
}

RunCollector::Refusal RunCollector::Take(Module& module) {
  run_.modules.push_back(module);
  return {};
}

RunCollector::Refusal RunCollector::Take(RangeSet& set) {
  run_.range_sets.push_back(std::move(set));
  return {};
}

RunCollector::Refusal RunCollector::Take(Window& window) {
  if (!windows_.insert(window.window).second) return LineLoss::kDuplicateWindow;
  run_.windows.push_back(std::move(window));
  return {};
}

// Tallies and losses only grow, so the larger one is the later one, whatever the order.
RunCollector::Refusal RunCollector::Take(Tally& tally) {
  const auto [found, is_new] = tallies_.try_emplace(tally.shape, run_.tallies.size());
  if (is_new) {
    run_.tallies.push_back(std::move(tally));
  } else if (tally.launches >= run_.tallies[found->second].launches) {
    run_.tallies[found->second] = std::move(tally);
  }
  return {};
}

RunCollector::Refusal RunCollector::Take(Uncounted& uncounted) {
  const auto [found, is_new] = uncounted_.try_emplace(uncounted.kernel, run_.uncounted.size());
  if (is_new) {
    run_.uncounted.push_back(std::move(uncounted));
  } else if (uncounted.all() >= run_.uncounted[found->second].all()) {
    run_.uncounted[found->second] = std::move(uncounted);
  }
  return {};
}

RunCollector::Refusal RunCollector::Take(Loss& loss) {
  const auto key = std::make_pair(loss.what, loss.detail);
  const auto [found, is_new] = losses_.try_emplace(key, run_.losses.size());
  if (is_new) {
    run_.losses.push_back(std::move(loss));
  } else if (loss.count >= run_.losses[found->second].count) {
    run_.losses[found->second] = std::move(loss);
  }
  return {};
}

RunCollector::Refusal RunCollector::Take(Unmatched& unmatched) {
  run_.unmatched.push_back(std::move(unmatched));
  return {};
}

RunCollector::Refusal RunCollector::Take(Cost& cost) {
  run_.cost = cost;
  return {};
}

RunCollector::Refusal RunCollector::Take(PcSampling& sampling) {
  if (!pc_samplings_.insert(sampling.sampling).second) return LineLoss::kDuplicatePcSampling;
  run_.pc_samplings.push_back(std::move(sampling));
  return {};
}

RunCollector::Refusal RunCollector::Take(PcSamples& samples) {
  run_.pc_samples.push_back(std::move(samples));
  return {};
}

RunCollector::Refusal RunCollector::Take(Source& source) {
  const std::size_t most = run_.is_merged() ? kMostMergedSourceText : kMostSourceText;
  source_text_ += source.size();
  if (source_text_ > most || run_.sources.size() == kMostSources) return LineLoss::kTooManySources;
  run_.sources.push_back(std::move(source));
  return {};
}

RunCollector::Refusal RunCollector::Take(End& end) {
  run_.end = std::move(end);
  return {};
}

// One of another process got here by mistake, and says nothing about this one.
RunCollector::Refusal RunCollector::Take(ProcessEnd& end) {
  if (end.pid == run_.header.pid) run_.process_end = end;
  return {};
}

void RunCollector::Lose(LineLoss why, std::uint64_t line, const std::string& detail) {
  const auto [found, is_new] = lost_.try_emplace(why);
  if (is_new) found->second = {why, 0, line, detail};
  ++found->second.lines;
}

std::string_view ToString(LineLoss loss) {
  switch (loss) {
    case LineLoss::kCutShort:
      return "cut short at the end of the file";
    case LineLoss::kNotJson:
      return "not a JSON object";
    case LineLoss::kTooLong:
      return "too long";
    case LineLoss::kTooDeep:
      return "nested too deep";
    case LineLoss::kUnknownRecord:
      return "a kind of record this version does not know";
    case LineLoss::kBadField:
      return "a field is missing or wrong";
    case LineLoss::kDuplicateWindow:
      return "a window that was recorded before";
    case LineLoss::kDuplicatePcSampling:
      return "a PC sampling that was recorded before";
    case LineLoss::kSecondHeader:
      return "a second header";
    case LineLoss::kTooManySources:
      return "more source text than a recording may have";
    case LineLoss::kNotAsWritten:
      return "an end that was written behind other records";
  }
  return "unknown";
}

}  // namespace coalcheck::recording
