// SPDX-License-Identifier: Apache-2.0
//
// Looks for everything by which one thread knows of another.
#include "libcoalcheck/moves/cooperation.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace coalcheck::moves {
namespace {

bool IsAny(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [text](std::string_view begin) { return text.starts_with(begin); });
}

constexpr std::array<std::string_view, 6> kOfMatrices = {"wmma",    "mma",      "wgmma",
                                                         "tcgen05", "ldmatrix", "stmatrix"};
constexpr std::array<std::string_view, 3> kOfBarriers = {"bar.", "barrier", "mbarrier"};

std::string_view OfInstruction(const ptx::Instruction& one) {
  switch (one.code.op) {
    case ptx::Op::kShfl:
    case ptx::Op::kVote:
    case ptx::Op::kMatch:
    case ptx::Op::kActivemask:
    case ptx::Op::kRedux:
    case ptx::Op::kElect:
      return "the lanes of a warp exchange values";
    case ptx::Op::kCall:
      return "it calls a function";
    case ptx::Op::kBulkCopy:
      return "its blocks copy in bulk";
    case ptx::Op::kLd:
    case ptx::Op::kSt:
    case ptx::Op::kAtom:
    case ptx::Op::kRed:
    case ptx::Op::kCpAsync:
      return one.code.space == ptx::Space::kShared || one.code.op == ptx::Op::kCpAsync
                 ? "its threads share memory"
                 : "";
    default:
      break;
  }
  if (IsAny(one.text, kOfBarriers)) return "its threads meet at barriers";
  if (IsAny(one.text, kOfMatrices)) {
    return "the lanes of a warp multiply matrices together";
  }
  return "";
}

bool TellsLanes(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::kSpecial) return false;
  const auto special = static_cast<ptx::Special>(operand.id);
  return (special >= ptx::Special::kLaneid && special <= ptx::Special::kLanemaskGt) ||
         (special >= ptx::Special::kClusterCtaidX && special <= ptx::Special::kClusterNctarank);
}

}  // namespace

std::string WhatBindsThreads(const ptx::Function& function) {
  for (const ptx::Instruction& one : function.instructions) {
    if (const std::string_view what = OfInstruction(one); !what.empty()) return std::string(what);
    if (std::ranges::any_of(function.OperandsOf(one), TellsLanes)) {
      return "it asks which lane a thread is";
    }
  }
  return {};
}

bool MayRegroup(const ptx::Function& function) {
  return std::ranges::none_of(function.instructions, [&](const ptx::Instruction& one) {
    return one.code.op == ptx::Op::kCall || one.code.op == ptx::Op::kBulkCopy ||
           IsAny(one.text, kOfMatrices) ||
           std::ranges::any_of(function.OperandsOf(one), TellsLanes);
  });
}

}  // namespace coalcheck::moves
