// SPDX-License-Identifier: Apache-2.0
//
// Several accesses of a line that the compiler unrolled recur in its order, so copies of one are
// told apart by how many there are from one copy to the next.
#include "libcoalcheck/moves/copies.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <vector>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

// Accesses of one line, array, kind and width.
struct Stream {
  ArrayAccess array;
  std::uint32_t width = 0;
  std::uint32_t line = 0;
  friend auto operator<=>(const Stream&, const Stream&) = default;
};

using Instructions = std::vector<std::uint32_t>;  // in the order of the code

// Bytes from each to the one `apart` places behind it, where that is the same for all.
std::optional<std::int64_t> DistanceOf(const Subject& subject, const Instructions& all,
                                       std::size_t apart) {
  std::optional<std::int64_t> distance;
  for (std::size_t i = 0; i + apart < all.size(); ++i) {
    const address::Formula* a = subject.formulas.Of(all[i]);
    const address::Formula* b = subject.formulas.Of(all[i + apart]);
    if (a == nullptr || b == nullptr) return std::nullopt;
    const auto here = address::ConstantDistance(*a, *b);
    if (!here || (distance && *distance != static_cast<std::int64_t>(*here))) return std::nullopt;
    distance = static_cast<std::int64_t>(*here);
  }
  return distance;
}

// Whether the next round, or the next thread, goes on where `bytes` end, or data decide where each
// thread begins.
bool GoesOnBehind(const Subject& subject, std::uint32_t instruction, std::int64_t bytes) {
  const address::EvaluatedAccess* access = subject.evaluation.Find(instruction);
  if (access == nullptr) return false;
  if (access->by_data > 0 && !access->turns) return bytes != 0;
  if (access->has_turn_step && std::abs(access->turn_step) == std::abs(bytes)) return true;
  return !access->shapes.empty() && std::abs(access->shapes.front().shape.step) == std::abs(bytes);
}

// How many different accesses of the source they are, in each copy.
std::size_t AccessesIn(const Subject& subject, const Instructions& all) {
  for (std::size_t each = 1; each < all.size(); ++each) {
    if (all.size() % each != 0) continue;
    const auto distance = DistanceOf(subject, all, each);
    const auto copies = static_cast<std::int64_t>(all.size() / each);
    if (distance && GoesOnBehind(subject, all.front(), *distance * copies)) return each;
  }
  return all.size();
}

}  // namespace

std::map<std::uint32_t, Copy> CopiesOf(const Subject& subject) {
  const ptx::Function& function = subject.program.function();
  const ptx::ControlFlow& flow = subject.program.flow();
  std::map<Stream, std::map<std::uint32_t, Instructions>> streams;  // by loop
  for (const auto& [instruction, counted] : subject.counted) {
    const std::uint32_t width = ptx::WidthOf(function, function.instructions[instruction]);
    const auto line = subject.lines.find(instruction);
    const Stream stream{ArrayAccessOf(subject, instruction), width,
                        line == subject.lines.end() ? 0 : line->second};
    streams[stream][flow.blocks()[flow.BlockOf(instruction)].loop].push_back(instruction);
  }
  std::map<std::uint32_t, Copy> copies;
  for (const auto& [stream, loops] : streams) {
    const Instructions& first = loops.begin()->second;
    const std::size_t each = AccessesIn(subject, first);
    for (const auto& [loop, all] : loops) {
      const std::size_t its = &all == &first ? each : AccessesIn(subject, all);
      // What a loop leaves over is of the same accesses.
      const Instructions& leaders = its == each ? first : all;
      for (std::size_t i = 0; i < all.size(); ++i) {
        copies[all[i]] = {leaders[i % its], loop, static_cast<std::uint32_t>(i / its), stream.array,
                          stream.width};
      }
    }
  }
  return copies;
}

Leaders LeadersOf(const std::map<std::uint32_t, Copy>& copies) {
  Leaders leaders;
  for (const auto& [instruction, copy] : copies) leaders[instruction] = copy.leader;
  return leaders;
}

}  // namespace coalcheck::moves
