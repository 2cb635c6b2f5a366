// SPDX-License-Identifier: Apache-2.0
//
// Predicted counts take the place of counted ones; then each access gets its word: what is a
// finding even where it wastes least is wasteful, what is none even where it wastes most is clean.
#include "libcoalcheck/prediction/predict_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/ptx_file.h"
#include "libcoalcheck/findings/sources/bulk_copies.h"
#include "libcoalcheck/findings/sources/stored_code.h"
#include "libcoalcheck/policy/judge.h"
#include "libcoalcheck/prediction/architectures.h"
#include "libcoalcheck/prediction/line_facts.h"
#include "libcoalcheck/prediction/predict_code.h"
#include "libcoalcheck/prediction/prediction_words.h"
#include "libcoalcheck/prediction/shared_rows.h"

namespace coalcheck::prediction {
namespace {

using findings::Access;
using findings::Aggregate;
using findings::Predicted;
using findings::PredictedWord;
using findings::Report;

struct OfCubin {
  CubinId id;
  std::uint32_t sm = 0;
};

// In which rows code of several cubins meets.
struct Meetings {
  const Architectures& architectures;
  const SharedRows& shared;
};

// Rounding never adds to the least that is wasted, and never takes from the most.
enum class Rounded { kLess, kMore };

void Waste(double share, Rounded rounded, Counts& counts) {
  constexpr double kError = 1e-9;
  const double ideal = static_cast<double>(counts.sectors.count()) * (1 - share);
  const double whole =
      rounded == Rounded::kLess ? std::ceil(ideal - kError) : std::floor(ideal + kError);
  counts.ideal = std::min(Sectors(static_cast<std::uint64_t>(whole)), counts.sectors);
}

void AddTo(Aggregate& aggregate, OfCubin cubin, const cubin::Function& function,
           const FunctionPrediction& prediction, const Meetings& meetings) {
  const LineFacts lines(function, prediction);
  const std::string name(function.name);
  findings::FunctionAggregate& sum = aggregate.functions[{cubin.id, name}];
  std::optional<recording::Dim3> block;
  if (prediction.block) block = {prediction.block->x, prediction.block->y, prediction.block->z};
  for (const cubin::GlobalAccess& access : function.accesses) {
    const Speaks speaks = meetings.architectures.Of(cubin.sm, function.name, access);
    if (speaks == Speaks::kNot) continue;
    Counts least = prediction.accesses.at(access.pc).least;
    const std::uint32_t sm = speaks == Speaks::kForItself ? cubin.sm : 0;
    const SharedRows::Wasted* shared = meetings.shared.Of(sm, function.name, access);
    if (shared != nullptr) Waste(shared->least, Rounded::kLess, least);
    const LineFact& line = lines.Of(access);
    if (line.shares.are_open()) Waste(line.shares.least(), Rounded::kLess, least);
    if (line.by_data) least.ideal = least.sectors;
    const findings::RawCounts raw = findings::RawCounts::From(least, access.kind);
    sum.instructions[access.pc] = {raw, {{block, raw}}, sm};
    aggregate.total += raw;
  }
  if (!sum.instructions.empty()) sum.counted = prediction.given;
  if (function.is_kernel) aggregate.kernels[name].kernel = name;
}

Aggregate AggregateOf(const HeldCode& code, const CodePrediction& prediction,
                      const SharedRows& shared) {
  Aggregate aggregate;
  const Architectures architectures(code, prediction);
  for (const auto& [id, functions] : prediction.cubins) {
    const cubin::Cubin& cubin = code.cubins().at(id);
    for (const auto& [name, function] : functions) {
      AddTo(aggregate, {id, cubin.sm()}, *cubin.FindFunction(name), function,
            {architectures, shared});
    }
  }
  return aggregate;
}

class WordGiver {
 public:
  WordGiver(const HeldCode& code, const CodePrediction& prediction, const SharedRows& shared,
            Report& report, const findings::SourceView& source, const policy::Rules& rules)
      : code_(code),
        prediction_(prediction),
        shared_(shared),
        report_(report),
        source_(source),
        judge_(rules, report, source.text) {}

  std::string WhyNotDone() const { return judge_.WhyNotDone(); }

