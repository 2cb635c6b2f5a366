// SPDX-License-Identifier: Apache-2.0
//
// The options of a report, and the report itself: loaded, judged, written.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/base/github_actions.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {

// What --config takes for no file at all.
inline constexpr const char* kNoProjectFile = "none";

struct ReportOptions {
  std::vector<std::string> recordings;
  bool predict = false;                   // those are programs and cubins, and nothing was counted
  std::vector<std::string> launch_words;  // launches by hand
  std::string block;                      // of all kernels that nothing else is known of
  std::string arch;                       // "sm_90": whose code is predicted; empty: all
  std::vector<std::string> launches;      // recordings whose launches are taken as given
  std::optional<double> max_unknown;      // percent of the accesses
  std::vector<std::string> formats;       // "FORMAT" or "FORMAT=FILE"; text when empty
  std::vector<std::string> outputs;       // files, in turn for the formats that name none
  std::vector<std::string> source_roots;  // as given, the root itself last; empty: found
  std::vector<std::string> path_maps;     // OLD=NEW
  bool same_sources = false;  // files are those that were compiled, whatever their times
  std::optional<double> min_wasted_share_percent;
  std::vector<std::string> kernels, ranges;         // what alone is reported on; empty: everything
  std::string scope = options::DefaultOf("scope");  // or "all"
  std::string group_by = options::DefaultOf("group-by");  // or "range", "rank"
  std::optional<double> max_wasted_share, max_sectors_per_request, min_requests, min_wasted_bytes,
      min_cost;
  std::optional<std::size_t> min_launches;
  std::string min_ranks = options::DefaultOf("min-ranks");  // "N" or "N%"
  std::string config;                                       // file, or "none"; empty: found
  std::string today;                                        // YYYY-MM-DD; empty: the clock's
  bool allow_unavailable = false;
  bool require_end = false;
  std::string baseline;          // file; empty: none
  bool tighten = false;          // rewrite it
  bool ignore_baseline = false;  // that the project names, too: it is to be written, or compared
  std::optional<std::size_t> print_limit;
  std::string color = options::DefaultOf("color");
  std::string verbosity = options::DefaultOf("verbosity");  // or "quiet", "verbose"
  bool exit_zero = false;
  std::optional<GithubActions> github;  // the step of a workflow that this is
  // The program whose recordings these are, when this process started it. There may be none then,
  // and the report's last words, on `out`, are whose exit code the shell sees.
  std::optional<findings::Launch> launch;
  bool out_is_terminal = false;
  std::optional<std::size_t> out_columns;  // of that terminal
  // Where the file name "-" leads; null: to `out`.
  std::ostream* standard_output = nullptr;
};

// What `file`, a descriptor that the report goes to, is: a terminal, of what width, and a step of a
// workflow.
void LookAtStream(int file, ReportOptions& options);

// Returns the exit code of the verdict. Reports go to `out` but for those that have a file,
// complaints to `err`.
int Report(const ReportOptions& options, std::ostream& out, std::ostream& err);

}  // namespace coalcheck::cli
