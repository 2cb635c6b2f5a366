// SPDX-License-Identifier: Apache-2.0
//
// What names stand for in the blocks of braces of a function: the innermost declaration counts, and
// a block's own are forgotten behind it.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

class Scopes {
 public:
  // `registers` gets a name for each register as it is asked for; it must outlive this.
  explicit Scopes(std::vector<std::string_view>& registers) : registers_(registers) {}

  // Compilers nest three or four.
  static constexpr std::size_t kDeepest = 64;
  // False where blocks are nested deeper than is followed.
  bool Enter();
  void Leave();
  // The block that is read; those around it are found from it.
  std::uint32_t current() const { return open_.empty() ? 0 : open_.back().number; }

  // Of the module, before the function's own.
  void DeclareGlobal(std::string_view name, std::uint32_t id);
  void DeclareSymbol(std::string_view name, std::uint32_t id);
  void DeclareRegister(std::string_view name);
  // `%r<4>`: %r0 to %r3.
  void DeclareRegisters(std::string_view prefix, std::uint64_t count);

  struct Found {
    bool is_symbol = false;
    std::uint32_t id = kNone;  // of the register or symbol
  };
  // Empty where nothing declares it.
  std::optional<Found> Find(std::string_view name);
  // The register of that name, which need not have been declared.
  std::uint32_t Register(std::string_view name);

  // False where the block has another of that name.
  bool DefineLabel(std::string_view name, std::uint32_t instruction);
  // As it is seen from that block, once the whole function was read.
  std::optional<std::uint32_t> LabelFrom(std::uint32_t block, std::string_view name) const;
  // Jump tables: lists of labels, by number.
  bool DefineTargets(std::string_view name, std::uint32_t list);
  std::optional<std::uint32_t> TargetsFrom(std::uint32_t block, std::string_view name) const;

 private:
  struct Declared {
    bool is_there = false;
    bool is_symbol = false;
    std::uint32_t id = kNone;  // of a register: none until it is asked for
    std::uint64_t count = 0;   // of a row of registers
    std::size_t depth = 0;     // 0: the module, 1: the function, then its blocks
  };
  using Names = absl::flat_hash_map<std::string_view, Declared>;
  using InBlock = absl::flat_hash_map<std::pair<std::uint32_t, std::string_view>, std::uint32_t>;
  struct Open {
    std::uint32_t number = 0;
    std::size_t hidden = 0;  // how many names were hidden when it began
  };
  struct Hidden {
    Names* of = nullptr;
    std::string_view name;
    Declared before;
  };

  std::size_t depth() const { return 1 + open_.size(); }
  void Declare(Names& names, std::string_view name, Declared what);
  const Declared* RowOf(std::string_view name, std::uint64_t& number);
  std::uint32_t NewRegister(std::string_view name);
  Declared OfFunction(std::string_view name);
  std::optional<std::uint32_t> FromBlock(const InBlock& all, std::uint32_t block,
                                         std::string_view name) const;

  std::vector<std::string_view>& registers_;
  Names names_;
  Names rows_;  // by prefix
  std::uint32_t rows_declared_ = 0;
  std::size_t rows_in_blocks_ = 0;  // that are open
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> of_rows_;
  std::vector<Open> open_;
  std::vector<Hidden> hidden_;
  std::vector<std::uint32_t> around_{kNone};  // of each block that there was
  InBlock labels_, targets_;
};

}  // namespace coalcheck::ptx