  void Settle(Access& access) {
    Predicted predicted;
    Access worst = access;
    worst.counts = {};
    Reasons why = CollectMost(access, worst, predicted);
    for (findings::Instruction& one : access.instructions) {
      one.standing.reset();
      one.standing_why.clear();
    }
    if (access.sm != 0) {
      const std::string& launches = predicted.assumed;
      predicted.assumed =
          fmt::format("{} on sm_{}", launches.empty() ? "every launch" : launches, access.sm);
    }
    // Where a loop was unrolled, some copies of a line take all rounds; the others need no word.
    if (worst.counts.requests == Requests(0) && why.open.empty()) {
      why.open = "no warp that was followed comes to it";
    }
    predicted.most = worst.counts;
    const bool least = access.is_finding || access.excuse.has_value();
    judge_.Decide(worst);
    const bool most = worst.is_finding || worst.excuse.has_value();
    if (why.is_cut && !least && !most && why.open.empty())
      why.open = "warps take longer than they are followed";
    const bool is_open = predicted.lanes_by_data || !why.open.empty() || !why.is_reached || most;
    predicted.word = least     ? PredictedWord::kWasteful
                     : is_open ? PredictedWord::kUnknown
                               : PredictedWord::kClean;
    if (why.is_shared) {
      why.open = code_.IsFunctionOfMany(access.kernel)
                     ? "kernels of several files call the function, and not in one way"
                     : "different kernels have that name and this line";
    }
    if (predicted.word == PredictedWord::kUnknown) Explain(access, why.open, predicted);
    access.predicted = std::move(predicted);
    Count(access);
  }

 private:
  // What keeps an access from being judged, of all its instructions.
  struct Reasons {
    std::string open;
    bool is_shared = false;  // by different kernels of one name, or of several files
    bool is_reached = true;  // in each of them
    bool is_cut = false;
  };

  // Gives the instructions of `worst` the most that they may ask for: nothing was counted that
  // could confirm it.
  Reasons CollectMost(const Access& access, Access& worst, Predicted& predicted) const {
    Reasons why;
    BlockShares shares;
    for (findings::Instruction& one : worst.instructions) {
      const FunctionPrediction& function = prediction_.Of(one.cubin, access.kernel);
      const AccessPrediction& its = function.accesses.at(one.pc);
      one.counts = its.most;
      if (const SharedRows::Wasted* shared = SharedBy(access, one); shared != nullptr) {
        Waste(shared->most, Rounded::kMore, one.counts);
        why.is_shared = true;
        why.is_reached = why.is_reached && shared->is_reached;
      }
      shares.Add(its, one.counts);
      predicted.lanes_by_data = predicted.lanes_by_data || its.open.lanes_by_data;
      why.is_cut = why.is_cut || its.open.is_cut;
      predicted.assumed = function.assumed;
      predicted.is_by_comment = function.is_by_comment;
      if (!its.open.why.empty() && !its.open.is_passed_by) why.open = its.open.why;
    }
    for (findings::Instruction& one : worst.instructions) {
      if (shares.are_open()) Waste(shares.most(), Rounded::kMore, one.counts);
      worst.counts += one.counts;
    }
    return why;
  }

  const SharedRows::Wasted* SharedBy(const Access& access, const findings::Instruction& one) const {
    const cubin::Function* function = code_.cubins().at(one.cubin).FindFunction(access.kernel);
    const cubin::GlobalAccess* its = cubin::Cubin::FindAccess(*function, one.pc);
    return its == nullptr ? nullptr : shared_.Of(access.sm, function->name, *its);
  }

  void Explain(const Access& access, const std::string& open, Predicted& predicted) {
    const CubinId first = access.instructions.front().cubin;
    const cubin::Function* function = code_.cubins().at(first).FindFunction(access.kernel);
    const FunctionPrediction& its = prediction_.Of(first, access.kernel);
    Open all;
    for (const findings::Instruction& one : access.instructions) {
      const auto found = its.accesses.find(one.pc);
      if (one.cubin == first && found != its.accesses.end()) {
        Join(found->second.open, all);
      }
    }
    all.why = open;
    const auto lines = lines_.try_emplace(function, *function).first;
    const OpenWords words = WordsOf(all, lines->second, source_);
    predicted.why = words.why + (access.sm == 0 ? "" : fmt::format(" on sm_{}", access.sm));
    predicted.settle = words.settle;
  }

