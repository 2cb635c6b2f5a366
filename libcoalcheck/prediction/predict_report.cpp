// SPDX-License-Identifier: Apache-2.0
//
// Predicted counts take the place of counted ones; then each access gets its word: what is a
// finding even where it wastes least is wasteful, what is none even where it wastes most is clean.
#include "libcoalcheck/prediction/predict_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "libcoalcheck/findings/fingerprint.h"
#include "libcoalcheck/findings/stored_code.h"
#include "libcoalcheck/policy/judge.h"
#include "libcoalcheck/prediction/prediction_words.h"

namespace coalcheck::prediction {
namespace {

using findings::Access;
using findings::Aggregate;
using findings::Predicted;
using findings::PredictedWord;
using findings::Report;

struct CubinPrediction {
  cubin::Cubin cubin;
  std::map<std::string, FunctionPrediction> functions;
};
using Predictions = std::map<CubinId, CubinPrediction>;

using LineKey = std::pair<cubin::AccessKind, std::vector<cubin::SourceFrame>>;

// Lines in which lanes differ by what they load: nothing there is certain.
std::vector<LineKey> LinesByData(const cubin::Function& function,
                                 const FunctionPrediction& prediction) {
  std::vector<LineKey> lines;
  for (const cubin::GlobalAccess& access : function.accesses) {
    if (!prediction.accesses.at(access.pc).open.lanes_by_data) continue;
    lines.emplace_back(access.kind, access.frames);
  }
  return lines;
}

void AddTo(Aggregate& aggregate, CubinId id, const cubin::Function& function,
           const FunctionPrediction& prediction) {
  const std::vector<LineKey> by_data = LinesByData(function, prediction);
  const std::string name(function.name);
  findings::FunctionAggregate& sum = aggregate.functions[{id, name}];
  for (const cubin::GlobalAccess& access : function.accesses) {
    Counts least = prediction.accesses.at(access.pc).least;
    const LineKey key{access.kind, access.frames};
    if (std::ranges::find(by_data, key) != by_data.end()) least.ideal = least.sectors;
    findings::RawCounts raw;
    raw.direct = least;
    if (access.kind == cubin::AccessKind::kAsyncCopy) {
      raw.async_requests = least.requests;
      raw.async_lanes = least.lanes;
    }
    sum.instructions[access.pc] = {raw, {{std::nullopt, raw}}};
    aggregate.total += raw;
  }
  if (function.is_kernel) aggregate.kernels[name].kernel = name;
}

// Names by hand that no kernel has, or several.
void NoteNames(const Predictions& predictions, const KnownLaunches& launches,
               std::vector<std::string>& problems) {
  for (const auto& [name, kernel] : launches) {
    if (name == kAnyKernel || kernel.launches.front().origin != kByHand) continue;
    std::set<std::string> called;
    for (const auto& [id, cubin] : predictions) {
      for (const auto& [function, prediction] : cubin.functions) {
        if (IsCalled(function, name) || function == name) called.insert(function);
      }
    }
    if (called.empty()) {
      problems.push_back(fmt::format("--launch fits no kernel: {}", name));
    } else if (called.size() > 1) {
      problems.push_back(
          fmt::format("--launch fits {} kernels, and was taken for each: {}", called.size(), name));
    }
  }
}

Predictions PredictAll(const HeldCubins& cubins, const KnownLaunches& launches,
                       Aggregate& aggregate, std::vector<std::string>& problems) {
  Predictions predictions;
  for (const auto& [id, bytes] : cubins.all()) {
    absl::StatusOr<cubin::Cubin> parsed = cubin::Cubin::Parse(bytes);
    if (!parsed.ok()) {
      problems.emplace_back(parsed.status().message());
      continue;
    }
    address::PtxModules modules;
    CubinPrediction one{*std::move(parsed), {}};
    for (const cubin::Function& function : one.cubin.functions()) {
      if (function.accesses.empty()) continue;
      const address::AccessFormulas formulas(function, modules);
      const LaunchesOfKernel* known = FindLaunches(launches, std::string(function.name));
      const auto [entry, is_new] =
          one.functions.emplace(function.name, PredictFunction(function, formulas, known));
      AddTo(aggregate, id, function, entry->second);
      for (const std::string& problem : entry->second.problems) {
        problems.push_back(fmt::format("--launch does not fit {}: {}",
                                       findings::StableKernelName(function.name), problem));
      }
    }
    predictions.emplace(id, std::move(one));
  }
  return predictions;
}

class WordGiver {
 public:
  WordGiver(const Predictions& predictions, Report& report, const findings::SourceView& source,
            const policy::Rules& rules)
      : predictions_(predictions),
        report_(report),
        source_(source),
        judge_(rules, report, source.text) {}

