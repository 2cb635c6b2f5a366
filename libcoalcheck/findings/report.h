// SPDX-License-Identifier: Apache-2.0
//
// Everything a report says, as one value: the writers in output/ print it, the verdict judges it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/ranges.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/explanation.h"
#include "libcoalcheck/findings/job.h"
#include "libcoalcheck/findings/kernel_moves.h"
#include "libcoalcheck/findings/known_finding.h"
#include "libcoalcheck/findings/predicted.h"
#include "libcoalcheck/findings/program_cost.h"
#include "libcoalcheck/patterns/shares.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::findings {

using coalcheck::Counts;

// Whose accesses are judged: those whose line shown lies under the source root, or every one. The
// others are library code.
enum class Scope { kUser, kAll };
constexpr std::string_view ToString(Scope scope) { return scope == Scope::kAll ? "all" : "user"; }

// One step of an inline chain; owns its text, unlike cubin::SourceFrame.
struct Frame {
  std::string function;  // mangled
  std::string file;      // as compiled, path map applied
  std::uint32_t line = 0;
  friend auto operator<=>(const Frame&, const Frame&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const Frame& frame) {
    return H::combine(std::move(state), frame.function, frame.file, frame.line);
  }
};

// A line of Python that a compiler made a file from.
struct MadeFrom {
  Frame frame;       // its function as Python calls it
  std::string text;  // of the line when that was compiled, without blanks around; may be empty
};

// What the PTX says of an instruction's address. Texts are empty where it says nothing.
struct AddressText {
  std::string expression;  // "parameter 2 (float*) + 4·(threadIdx.x·parameter 4 + threadIdx.y)"
  std::string lanes;       // "consecutive threads are parameter 4 elements apart"
  // "neighbouring threads are height = 4096 floats (16 KiB) apart", where their step is one number.
  std::string apart;
  std::string array;                     // what the source calls the pointer that it begins with
  std::optional<std::uint32_t> pointer;  // which parameter that is, counted from 0
  std::vector<Frame> loads;  // lines that load what makes the lanes' addresses differ: the index
  // Of the address without the array's begin and a constant: equal where one index is. 0: none.
  std::uint64_t index = 0;

  // The counts contradict how lanes lie: what the code says stays, and nothing that follows of it.
  void ForgetLanes() {
    lanes.clear();
    apart.clear();
    loads.clear();
    index = 0;
  }
};

// One machine instruction and its counts.
struct Instruction {
  CubinId cubin;
  PcOffset pc;
  Bytes width;           // per lane
  bool generic = false;  // global only when the address says so
  std::string ptx;       // empty when unknown
  Counts counts;
  patterns::AddressFact address;
  AddressText address_text;
  // How the evaluated address stands to the counts; empty where no arguments were recorded.
  std::optional<Standing> standing;
  std::string standing_why;  // a clause where it was not evaluated, or is contradicted
  bool totals_held =
      false;  // confirmed: requests and sectors of all warps, and not only per request
  bool all_blocks = false;  // every block of the launch was evaluated
};

// A finding of one of several recordings, judged as if it were the only one, that is none of their
// sum.
struct FindingAlone {
  std::string recording;  // its name
  std::string where;      // "a.cu:17", or the kernel of one without a line
  cubin::AccessKind kind = cubin::AccessKind::kLoad;
  Counts counts;        // there
  std::string because;  // as Access::decision, and how it stands to the baseline
  std::string in_sum;   // what the sum says of it: as Access::decision, an excuse, or why neither
};

// What one recording alone shows of a place.
struct RateAlone {
  std::string recording;  // its name
  WasteRate waste;
};

// One line, kind and inline chain in one kernel function: all instructions that were made of it.
// Without line information, one instruction.
struct Access {
  std::string kernel;  // mangled; of the function that holds the instructions
  bool is_kernel = true;
  cubin::AccessKind kind = cubin::AccessKind::kLoad;
  std::optional<Frame> shown;       // the line a user can edit; empty without line information
  std::vector<Frame> chain;         // innermost first
  std::vector<MadeFrom> made_from;  // where `shown` lies in generated source, as far as it is known
  std::vector<Instruction> instructions;
  Counts counts;
  std::vector<patterns::Share> patterns;  // most wasted sectors first; they add up to `counts`
  std::uint64_t windows = 0;              // that the counts come from
  Launches launches_checked;              // of the kernel, inside those windows
  Launches launches;                      // of the kernel, all that were seen
  double threads_share = 1;               // of their threads, those that were checked; 0: not known
  double threads_checked = 0;             // 0: not known
  bool is_finding = false;                // only in scope, and not where there is an excuse
  std::optional<Excuse> excuse;
  bool in_scope = true;
  std::optional<AccessCost> cost;       // empty: nothing was sampled
  std::string decision;                 // which rule makes it a finding or none; empty out of scope
  std::vector<std::size_t> range_sets;  // in Report::range_sets, of its windows
  std::optional<Predicted> predicted;   // empty: it was counted
  std::optional<PredictedLaunches> uncounted;  // empty: none of them could be predicted
  std::uint32_t sm = 0;                        // predicted for this architecture alone; 0: for all

