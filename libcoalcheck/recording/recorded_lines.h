// SPDX-License-Identifier: Apache-2.0
//
// What became of the lines of a recording that could not be used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/recording/rank_set.h"

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
  kTooManySources,       // more source text than a recording may have
  kNotAsWritten,         // an `end` behind other lines than it was written behind
};
inline constexpr LineLoss kLastLineLoss = LineLoss::kNotAsWritten;
// "not JSON", in the words of a report.
std::string_view ToString(LineLoss loss);

struct LostLines {
  LineLoss why = LineLoss::kNotJson;
  std::uint64_t lines = 0;
  std::uint64_t first_line = 0;  // 1-based
  std::string first_detail;      // what exactly was wrong there; may be empty
  // Of a merged recording: the last line of a process that was killed, which hides nothing; and
  // whose lines they were.
  bool of_killed = false;
  RankSet ranks = {};
};

}  // namespace coalcheck::recording
