// SPDX-License-Identifier: Apache-2.0
//
// What a report says of accesses that were predicted, not counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/counts.h"

namespace coalcheck::findings {

enum class PredictedWord : std::uint8_t {
  kWasteful,  // for every launch that is possible, or that was given
  kClean,     // for every one
  kUnknown,
};
// "wasteful", "clean", "unknown".
std::string_view ToString(PredictedWord word);

struct Predicted {
  PredictedWord word = PredictedWord::kUnknown;
  Counts most;  // where the access wastes most; its own counts are those where it wastes least
  bool lanes_by_data = false;  // what lanes load decides, which no launch would tell
  std::string why;             // of kUnknown: what decides; of the others empty
  std::string settle;          // of kUnknown: what would settle it; may be empty
  std::string assumed;         // the launches it holds for; empty: all
  bool is_by_comment = false;  // a comment in the source names them
};

// Of an access that was counted: launches that were not, as their own shapes and arguments predict
// them. In no count.
struct PredictedLaunches {
  Launches launches;
  Counts counts;
  double threads = 0;  // of these launches
  // By the rules that the counted launches are judged by; unknown of an access out of scope.
  PredictedWord word = PredictedWord::kUnknown;
};

// Of a report that is predicted: accesses in scope, by their word.
struct PredictionSummary {
  std::vector<std::string> assumptions;
  std::vector<std::string> skipped;  // images and kernels that were not looked at, and why
  std::uint64_t images = 0;
  std::uint64_t wasteful = 0;
  std::uint64_t clean = 0;
  std::uint64_t unknown = 0;
  std::uint64_t by_data = 0;      // of the unknown ones
  std::uint64_t without_ptx = 0;  // accesses of code without lines and PTX, in none of these
  std::uint64_t by_comment = 0;   // wasteful or clean for launches that comments in the source name
  double most_unknown_share = 1;  // that may be unknown for the report to be clean
  // Why some code could not be read, and why recordings of launches may lack some; empty: neither.
  std::string code_lacks;
  std::string launches_lack;

  std::uint64_t accesses() const { return wasteful + clean + unknown; }
  std::uint64_t judged() const { return wasteful + clean; }
};

}  // namespace coalcheck::findings
