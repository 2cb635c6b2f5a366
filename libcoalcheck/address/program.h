// SPDX-License-Identifier: Apache-2.0
//
// A PTX function made ready for evaluation: the steps that its addresses depend on, block by block,
// with every operand in a numbered slot.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {

// Of LaneValues: registers first, then constants, special registers and addresses of variables.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ptx::kNone;

// Where the `.param` variables of calls begin in parameter memory, behind those of the function.
inline constexpr std::uint64_t kCallParameters = std::uint64_t{1} << 24U;

// What a step does beyond computing a result from its sources.
enum class StepKind : std::uint8_t {
  kCompute,
  kPack,         // mov.b64 %rd, {%r1, %r2}
  kUnpack,       // mov.b64 {%r1, %r2}, %rd
  kNotFollowed,  // brings what no rule gives, as a clock does
  kOfData,       // computes what data decide in any case; `instruction` is the load that does
  kLoad,
  kStore,   // to local memory; stores elsewhere change nothing that is known
  kAccess,  // to global memory
  kAtomic,  // the same, with a result
  kShuffle,
  kVote,
  kMatch,
  kActiveMask,
  kReduce,
  kElect,
  kCall,
  kBranch,
  kSwitch,  // brx.idx
  kEnd,     // ret, exit, trap
};

struct Step {
  StepKind kind = StepKind::kCompute;
  ptx::Opcode code;
  Computation compute;
  std::uint32_t instruction = 0;  // in the function; of an access its first copy
  Slot guard = kNoSlot;
  bool guard_negated = false;
  std::uint8_t results = 0;
  std::uint8_t sources = 0;
  std::uint8_t negated = 0;      // bit i: source i is a negated predicate
  std::array<Slot, 8> result{};  // kNoSlot: thrown away
  // Of an access: the address, and the bytes that an asynchronous copy reads, where it says so; of
  // a shuffle as PTX lists them.
  std::array<Slot, 8> source{};
  std::int64_t offset = 0;  // added to the address in the first source
  ptx::Space space = ptx::Space::kGeneric;
  std::uint32_t element_bytes = 0;  // of memory
  bool reads_unless = false;  // the second source is a predicate: where it holds nothing is read
  std::uint32_t target = ptx::kNone;  // of a branch: block
  std::uint8_t cost = 1;              // what it takes, in steps of most operations
  // Its result follows from the block's size alone, or from the grid's and where the block is in
  // it, in a way that examples do not tell: in another launch it may be any.
  bool follows_block = false;
  bool follows_grid = false;
};

class Program {
 public:
  // Both have to outlive it. `accesses`: those alone are evaluated; null: all. Results of
  // operations that are left out differ from each other each time.
  Program(const ptx::Function& function, const ptx::ControlFlow& flow,
          const std::set<std::uint32_t>* accesses = nullptr,
          ptx::LeavesOut leaves_out = ptx::LeavesOut::kNothing);

  const ptx::Function& function() const { return function_; }
  const ptx::ControlFlow& flow() const { return flow_; }
  std::span<const Step> StepsOf(std::uint32_t block) const {
    return std::span(steps_).subspan(blocks_[block].first_step, blocks_[block].steps);
  }
  // The block that follows where none of its steps branches; kNone: the end.
  std::uint32_t NextOf(std::uint32_t block) const { return blocks_[block].next; }
  std::size_t slots() const { return slots_; }
  // Whether a result may differ in its last digits from what the GPU's functions give.
  bool is_approximate() const { return is_approximate_; }
  // Whether a condition compares where a block is in the grid, or its size is taken.
  bool depends_on_grid() const { return depends_on_grid_; }
  std::size_t registers() const { return registers_; }  // slots before those that never change
  // Whether a block reads what another one left in the register.
  bool IsCarried(Slot slot) const { return is_carried_[slot]; }
  const std::vector<Slot>& carried() const { return carried_; }
  // Those that may be read before anything was written to them.
  const std::vector<Slot>& undefined() const { return undefined_; }

  struct Constant {
    Slot slot;
    std::uint64_t bits;
  };
  const std::vector<Constant>& constants() const { return constants_; }
  struct SpecialSlot {
    Slot slot;
    ptx::Special special;
  };
  const std::vector<SpecialSlot>& specials() const { return specials_; }
  // Where a variable lies: its address in shared or local memory, or a symbol of its own.
  struct Variable {
    Slot slot;
    std::uint32_t symbol;   // in the function
    std::uint64_t bits;     // of its address, in shared and local memory and of parameters
    bool is_known = false;  // whether they say where it lies
  };
  const std::vector<Variable>& variables() const { return variables_; }

 private:
  friend class ProgramBuilder;
  const ptx::Function& function_;
  const ptx::ControlFlow& flow_;
  std::vector<Step> steps_;
  struct BlockSteps {
    std::uint32_t first_step = 0;
    std::uint32_t steps = 0;
    std::uint32_t next = ptx::kNone;
  };
  std::vector<BlockSteps> blocks_;
  bool is_approximate_ = false;
  bool depends_on_grid_ = false;
  std::size_t slots_ = 0;
  std::size_t registers_ = 0;
  std::vector<bool> is_carried_;  // by register
  std::vector<Slot> carried_;
  std::vector<Slot> undefined_;
  std::vector<Constant> constants_;
  std::vector<SpecialSlot> specials_;
  std::vector<Variable> variables_;
};

}  // namespace coalcheck::address
