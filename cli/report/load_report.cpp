// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads the recordings, then has them attributed, judged and grouped.
#include "cli/report/load_report.h"

#include <absl/strings/str_join.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "cli/base/recordings.h"
#include "cli/base/say.h"
#include "cli/report/baseline_file.h"
#include "cli/report/min_ranks.h"
#include "cli/report/program_files.h"
#include "cli/report/project_rules.h"
#include "cli/report/read_input.h"
#include "cli/report/source_root.h"
#include "cli/syntax/option_checks.h"
#include "libcoalcheck/comparison/each_alone.h"
#include "libcoalcheck/findings/making/by_range.h"
#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/findings/places/excuses.h"
#include "libcoalcheck/findings/sources/kept_cubins.h"
#include "libcoalcheck/findings/sources/stored_code.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/prediction/launch_words.h"
#include "libcoalcheck/prediction/predict_report.h"
#include "libcoalcheck/recording/job_membership.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

// Where none of the recordings that were named could be read there is nothing to report on.
bool IsUnusable(const Input& input, const ReportOptions& options) {
  return !options.launch && input.aggregate.recordings.empty() &&
         !input.aggregate.unreadable.empty();
}

void NoteUnusedMappings(const findings::PathMap& map, std::vector<std::string>& notes) {
  for (const std::string& from : map.Unused()) {
    notes.push_back(words::Printable(
        fmt::format("--path-map {}=… replaces nothing: no compiled-in path begins with that{}{}",
                    from, map.left_alone().empty() ? "" : "; one of them is ", map.left_alone())));
  }
}

cubin::SourceScope ScopeOf(const ReportOptions& options) {
  if (options.source_roots.empty()) return {ResolveSourceRoot(""), {}};
  cubin::SourceScope scope;
  for (const std::string& folder : options.source_roots) {
    scope.further.push_back(ResolveSourceRoot(folder));
  }
  scope.root = std::move(scope.further.back());
  scope.further.pop_back();
  return scope;
}

}  // namespace

std::vector<std::string> QuotableFolders(const ReportOptions& options) {
  cubin::SourceScope scope = ScopeOf(options);
  std::vector<std::string> folders = std::move(scope.further);
  // Without a repository the root is a guess: it does not permit quoting files of the whole
  // machine.
  if (!options.source_roots.empty() || scope.root != "/") folders.push_back(scope.root);
  for (const std::string& rule : options.path_maps) {
    folders.push_back(rule.substr(rule.find('=') + 1));
  }
  return folders;
}