  // Predicted, and nobody can say what it will cost.
  bool is_unknown() const { return predicted && predicted->word == PredictedWord::kUnknown; }
  // Inside windows, or predicted.
  Launches launches_known() const {
    return launches_checked + (uncounted ? uncounted->launches : Launches());
  }
};

// What names a place across builds and runs; docs/baseline.md says what it survives.
struct PlaceIdentity {
  Fingerprint fingerprint;  // of kind, file name, kernel, line and calls around it, by their text
  Fingerprint anchor;       // the same without any text: lines of one function may share it
  std::string kernel;       // without template arguments and parameters
  std::string text;         // of the line, without blanks and comments; empty when it is not known
};

// The accesses of one line, kind and chain over all instantiations of one kernel template: what a
// reader takes for one thing. Counts are over the instantiations with a finding if there is one.
struct Place {
  bool is_finding = false;
  std::vector<std::size_t> accesses;  // in Report::accesses; those `counts` sums come first
  std::size_t counted = 0;            // how many of them `counts` sums
  Counts counts;
  bool in_scope = true;  // all of its accesses have one line
  PlaceIdentity identity;
  std::optional<Excuse> excuse;  // of one access at least, and the others are no findings
  std::string standing;  // of a finding, against the baseline: what is new or worse; else empty
  std::optional<RateAlone> worst_alone;  // of several recordings
};

// Why counts could not be given to an access.
enum class UnattributedCause {
  kCubinUnknown,        // CUPTI's 32-bit crc matched no module that was seen loading
  kCubinMissing,        // the recording does not hold it
  kCubinAltered,        // its content does not hash to its name
  kCubinUnreadable,     // it is no cubin, or contradicts itself
  kFunctionNotInCubin,  //
  kNoGlobalAccess,      // the instruction at that pc is none, or there is no instruction
};
std::string_view ToString(UnattributedCause cause);

struct Unattributed {
  UnattributedCause cause = UnattributedCause::kCubinUnknown;
  std::string function;  // mangled
  std::optional<CubinId> cubin;
  std::string detail;  // may be empty
  std::uint64_t instructions = 0;
  Counts counts;
};

// A load that wastes nothing, and by which each block fetches again what it has fetched. No
// finding.
struct FetchedAgain {
  std::size_t access = 0;   // in Report::accesses
  double times = 0;         // that a block asks for each sector, on average
  Bytes tile;               // of shared memory that would hold it; 0: more than there is
  std::uint32_t loads = 0;  // of a thread, which the tile holds the sectors of
};

// Instructions of one line that spill registers to local memory, or keep an array there. They are
// seen in the machine code; what they touch is not counted.
struct LocalMemory {
  std::string kernel;          // mangled; of the function that holds them
  std::optional<Frame> shown;  // as an access's; empty without line information
  std::uint64_t loads = 0;     // instructions
  std::uint64_t stores = 0;
};

// Instructions of one line by which the tensor memory accelerator copies between global and shared
// memory, or adds to global memory. They are found in the machine code; their sectors are not
// counted.
struct BulkCopies {
  std::string kernel;          // mangled; of the function that holds them
  std::optional<Frame> shown;  // as an access's; empty without line information
  std::uint64_t loads = 0;     // instructions
  std::uint64_t stores = 0;
  std::uint64_t reductions = 0;
  std::uint64_t all() const { return loads + stores + reductions; }
};

struct KernelCoverage {
  std::string kernel;  // mangled
  Launches launches;   // all that were seen
  Launches checked;    // inside a window
  double threads = 0;  // of all these launches; infinite where a size is not known
  double threads_checked = 0;
  std::vector<recording::Skipped> skipped;  // by reason
  bool lacks_lines = false;                 // counted, and its code has no line information
  // A kernel with launches inside windows and no counts: it did not access global memory, or its
  // accesses were not seen.
  bool counted_nothing = false;
};

// One NVTX range or region, over all recordings; every launch is in each range it was made in.
struct RangeCoverage {
  OpenRange range;
  Launches launches;
  Launches checked;  // inside a window
  // Of the windows whose launches were all made in it.
  std::uint64_t windows = 0;
  Sectors sectors;
  Sectors ideal;
};

