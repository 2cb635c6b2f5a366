// SPDX-License-Identifier: Apache-2.0
//
// What the PTX says of an access, compared with its counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/patterns/evidence.h"

namespace coalcheck::findings {

// How the evaluated addresses stand to the counts.
enum class Standing : std::uint8_t {
  kConfirmed,      // they give the counted sectors
  kDecidedByData,  // values that only the run knew decide them, and nothing contradicts them
  kNotEvaluated,   // for the reason in Explanation::why
  kContradicted,   // they do not give the counted sectors, and are not shown
};
// "confirmed", "decided_by_data", "not_evaluated", "contradicted".
std::string_view ToString(Standing standing);

struct Explanation {
  Standing standing = Standing::kNotEvaluated;
  std::string why;           // of kNotEvaluated and kContradicted: a clause
  bool totals_held = false;  // of kConfirmed: requests and sectors of the launch are equal
  bool all_blocks = false;   // every block was evaluated
  std::vector<std::uint32_t> data_lines;  // of the PTX: what loads the values that decide
  patterns::AddressFact fact;
};

}  // namespace coalcheck::findings
