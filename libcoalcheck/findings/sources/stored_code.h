// SPDX-License-Identifier: Apache-2.0
//
// Machine code out of recorded cubins, whose content must be what their name says.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/findings/sources/code.h"

namespace coalcheck::findings {

// What all evaluations of a report may take together, those of moves again, and those of launches
// that were not counted: some tenths of a second each.
inline constexpr std::uint64_t kMostSteps = 8'000'000;
inline constexpr std::uint64_t kMostMoveSteps = 1'200'000;
inline constexpr std::uint64_t kMostUncountedSteps = 1'000'000;
// What making the formulas of all functions may take, in terms; some seconds. Of functions beyond
// it nothing is explained.
inline constexpr std::uint64_t kMostFormulaWork = 10'000'000;

// Keeps one cubin in memory, and the addresses of one function: ask for everything of one before
// the next.
class StoredCode : public Code {
 public:
  // The first store with an intact copy of a cubin is used.
  explicit StoredCode(std::vector<CubinStore*> stores) : stores_(std::move(stores)) {}

  FunctionLookup Find(CubinId cubin, std::string_view function) override;
  std::span<const cubin::Function> FunctionsOf(CubinId cubin) override;
  void Expect(std::uint64_t launches) override { steps_.to_evaluate = launches; }
  const Explanations* Explain(CubinId cubin, std::string_view function,
                              const FunctionAggregate& counted) override;
  std::string_view Bytes(CubinId cubin) override;

 private:
  void Load(CubinId id);
  void Use(const cubin::Cubin& cubin);
  void Refuse(UnattributedCause cause, std::string_view detail);

  std::vector<CubinStore*> stores_;
  std::optional<CubinId> loaded_;  // what `cubin_`, or the reason for its absence, is about
  const cubin::Cubin* cubin_ = nullptr;
  std::optional<cubin::Cubin> own_;  // unless a store has parsed it
  FunctionLookup refusal_;
  address::PtxModules modules_;  // of the cubin
  std::optional<Explanations> explanations_;
  StepsLeft steps_{kMostSteps, kMostMoveSteps, 0, kMostUncountedSteps};
  std::uint64_t formula_work_left_ = kMostFormulaWork;
};

// Only finds instructions: nothing is explained.
class UnexplainedCode : public StoredCode {
 public:
  using StoredCode::StoredCode;
  const Explanations* Explain(CubinId /*cubin*/, std::string_view /*function*/,
                              const FunctionAggregate& /*counted*/) override {
    return nullptr;
  }
};

}  // namespace coalcheck::findings
