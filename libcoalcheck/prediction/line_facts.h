// SPDX-License-Identifier: Apache-2.0
//
// What the instructions of a line say together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/predict_function.h"

namespace coalcheck::prediction {

// Shares of sectors that are wasted where nobody knows in how many rounds of a loop which block of
// a line is executed: each may be the one that is executed most.
class BlockShares {
 public:
  // One that is executed as often as `counts` says, or as nobody knows.
  void Add(const AccessPrediction& access, const Counts& counts);

  bool are_open() const { return are_open_ && blocks_.size() > 1; }
  // Of the blocks that are executed: 0 to 1.
  double least() const;
  double most() const;

 private:
  bool are_open_ = false;
  std::map<std::optional<std::uint32_t>, Counts> blocks_;
};

struct LineFact {
  bool by_data = false;  // lanes differ by what they load: nothing of the line is certain
  BlockShares shares;    // at least
};

class LineFacts {
 public:
  // Both have to outlive it.
  LineFacts(const cubin::Function& function, const FunctionPrediction& prediction);

  const LineFact& Of(const cubin::GlobalAccess& access) const { return lines_.at(LineOf(access)); }

 private:
  using Frame = std::tuple<std::string_view, std::string_view, std::uint32_t>;
  using Line = std::pair<cubin::AccessKind, std::vector<Frame>>;
  static Line LineOf(const cubin::GlobalAccess& access);

  std::map<Line, LineFact> lines_;
};

}  // namespace coalcheck::prediction
