// SPDX-License-Identifier: Apache-2.0
//
// What a recording says: one struct per line of records.jsonl. The agent writes them (writer.h),
// the command reads them (reader.h); docs/recording-format.md is the contract in words.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "libcoalcheck/base/dim3.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/ranges.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/recording/job_membership.h"
#include "libcoalcheck/recording/rank_set.h"

namespace coalcheck::recording {

inline constexpr std::string_view kFormatName = "coalcheck-recording";
inline constexpr std::uint32_t kMajorVersion = 1;
inline constexpr std::uint32_t kMinorVersion = 10;
inline constexpr std::string_view kRecordsFile = "records.jsonl";
inline constexpr std::string_view kCubinFolder = "cubins";

// Always the first line: which process this is and how it was watched.
struct Header {
  std::uint32_t major = kMajorVersion;
  std::uint32_t minor = kMinorVersion;
  std::string tool_version;
  std::string program;                 // absolute path of the executable
  std::vector<std::string> arguments;  // argv, the program's own name first
  std::string working_directory;
  std::string host;
  std::uint64_t pid = 0;
  std::string started;                // UTC, ISO 8601
  std::string sampling;               // "first", "all", "every:10"
  std::vector<std::string> counters;  // names of the columns of CountRow::values
  JobMembership job;                  // in a job of many processes; unknown before version 1.7
  // Of a merged recording alone; what its recordings do not have in common is empty above.
  std::uint64_t merged = 0;                   // recordings in it
  std::uint64_t sampled = 0;                  // of these, those with samples of program counters
  std::vector<std::string> dropped_counters;  // that not all of them had
};

// The columns that coalcheck knows; a recording may hold fewer (`--metrics`), or, when a newer
// tool wrote it, more. Each is a sum over the launches inside the window.
inline constexpr std::string_view kRequests = "requests";
inline constexpr std::string_view kLanes = "lanes";
inline constexpr std::string_view kAsyncRequests = "async_requests";  // cp.async (LDGSTS)
inline constexpr std::string_view kAsyncLanes = "async_lanes";
inline constexpr std::string_view kSectors = "sectors";
inline constexpr std::string_view kIdealSectors = "ideal_sectors";
inline constexpr std::string_view kCacheLines = "lines";

struct Device {
  DeviceIndex device;
  std::string name;  // "NVIDIA H200"
  std::string chip;  // CUPTI's name: "GH100"
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;
  std::uint32_t driver_version = 0;  // 13000: CUDA 13.0
  std::uint32_t cupti_version = 0;   // 130001
  // What bounds a kernel's time; 0 where the driver did not say, and before version 1.4.
  std::uint32_t multiprocessors = 0;
  std::uint32_t clock_khz = 0;         // of a multiprocessor, at most
  std::uint32_t memory_clock_khz = 0;  // two transfers a cycle
  std::uint32_t memory_bus_bits = 0;
  std::string uuid = {};  // "GPU-" and 32 digits in groups; empty: not known
};

// A module was loaded; its cubin lies in cubins/<id>.cubin.
struct Module {
  ContextId context;
  CubinId cubin;
  Bytes size;
  std::vector<std::string> programs = {};  // that loaded it; only of a merged recording
};

using coalcheck::Dim3;

// Launches are told apart by kernel (mangled name), shape and the ranges they were made in.
struct LaunchShape {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  RangeSetId ranges = {};
  friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

// Which ranges were open together: what a LaunchShape's `ranges` stands for. Push/pop ranges come
// in the order in which they were pushed.
struct RangeSet {
  RangeSetId ranges;
  std::vector<OpenRange> open;
};

// One instruction's counts. `values` are parallel to Header::counters.
struct CountRow {
  PcOffset pc;
  std::vector<std::uint64_t> values;
};

struct FunctionCounts {
  // Empty when the 32-bit crc CUPTI gave matched no module that was seen loading.
  std::optional<CubinId> cubin;
  std::string function;        // mangled, as CUPTI reports it
  std::vector<CountRow> rows;  // ascending pc; rows that are all zero are left out
};

// The most of a launch's parameters that a recording holds.
inline constexpr std::size_t kMostArgumentBytes = 4096;

// What launches were called with, beside their shape.
struct LaunchArguments {
  Launches launches{};                   // that were called with just this
  std::optional<Bytes> shared_memory{};  // dynamic, of a block; empty: not known
  std::optional<Dim3> cluster{};         // in blocks; empty: the call asked for none
  Bytes size{};                          // of all parameters together
  // The parameters, each at its offset, zeros between them; the first kMostArgumentBytes.
  std::string bytes{};
  std::string missing{};  // why `size` and `bytes` are not known; empty: they are

