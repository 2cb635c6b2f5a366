// SPDX-License-Identifier: Apache-2.0
//
// What could be changed in a kernel, tried on one of its launches, as a report holds it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/moves/move.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

// What a move does to one access of the report, summed over the launch that it was tried on.
struct AccessChange {
  std::size_t access = 0;  // in Report::accesses
  address::Sums before;
  address::Sums after;
  bool at_most =
      false;       // data decide some of it, and `after` is the most that they can bring about
  Bytes vector{};  // that one access takes then of what lies side by side; 0: as before

  // Sectors a request, to a millionth: sums over chosen blocks are not exact to the last bit.
  double Before() const { return Rounded(before); }
  double After() const { return Rounded(after); }
  // Accesses that come as one then.
  double Merged() const { return vector > Bytes(0) ? before.requests / after.requests : 1; }
  // By more than what choosing blocks may bring about.
  bool IsLower() const { return after.sectors < before.sectors * (1 - kNoticed); }
  bool IsHigher() const { return after.sectors > before.sectors * (1 + kNoticed); }

 private:
  static double Rounded(const address::Sums& sums) {
    return sums.requests > 0 ? std::round(sums.sectors / sums.requests * 1e6) / 1e6 : 0;
  }
  static constexpr double kNoticed = 1e-2;
};

struct KernelMove {
  moves::Move move;  // without its changes
  bool helps = false;
  std::string array;     // the pointers that it is about, in words: "parameter 2"; may be empty
  std::string elements;  // that the first points to, as a plural: "floats"
  std::vector<AccessChange> accesses;  // all that were evaluated
  // Mangled; that access arrays whose data lie elsewhere then, and would have to follow.
  std::vector<std::string> other_kernels{};

  const AccessChange* Find(std::size_t access) const;
};

struct KernelMoves {
  std::string kernel;  // mangled
  CubinId cubin;
  recording::Dim3 grid;  // of the launch that was evaluated
  recording::Dim3 block;
  std::string why_not;            // a clause: why not every move was tried
  std::vector<KernelMove> moves;  // those that help first, most first
};

// The move that is advised for each access, by its number: the first that helps its kernel and
// lowers its own sectors; none for an access that no move does this for. They point into `all`.
std::map<std::size_t, const KernelMove*> AdvisedMoves(const std::vector<KernelMoves>& all);

// What is advised for each access, by its number: the first move that helps its kernel and lowers
// its own sectors; else what the first one that helps its kernel does to it. They point into `all`.
std::map<std::size_t, const AccessChange*> AdvisedChanges(const std::vector<KernelMoves>& all);

}  // namespace coalcheck::findings
