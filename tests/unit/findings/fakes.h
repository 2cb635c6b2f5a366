// SPDX-License-Identifier: Apache-2.0
//
// Machine code, sources and recordings made by hand, for tests of everything behind them.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/making/by_range.h"
#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/findings/sources/code.h"
#include "libcoalcheck/options/option_table.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::findings {

inline const OpenRange kOuter{"", "outer", RangeKind::kPushPop};
inline const OpenRange kInner{"", "inner", RangeKind::kPushPop};

class FakeCode : public Code {
 public:
  // The function `name` of `cubin`, to be filled by the test.
  cubin::Function& Add(CubinId cubin, const std::string& name) {
    names_.push_back(name);
    cubin::Function& function = functions_[{cubin, name}];
    function.name = names_.back();
    function.is_kernel = true;
    function.has_lines = true;
    return function;
  }
  void Refuse(CubinId cubin, UnattributedCause cause, std::string detail = "") {
    refused_[cubin] = {nullptr, cause, std::move(detail)};
  }

  FunctionLookup Find(CubinId cubin, std::string_view function) override {
    if (const auto found = refused_.find(cubin); found != refused_.end()) return found->second;
    const auto found = functions_.find({cubin, std::string(function)});
    if (found == functions_.end()) return {nullptr, UnattributedCause::kFunctionNotInCubin, ""};
    return {&found->second, {}, ""};
  }

  std::span<const cubin::Function> FunctionsOf(CubinId cubin) override {
    of_cubin_.clear();
    for (const auto& [key, function] : functions_) {
      if (key.first == cubin && !refused_.contains(cubin)) of_cubin_.push_back(function);
    }
    return of_cubin_;
  }

  // Of a function that was given PTX.
  const Explanations* Explain(CubinId cubin, std::string_view function,
                              const FunctionAggregate& counted) override {
    const cubin::Function* found = Find(cubin, function).function;
    if (found == nullptr || found->ptx_text.empty()) return nullptr;
    return &explanations_.emplace(*found, modules_, counted, steps_);
  }

 private:
  std::deque<std::string> names_;
  std::map<std::pair<CubinId, std::string>, cubin::Function> functions_;
  std::map<CubinId, FunctionLookup> refused_;
  std::vector<cubin::Function> of_cubin_;  // what FunctionsOf() returned last
  address::PtxModules modules_;
  std::optional<Explanations> explanations_;
  StepsLeft steps_{100'000, 100'000};
};

class FakeSources : public cubin::SourceText {
 public:
  std::map<std::string, std::vector<std::string>, std::less<>> files;

  std::optional<std::uint32_t> LineCount(std::string_view file) override {
    const auto found = files.find(file);
    if (found == files.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found->second.size());
  }
  std::optional<std::string> Line(std::string_view file, std::uint32_t line) override {
    const auto found = files.find(file);
    if (found == files.end() || line == 0 || line > found->second.size()) return std::nullopt;
    return found->second[line - 1];
  }
};

inline const CubinId kCubin{0xC0};
inline const std::string kSource = "/src/app/a.cu";

inline cubin::GlobalAccess MakeAccess(std::uint32_t pc, cubin::AccessKind kind,
                                      std::vector<cubin::SourceFrame> frames) {
  cubin::GlobalAccess access;
  access.pc = PcOffset(pc);
  access.kind = kind;
  access.width = Bytes(4);
  access.frames = std::move(frames);
  return access;
}

inline recording::RecordedRun MakeRun() {
  recording::RecordedRun run;
  for (const std::string_view counter :
       {recording::kRequests, recording::kLanes, recording::kAsyncRequests, recording::kAsyncLanes,
        recording::kSectors, recording::kIdealSectors, recording::kCacheLines}) {
    run.header.counters.emplace_back(counter);
  }
  run.end = recording::End{"exit", 1, {}};
  return run;
}

// A row of a full request of 32 lanes for each of `requests`.
inline recording::CountRow MakeRow(std::uint32_t pc, std::uint64_t requests,
                                   std::uint64_t sectors_each, std::uint64_t ideal_each) {
  return {PcOffset(pc),
          {requests, requests * 32, 0, 0, requests * sectors_each, requests * ideal_each,
           requests * sectors_each}};
}

// A window around one launch of `kernel`, whose counts are `rows`.
inline recording::Window MakeWindow(std::uint64_t id, const std::string& kernel,
                                    std::vector<recording::CountRow> rows,
                                    std::optional<CubinId> cubin = kCubin) {
  recording::Window window;
  window.window = WindowId(id);
  window.inside.push_back({{kernel, {}, {}}, Launches(1)});
  window.functions.push_back({cubin, kernel, std::move(rows)});
  return window;
}

const double kDefaultMinWastedShare = options::DefaultNumberOf("min-wasted-share") / 100;

inline Report ReportOn(const std::vector<recording::RecordedRun>& runs, Code& code,
                       FakeSources& sources, const PathMap& path_map = {},
                       double min_wasted_share = kDefaultMinWastedShare,
                       Scope scope = Scope::kUser) {
  Aggregate aggregate;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    AddRun("rank" + std::to_string(i), runs[i], aggregate);
  }
  const SourceView source{{"/src/app"}, path_map, sources};
  return MakeReport(std::move(aggregate), code, source, {min_wasted_share, scope});
}

// The same, with the findings of each range.
inline Report GroupedReportOn(const std::vector<recording::RecordedRun>& runs, Code& code,
                              FakeSources& sources) {
  Report report = ReportOn(runs, code, sources);
  const PathMap no_map;
  GroupByRange(runs, code, {{"/src/app"}, no_map, sources}, report);
  return report;
}

}  // namespace coalcheck::findings