  // All but the number of launches: to compare with another's.
  auto What() const { return std::tie(shared_memory, cluster, size, bytes, missing); }
};

struct LaunchesInside {
  LaunchShape shape;
  Launches launches;
  // Those of all or some of the launches; none before version 1.5.
  std::vector<LaunchArguments> arguments{};
};

// kResident: a stretch of a collection that is never switched off.
enum class WindowKind { kLaunch, kGraph, kResident };
constexpr std::string_view ToString(WindowKind kind) {
  switch (kind) {
    case WindowKind::kLaunch:
      return "launch";
    case WindowKind::kGraph:
      return "graph";
    case WindowKind::kResident:
      return "resident";
  }
  return "launch";
}
// kLate: the kernel had not ended by the deadline; the application went on and the window was
// closed when the end was seen. Launches made meanwhile are inside it.
enum class WindowClose { kInTime, kLate };

// Whose window it was, in a merged recording.
struct Origin {
  std::optional<std::uint32_t> rank;
  std::string host;
  std::uint64_t pid = 0;
  std::string started;  // the process
  WindowId window;      // its number there
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

// A span with counting on. Its counts belong to exactly the launches listed as inside it.
struct Window {
  WindowId window;
  WindowKind kind = WindowKind::kLaunch;
  WindowClose close = WindowClose::kInTime;
  DeviceIndex device;
  ContextId context;
  LaunchOrdinal first_launch;  // ordinal in the process of the launch that opened it
  std::vector<LaunchesInside> inside;
  std::uint64_t dropped_records = 0;  // instruction records that CUPTI dropped
  std::vector<FunctionCounts> functions;
  std::uint64_t sum_of = 0;           // so many windows, of a merged recording; 0: it is one
  std::optional<Origin> origin = {};  // of one window, in a merged recording
};

struct Skipped {
  std::string reason;  // see skip_reasons.h
  Launches launches;
};

// Cumulative tally of one launch shape. Written again as it grows: the last one counts.
struct Tally {
  LaunchShape shape;
  Launches launches;  // all launches of this shape, counted or not
  Launches counted;   // those inside a window that closed
  std::vector<Skipped> skipped;
};

// One set of shape and arguments that launches outside windows had.
struct UncountedSet {
  Dim3 grid;
  Dim3 block;
  LaunchArguments arguments;  // none is missing
};

// So many are kept of each kernel: the first.
inline constexpr std::size_t kMostUncountedSets = 64;

// What the launches of a kernel that were not counted were called with, in whatever ranges.
// Written again as it grows: the last one counts. None before version 1.10.
struct Uncounted {
  std::string kernel;              // mangled
  std::vector<UncountedSet> sets;  // at most kMostUncountedSets
  Launches others;                 // of which nothing is kept

