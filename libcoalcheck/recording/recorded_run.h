// SPDX-License-Identifier: Apache-2.0
//
// One recording as it was read: what its intact lines say, and what became of the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// Why a line of records.jsonl was not used.
enum class LineLoss {
  kCutShort,             // the file ends in the middle of it
  kNotJson,              // no JSON object
  kTooLong,              // longer than kMaxLineBytes
  kTooDeep,              // nested deeper than any record is
  kUnknownRecord,        // a kind of record that this version does not know
  kBadField,             // a field is missing, of the wrong type or out of range
  kDuplicateWindow,      // a window of that number was read before
  kDuplicatePcSampling,  // a PC sampling of that number was read before
  kSecondHeader,         // the recording has a header already
  kNotAsWritten,         // an `end` behind other lines than it was written behind
};
// "not JSON", in the words of a report.
std::string_view ToString(LineLoss loss);

struct LostLines {
  LineLoss why = LineLoss::kNotJson;
  std::uint64_t lines = 0;
  std::uint64_t first_line = 0;  // 1-based
  std::string first_detail;      // what exactly was wrong there; may be empty
};

struct RecordedRun {
  Header header;
  std::vector<Device> devices;
  std::vector<Module> modules;
  std::vector<RangeSet> range_sets;
  std::vector<Window> windows;  // each number once, in the order of the file
  std::vector<Tally> tallies;   // the last word on each launch shape
  std::vector<Loss> losses;     // the last word on each cause and detail
  std::vector<Unmatched> unmatched;
  std::optional<Cost> cost;
  std::vector<PcSampling> pc_samplings;  // each number once
  std::vector<PcSamples> pc_samples;
  std::optional<End> end;                 // empty: the process was killed, or still runs
  std::optional<ProcessEnd> process_end;  // of the header's process; empty: nobody saw it end
  std::optional<Progress> progress;       // not a record: from the file beside them
  std::vector<LostLines> lost_lines;      // by cause
};

}  // namespace coalcheck::recording