  void Settle(Access& access) {
    Predicted predicted;
    std::string open;
    Access worst = access;
    worst.counts = {};
    for (findings::Instruction& one : worst.instructions) {
      // Nothing was counted that could confirm it.
      const CubinPrediction& cubin = predictions_.at(one.cubin);
      const FunctionPrediction& function = cubin.functions.at(access.kernel);
      const AccessPrediction& its = function.accesses.at(one.pc);
      one.counts = its.most;
      worst.counts += its.most;
      predicted.lanes_by_data = predicted.lanes_by_data || its.open.lanes_by_data;
      predicted.assumed = function.assumed;
      if (its.open.why.empty() || its.open.is_passed_by) continue;
      open = its.open.why;
    }
    for (findings::Instruction& one : access.instructions) {
      one.standing.reset();
      one.standing_why.clear();
    }
    // Copies of a line in loops that others of its copies took the rounds of need no word.
    if (worst.counts.requests == Requests(0) && open.empty()) {
      open = "no warp that was followed comes to it";
    }
    predicted.most = worst.counts;
    const bool least = access.is_finding || access.excuse.has_value();
    judge_.Decide(worst);
    const bool most = worst.is_finding || worst.excuse.has_value();
    const bool is_open = predicted.lanes_by_data || !open.empty() || most;
    predicted.word = least     ? PredictedWord::kWasteful
                     : is_open ? PredictedWord::kUnknown
                               : PredictedWord::kClean;
    if (predicted.word == PredictedWord::kUnknown) Explain(access, open, predicted);
    access.predicted = std::move(predicted);
    Count(access);
  }

 private:
  void Explain(const Access& access, const std::string& open, Predicted& predicted) const {
    const auto& first = predictions_.at(access.instructions.front().cubin);
    const cubin::Function* function = first.cubin.FindFunction(access.kernel);
    const FunctionPrediction& its = first.functions.at(access.kernel);
    Open all;
    for (const findings::Instruction& one : access.instructions) {
      const auto found = its.accesses.find(one.pc);
      if (one.cubin == access.instructions.front().cubin && found != its.accesses.end()) {
        Join(found->second.open, all);
      }
    }
    all.why = open;
    const OpenWords words = WordsOf(all, *function, source_);
    predicted.why = words.why;
    predicted.settle = words.settle;
  }

  void Count(const Access& access) {
    const Predicted& predicted = *access.predicted;
    if (!access.in_scope) return;
    findings::PredictionSummary& sum = *report_.prediction;
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

  const Predictions& predictions_;
  Report& report_;
  const findings::SourceView& source_;
  policy::Judge judge_;
};

}  // namespace

absl::StatusOr<std::string> HeldCubins::Load(CubinId id) {
  const auto found = cubins_.find(id);
  if (found == cubins_.end()) return absl::NotFoundError("");
  return found->second;
}

Report PredictReport(HeldCubins& cubins, const KnownLaunches& launches,
                     const findings::SourceView& source, const findings::Policy& policy) {
  Aggregate aggregate;
  std::vector<std::string> problems;
  const Predictions predictions = PredictAll(cubins, launches, aggregate, problems);
  NoteNames(predictions, launches, problems);
  findings::StoredCode code({&cubins});
  Report report = findings::MakeReport(std::move(aggregate), code, source, policy);
  report.prediction.emplace();
  report.prediction->assumptions = Assumptions();
  report.prediction->skipped = std::move(problems);
  report.prediction->images = predictions.size();
  const policy::Rules none;
  WordGiver giver(predictions, report, source, policy.rules == nullptr ? none : *policy.rules);
  for (Access& access : report.accesses) giver.Settle(access);
  return report;
}

}  // namespace coalcheck::prediction
