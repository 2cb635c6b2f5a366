// SPDX-License-Identifier: Apache-2.0
//
// Follows a block's size, its place in the grid and the grid's size from step to step. What is
// linear in them is alike in launches of any size; whether a number is reached, and all else, is
// not.
#include "libcoalcheck/address/shape_steps.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace coalcheck::address {
namespace {

using ptx::Op;

// What a value follows from; 0: from constants, and from what has a symbol of its own anyway.
using Sources = std::uint8_t;
constexpr Sources kBlock = 1;   // its size
constexpr Sources kPlace = 2;   // of a block in the grid
constexpr Sources kScaled = 4;  // the same times a number; the size of the grid
constexpr Sources kElse = 8;    // the thread, arguments, memory

Sources SourcesOf(ptx::Special special) {
  using ptx::Special;
  switch (special) {
    case Special::kNtidX:
    case Special::kNtidY:
    case Special::kNtidZ:
      return kBlock;
    case Special::kCtaidX:
    case Special::kCtaidY:
    case Special::kCtaidZ:
      return kPlace;
    case Special::kNctaidX:
    case Special::kNctaidY:
    case Special::kNctaidZ:
      return kScaled;
    case Special::kNwarpid:
    case Special::kDynamicSharedSize:
    case Special::kWarpSize:
      return 0;
    default:
      return kElse;
  }
}

class ShapeMarks {
 public:
  explicit ShapeMarks(const Program& program)
      : sources_(program.slots(), 0), is_constant_(program.slots(), false) {
    for (const Program::SpecialSlot& one : program.specials()) {
      sources_[one.slot] = SourcesOf(one.special);
      reads_grid_ = reads_grid_ || sources_[one.slot] == kScaled;
    }
    for (const Program::Variable& one : program.variables()) sources_[one.slot] = kElse;
    for (const Program::Constant& one : program.constants()) is_constant_[one.slot] = true;
  }

  bool Mark(std::vector<Step>& steps) {
    // Values go round loops. Where that takes too long, any may follow from the shape.
    constexpr int kMostRounds = 8;
    int round = 0;
    while (round < kMostRounds && Follow(steps)) ++round;
    if (round == kMostRounds) std::ranges::fill(sources_, kBlock | kScaled);
    bool depends_on_grid = reads_grid_;
    for (Step& step : steps) {
      if (step.kind != StepKind::kCompute) continue;
      const Sources from = Of(step);
      if (from == 0 || (from & kElse) != 0 || IsLinear(step)) continue;
      const bool is_told_apart =
          (from & kPlace) != 0 && (from & kScaled) == 0 && TellsNumbersApart(step.code.op);
      depends_on_grid = depends_on_grid || is_told_apart;
      if (is_told_apart) continue;
      step.follows_block = (from & kBlock) != 0;
      step.follows_grid = (from & (kPlace | kScaled)) != 0;
    }
    return depends_on_grid;
  }

 private:
  Sources Of(const Step& step) const {
    Sources all = 0;
    for (std::size_t i = 0; i < step.sources; ++i) {
      if (step.source[i] != kNoSlot) all |= sources_[step.source[i]];
    }
    return all;
  }

  // Whether anything changed.
  bool Follow(const std::vector<Step>& steps) {
    bool changed = false;
    for (const Step& step : steps) {
      const bool computes = step.kind == StepKind::kCompute || step.kind == StepKind::kPack ||
                            step.kind == StepKind::kUnpack;
      Sources from = computes ? Of(step) : kElse;
      if ((from & kPlace) != 0 && Scales(step)) from |= kScaled;
      for (std::size_t i = 0; i < step.results; ++i) {
        if (step.result[i] == kNoSlot) continue;
        Sources& to = sources_[step.result[i]];
        changed = changed || (to | from) != to;
        to |= from;
      }
    }
    return changed;
  }

  bool Scales(const Step& step) const {
    const bool multiplies =
        step.code.op == Op::kMul || step.code.op == Op::kMad || step.code.op == Op::kShl;
    const std::span<const Slot> factors(step.source.data(), std::min<std::size_t>(step.sources, 2));
    return multiplies && std::ranges::any_of(factors, [&](Slot one) {
             return one != kNoSlot && is_constant_[one];
           });
  }

  bool IsLinear(const Step& step) const {
    const ptx::Opcode& code = step.code;
    if (code.type.IsFloat()) return code.op == Op::kMov;
    switch (code.op) {
      case Op::kMov:
      case Op::kAdd:
      case Op::kSub:
      case Op::kNeg:
      case Op::kCvta:
      case Op::kSelp:
        return true;
      case Op::kMul:
      case Op::kMad:
        return code.mode != ptx::Mode::kHi;
      case Op::kShl:
        return step.sources > 1 && step.source[1] != kNoSlot && is_constant_[step.source[1]];
      case Op::kCvt:
        return code.from.IsInteger() && !code.saturates;
      default:
        return false;
    }
  }

  std::vector<Sources> sources_;  // by slot
  std::vector<bool> is_constant_;
  bool reads_grid_ = false;
};

}  // namespace

bool TellsNumbersApart(Op op) {
  return op == Op::kSetp || op == Op::kSet || op == Op::kMin || op == Op::kMax || op == Op::kDiv ||
         op == Op::kRem || op == Op::kAnd || op == Op::kSlct || op == Op::kSad || op == Op::kShr;
}

bool MarkWhatFollowsShape(const Program& program, std::vector<Step>& steps) {
  return ShapeMarks(program).Mark(steps);
}

}  // namespace coalcheck::address