  void Count(const Access& access) {
    const Predicted& predicted = *access.predicted;
    if (!access.in_scope) return;
    findings::PredictionSummary& sum = *report_.prediction;
    if (predicted.is_by_comment && predicted.word != PredictedWord::kUnknown) ++sum.by_comment;
    switch (predicted.word) {
      case PredictedWord::kWasteful:
        ++sum.wasteful;
        return;
      case PredictedWord::kClean:
        ++sum.clean;
        return;
      case PredictedWord::kUnknown:
        ++sum.unknown;
        if (predicted.lanes_by_data) ++sum.by_data;
    }
  }

  const HeldCode& code_;
  const CodePrediction& prediction_;
  const SharedRows& shared_;
  Report& report_;
  const findings::SourceView& source_;
  policy::Judge judge_;
  std::map<const cubin::Function*, cubin::AccessesByLine> lines_;
};

class ParsedCubins : public findings::CubinStore {
 public:
  explicit ParsedCubins(const HeldCode& code) : code_(code) {}
  absl::StatusOr<std::string> Load(CubinId /*id*/) override { return absl::NotFoundError(""); }
  const cubin::Cubin* Parsed(CubinId id) const override { return &code_.cubins().at(id); }

 private:
  const HeldCode& code_;
};

Reliance RelianceOf(const HeldCode& code, const CodePrediction& prediction) {
  Reliance all;
  for (const auto& [id, functions] : prediction.cubins) {
    for (const auto& [name, predicted] : functions) {
      for (const auto& [pc, access] : predicted.accesses) {
        all.is_on_stores = all.is_on_stores || access.by_stores;
        all.is_on_rounds = all.is_on_rounds || access.by_rounds;
      }
      all.is_on_calls = all.is_on_calls || predicted.calls_unseen;
    }
  }
  all.is_on_ptx = std::ranges::any_of(
      code.cubins(), [](const auto& one) { return cubin::IsPtxText(one.second.bytes()); });
  return all;
}

// Of code that is not in the report for anything else, too.
void AddAllBulkCopies(const HeldCode& code, const findings::SourceView& source, Report& report) {
  std::set<std::string_view> named;
  const std::vector<findings::BulkCopies> known = report.bulk_copies;
  for (const findings::BulkCopies& row : known) named.insert(row.kernel);
  for (const auto& [id, cubin] : code.cubins()) {
    for (const cubin::Function& one : cubin.functions()) {
      if (one.bulk.empty() || !named.insert(one.name).second) continue;
      findings::AddBulkCopies(one, source, report.bulk_copies);
    }
  }
}

}  // namespace

Report PredictReport(const HeldCode& code, const findings::SourceView& source,
                     const findings::Policy& policy) {
  const CodePrediction prediction = PredictCode(code, source);
  const SharedRows shared(code, prediction);
  ParsedCubins parsed(code);
  findings::StoredCode stored({&parsed});
  Report report =
      findings::MakeReport(AggregateOf(code, prediction, shared), stored, source, policy);
  AddAllBulkCopies(code, source, report);
  findings::PredictionSummary& summary = report.prediction.emplace();
  summary.assumptions = Assumptions(RelianceOf(code, prediction));
  summary.skipped = code.problems();
  summary.skipped.insert(summary.skipped.end(), prediction.problems.begin(),
                         prediction.problems.end());
  if (prediction.problems_beyond > 0) {
    summary.skipped.push_back(fmt::format("{} more launches and comments do not fit their kernels",
                                          prediction.problems_beyond));
  }
  summary.code_lacks = code.why_unread();
  summary.without_ptx = prediction.accesses_without_ptx;
  if (prediction.accesses_beyond > 0) {
    summary.unknown += prediction.accesses_beyond;
    summary.skipped.push_back(fmt::format(
        "there is more code than is followed at a time: {} accesses in {} functions are unknown, "
        "and in no list{}",
        prediction.accesses_beyond, prediction.functions_beyond,
        code.cubins().size() > 1 ? "; predict the files one by one" : ""));
  }
  summary.images = code.cubins().size();
  const policy::Rules none;
  WordGiver giver(code, prediction, shared, report, source,
                  policy.rules == nullptr ? none : *policy.rules);
  for (Access& access : report.accesses) giver.Settle(access);
  if (report.policy_problem.empty()) report.policy_problem = giver.WhyNotDone();
  return report;
}

}  // namespace coalcheck::prediction