  Launches all() const {
    Launches sum = others;
    for (const UncountedSet& set : sets) sum += set.arguments.launches;
    return sum;
  }
};

// Something that was not seen, once per cause; cumulative like Tally.
struct Loss {
  std::string what;  // see losses.h
  std::string detail;
  std::uint64_t count = 0;
  RankSet ranks = {};  // that lost it; only of a merged recording
};

// A filter that fitted nothing that was seen.
struct Unmatched {
  std::string option;                // "kernel"
  std::string filter;                // as the user wrote it
  std::vector<std::string> nearest;  // names that were seen, the nearest first
  std::uint64_t processes = 1;       // that ended and say so; others than 1 only where merged
};

// What counting has cost: the last one counts.
struct Cost {
  std::uint64_t windows = 0;
  double seconds = 0;         // that launches were held for windows
  double elapsed = 0;         // seconds, from the header on
  double budget_percent = 0;  // of `elapsed`; 0: none was kept
};

// Sampling of program counters began in a context: every `period` a multiprocessor notes where one
// of its warps is, and why that warp does not go on.
struct PcSampling {
  PcSamplingId sampling;
  DeviceIndex device;
  ContextId context;
  Cycles period;
  Bytes buffer;                      // device memory for what was not read yet
  std::vector<std::string> reasons;  // why a warp was there, in CUPTI's words
};

struct SampleRow {
  PcOffset pc;
  StallReason reason;
  Samples samples;
};

struct FunctionSamples {
  std::optional<CubinId> cubin;  // empty when the crc CUPTI gave is of no module seen loading
  std::string function;          // mangled, as CUPTI reports it
  std::vector<SampleRow> rows;   // ascending (pc, reason)
};

// Samples that came in since the batch before; batches add up.
struct PcSamples {
  PcSamplingId sampling;
  Samples dropped;    // by the hardware, which could not keep up
  Samples elsewhere;  // in code that is not the program's, such as a memset
  Samples unplaced;   // whose instruction CUPTI did not give
  std::vector<FunctionSamples> functions;
};

// The records before an `end`, so that a reader notices missing ones.
struct Contents {
  std::map<std::string, std::uint64_t> records;  // how many of each kind
  std::uint64_t hash = 0;                        // XXH3-64 of the bytes

  friend bool operator==(const Contents&, const Contents&) = default;
};

// The process ended in a way that let the agent say so.
struct End {
  std::string reason;                   // "exit"
  double seconds = 0;                   // from the header to the end
  std::optional<Contents> before = {};  // the writer fills it in; none before version 1.6
};

// The most that sources of one recording may come to: text and names, and pieces. A merged one may
// have more text.
inline constexpr std::size_t kMostSourceText = std::size_t{4} << 20U;
inline constexpr std::size_t kMostMergedSourceText = std::size_t{64} << 20U;
inline constexpr std::size_t kMostSources = 4096;
// Of Source::shown_as, which stands in a report for each access. A longer one is left out.
inline constexpr std::size_t kMostShownAs = 256;

// Source text that the program handed over, for a report that is made where the file is not.
struct Source {
  std::string file;              // as line tables name it; without a '/', in whatever folder
  std::uint32_t first_line = 1;  // of `text` in the file
  std::string text;
  std::string shown_as = {};  // what a report calls the file, "In[7]"; empty: as line tables do
  // Of generated source: stacks of the Python that it was made from, as Python prints them, with a
  // blank line between two.
  std::string stack = {};
  std::size_t size() const { return file.size() + text.size() + shown_as.size() + stack.size(); }
  friend auto operator<=>(const Source&, const Source&) = default;
};

// How the process ended, as its parent saw it: the launcher writes it once the process is gone.
enum class EndKind : std::uint8_t { kExit, kSignal, kExec };
struct ProcessEnd {
  std::uint64_t pid = 0;
  EndKind kind = EndKind::kExit;
  std::uint32_t number = 0;  // the exit code or the signal; kExec, when it became another: none
};

using Record = std::variant<Header, Device, Module, RangeSet, Window, Tally, Uncounted, Loss,
                            Unmatched, Cost, PcSampling, PcSamples, Source, End, ProcessEnd>;
// "window": the field `record` of its line.
std::string_view KindOf(const Record& record);

}  // namespace coalcheck::recording