// Processes of a merged recording that ended in one way.
struct EndedAlike {
  recording::Ending ending;
  recording::RankSet ranks;  // of those that have one
};

struct RecordingInfo {
  std::string name;  // as the user called it
  recording::Header header;
  std::vector<recording::Device> devices;
  std::vector<recording::LostLines> lost_lines;
  std::vector<recording::Loss> losses;
  std::vector<recording::Unmatched> unmatched;
  std::optional<recording::Cost> cost;
  std::optional<recording::End> end;
  std::optional<recording::ProcessEnd> process_end;
  std::optional<recording::Progress> progress;
  bool is_progress_damaged = false;  // RecordedRun's
  std::vector<EndedAlike> endings;   // of the processes of a merged recording
  std::uint64_t windows = 0;
  std::uint64_t windows_closed_late = 0;
  std::uint64_t dropped_records = 0;  // instruction records that CUPTI dropped
  // Counters without which nothing can be judged and which it lacks: its counts were not used.
  std::vector<std::string> missing_counters;

  bool is_merged() const { return header.merged > 0; }
};

// A recording that was found beside others and could not be read.
struct Unreadable {
  std::string name;
  std::string why;
};

// The program that was started for this report, when one was.
struct Launch {
  struct Outlived {  // a process of it that still ran when the report was made
    std::uint64_t pid = 0;
    std::string program;
  };
  std::vector<std::string> command;
  recording::ProcessEnd end;  // of its first process
  std::vector<Outlived> outlived;
  bool exit_zero = false;  // the verdict is to decide nothing
};

// Which counters every recording had; the others are zero and mean nothing.
struct CountersPresent {
  bool requests = true;
  bool lanes = true;
  bool lines = true;
};

struct RangeGroup;

struct Report {
  double min_wasted_share = 0;  // 0 to 1
  Scope scope_asked = Scope::kUser;
  Scope scope = Scope::kUser;  // kAll, too, when nothing lies under the source root
  std::string source_root;
  CountersPresent present;
  std::optional<Launch> launch;
  std::vector<RecordingInfo> recordings;
  std::vector<Unreadable> unreadable;
  std::vector<Access> accesses;  // most wasted sectors first
  std::vector<Place> places;     // the same, findings first
  std::vector<Unattributed> unattributed;
  std::vector<KernelCoverage> kernels;  // by name
  std::vector<KernelMoves> moves;       // of kernels with waste whose PTX is known
  std::vector<FetchedAgain> fetched_again;
  std::vector<LocalMemory> local_memory;  // of functions with counts; most instructions first
  std::vector<BulkCopies> bulk_copies;    // of kernels that were counted; most instructions first
  std::vector<RangeCoverage> ranges;      // most wasted sectors first
  // Only when it was asked for: a group for each of the first ranges, then one for what was
  // launched outside every range.
  std::vector<RangeGroup> by_range;
  std::uint64_t windows_in_no_group = 0;
  Launches launches;
  Launches launches_checked;
  Launches launches_predicted;  // not checked, and predicted for an access of their kernel at least
  // Sums over everything that was recorded, made before anything was attributed: equal to the sum
  // over `accesses` and `unattributed`.
  Sectors sectors;
  Sectors ideal;
  CacheLines lines;
  // Each a set of ranges that all launches of some window were made in.
  std::vector<std::vector<OpenRange>> range_sets;
  std::map<CubinId, std::set<std::string>> programs;  // which loaded each cubin
  bool allow_unavailable = false;         // what could not be collected at all fails nothing
  bool require_end = false;               // a recording without an `end` is never clean
  std::vector<std::string> policy_notes;  // suppressions that are expired, unused or not usable
  std::string policy_problem;             // not empty: the rules were not applied to all of it
  Launches min_launches;                  // that have to be checked for the report to be clean
  std::optional<BaselineCheck> baseline;  // when one was given
  std::optional<ProgramCost> cost;        // empty: not known
  std::string why_no_cost;                // as far as a recording says
  std::optional<Job> job;                 // empty: no process said that it has a rank
  std::optional<PredictionSummary> prediction;  // empty: the counts are counted
  std::vector<FindingAlone> alone;              // the worst of each recording first
  std::uint64_t not_judged_alone = 0;           // recordings: there are too many
};

// The windows whose launches were all made in one range, as a report. Nested ranges share windows.
struct RangeGroup {
  std::optional<OpenRange> range;  // empty: outside every range
  Report report;
};

// Whether any access of the place is unknown: then it is neither clean nor better than before.
bool IsUnknown(const Report& report, const Place& place);

}  // namespace coalcheck::findings