namespace {

using Make = std::function<findings::Report(const findings::SourceView&, const findings::Policy&)>;

// A rank that reports on itself, as under mpirun coalcheck, knows one rank of its job.
bool IsOnlyThisRank(const findings::Job& job) {
  const recording::JobMembership here = recording::JobMembershipIn([](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  });
  return here.rank && job.recorded() == 1 && job.jobs[0].recorded.Contains(*here.rank) &&
         job.jobs[0].job == here.id;
}

void AskForRanks(const ReportOptions& options, findings::Report& report) {
  if (!report.job) return;
  report.job->is_grouped = options.group_by == "rank";
  report.job->min_ranks = ReadMinRanks(options.min_ranks);
  if (IsOnlyThisRank(*report.job)) report.job->min_ranks.reset();
}

// The facts that all reports have, whatever their counts are.
absl::StatusOr<LoadedReport> Judged(const ReportOptions& options, ReportSourceText& sources,
                                    const ProjectRules& project, const Make& make) {
  cubin::SourceScope scope = ScopeOf(options);
  scope.files = sources.Files();
  const findings::Policy policy{
      .min_wasted_share = project.min_wasted_share,
      .scope = options.scope == "all" ? findings::Scope::kAll : findings::Scope::kUser,
      .rules = &project.rules};
  findings::SourceView source{scope, MakePathMap(options.path_maps), sources};
  sources.NameFiles(source.path_map);
  source.stack_of = [&sources](std::string_view file) { return sources.StackOf(file); };
  if (!options.same_sources) {
    source.stamp_of = [&sources](const std::string& file) { return sources.StampOf(file); };
  }
  LoadedReport loaded{make(source, policy), {}, project.rules.file};
  if (!loaded.report.policy_problem.empty()) {
    return absl::InvalidArgumentError(loaded.report.policy_problem);
  }
  NoteUnusedMappings(source.path_map, loaded.notes);
  findings::SettleExcuses(loaded.report);
  loaded.report.allow_unavailable = options.allow_unavailable;
  loaded.report.require_end = options.require_end;
  AskForRanks(options, loaded.report);
  if (!options.ignore_baseline && !project.baseline.empty()) {
    const absl::Status applied = ApplyBaselineFile(project.baseline, loaded.report);
    if (!applied.ok()) return applied;
    loaded.report.baseline->taken_over = options.tighten;
  }
  return loaded;
}

absl::Status AddByHand(const ReportOptions& options, prediction::KnownLaunches& launches) {
  for (const std::string& text : options.launch_words) {
    const Result<prediction::NamedLaunch> named = prediction::ReadLaunchWords(text);
    if (!named.ok()) return absl::InvalidArgumentError("--launch: " + named.error());
    launches.by_hand.push_back(named.value());
  }
  if (options.block.empty()) return absl::OkStatus();
  const Result<address::Extent> block = prediction::ReadExtent(options.block);
  if (!block.ok()) return absl::InvalidArgumentError("--block: " + block.error());
  prediction::KnownLaunch launch;
  launch.block = block.value();
  launch.origin = prediction::kOfAny;
  launches.of_any = std::move(launch);
  return absl::OkStatus();
}

absl::StatusOr<LoadedReport> LoadPrediction(const ReportOptions& options,
                                            ReportSourceText& sources) {
  prediction::HeldCubins cubins;
  ImagesLeftOut left_out;
  for (const std::string& file : options.recordings) {
    const absl::Status status = AddProgram(file, cubins, left_out);
    if (!status.ok()) return status;
  }
  std::vector<std::string> skipped = left_out.Words();
  prediction::KnownLaunches launches;
  std::vector<findings::RecordingInfo> recordings;
  for (const std::string& path : options.launches) {
    const absl::Status status = AddLaunchesOf(path, launches, recordings);
    if (!status.ok()) return status;
  }
  const std::string lack = verdict::WhyLaunchesLack(std::move(recordings), options.require_end);
  if (!lack.empty()) skipped.push_back(lack + ": launches may be missing");
  const absl::StatusOr<ProjectRules> project = LoadRules(options, ScopeOf(options).root);
  if (!project.ok()) return project.status();
  const absl::Status by_hand = AddByHand(options, launches);
  if (!by_hand.ok()) return by_hand;
  const absl::StatusOr<prediction::HeldCode> code = prediction::HeldCode::Read(
      std::move(cubins), ArchitectureIn(options.arch), std::move(launches));
  if (!code.ok()) return code.status();
  return Judged(options, sources, *project, [&](const auto& source, const auto& policy) {
    findings::Report report = prediction::PredictReport(*code, source, policy);
    findings::PredictionSummary& summary = *report.prediction;
    summary.skipped.insert(summary.skipped.begin(), skipped.begin(), skipped.end());
    summary.launches_lack = lack;
    if (summary.code_lacks.empty()) summary.code_lacks = left_out.lost();
    if (options.max_unknown) summary.most_unknown_share = *options.max_unknown / 100;
    return report;
  });
}

// So many accesses are judged once more, each recording's alone.
constexpr std::size_t kMostJudgedAlone = 1'000'000;

// The report of one recording as if no other had been named. Nothing is explained in it.
absl::StatusOr<LoadedReport> LoadAlone(const ReportOptions& options, const InputReader& reader,
                                       const ProjectRules& project, const Input& all,
                                       std::size_t number, findings::KeptCubins& kept) {
  ReportSourceText sources(QuotableFolders(options));
  absl::StatusOr<Input> input = reader.ReadOne(all.folders[number], sources);
  if (!input.ok()) return input.status();
  findings::OwnCubins own(*input->cubins.front(), kept);
  std::vector<findings::CubinStore*> stores = {&own};
  for (const auto& cubins : all.cubins) stores.push_back(cubins.get());
  findings::UnexplainedCode code(std::move(stores));
  return Judged(options, sources, project, [&](const auto& source, auto policy) {
    policy.names_unused = false;
    // Of the processes of one launch, many run library code only.
    policy.may_fall_back = !options.launch;
    return findings::MakeReport(std::move(input->aggregate), code, source, policy);
  });
}

absl::Status JudgeEachAlone(const ReportOptions& options, const InputReader& reader,
                            const ProjectRules& project, const Input& all, findings::Report& sum) {
  if (all.folders.size() < 2) return absl::OkStatus();
  comparison::EachAlone each(sum);
  findings::KeptCubins kept;
  std::size_t judged = 0;
  for (std::size_t i = 0; i < all.folders.size(); ++i) {
    if (judged > kMostJudgedAlone) {
      each.LeaveOut();
      continue;
    }
    const absl::StatusOr<LoadedReport> alone = LoadAlone(options, reader, project, all, i, kept);
    if (!alone.ok()) return alone.status();
    judged += alone->report.accesses.size();
    each.Add(alone->report, sum.recordings[i].name);
  }
  each.Finish();
  return absl::OkStatus();
}

absl::StatusOr<LoadedReport> LoadCounted(const ReportOptions& options, ReportSourceText& sources) {
  const absl::StatusOr<ProjectRules> project = LoadRules(options, ScopeOf(options).root);
  if (!project.ok()) return project.status();
  const absl::StatusOr<InputReader> reader = InputReader::Make(options);
  if (!reader.ok()) return reader.status();
  absl::StatusOr<Input> input = reader->ReadAll(sources);
  if (!input.ok()) return input.status();
  if (IsUnusable(*input, options)) {
    std::vector<std::string> why;
    for (const findings::Unreadable& one : input->aggregate.unreadable) {
      why.push_back(words::Printable(one.why));
    }
    return absl::InvalidArgumentError(absl::StrJoin(why, "\n"));
  }
  std::vector<findings::CubinStore*> stores;
  for (const auto& cubins : input->cubins) stores.push_back(cubins.get());
  findings::StoredCode code(std::move(stores));
  absl::StatusOr<LoadedReport> loaded =
      Judged(options, sources, *project, [&](const auto& source, const auto& policy) {
        findings::Report report =
            findings::MakeReport(std::move(input->aggregate), code, source, policy);
        if (IsGroupedByRange(options)) {
          findings::GroupByRange(input->runs, code, source, report, policy.rules);
        }
        return report;
      });
  if (!loaded.ok()) return loaded;
  const absl::Status each = JudgeEachAlone(options, *reader, *project, *input, loaded->report);
  if (!each.ok()) return each;
  loaded->notes.insert(loaded->notes.begin(), input->notes.begin(), input->notes.end());
  return loaded;
}

}  // namespace

absl::StatusOr<LoadedReport> LoadReport(const ReportOptions& options, ReportSourceText& sources) {
  return options.predict ? LoadPrediction(options, sources) : LoadCounted(options, sources);
}

void SayNotes(const LoadedReport& loaded, std::ostream& err) {
  for (const std::string& note : loaded.notes) Say(err, note);
}

void SayWhyNotLoaded(const absl::Status& status, std::ostream& err) {
  std::istringstream lines{std::string(status.message())};
  for (std::string line; std::getline(lines, line);) Say(err, line);
}

}  // namespace coalcheck::cli
