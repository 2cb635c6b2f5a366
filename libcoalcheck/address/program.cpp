// SPDX-License-Identifier: Apache-2.0
//
// Keeps the instructions of the address slice and numbers what they read and write.
#include "libcoalcheck/address/program.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <utility>

#include "libcoalcheck/address/shape_steps.h"
#include "libcoalcheck/ptx/deciders.h"

namespace coalcheck::address {

using ptx::Op;
using ptx::Operand;

namespace {

StepKind KindOf(const ptx::Function& function, const ptx::Instruction& one) {
  switch (one.code.op) {
    case Op::kLd:
      return ptx::IsGlobalAccess(one) ? StepKind::kAccess : StepKind::kLoad;
    case Op::kSt:
    case Op::kRed:
    case Op::kCpAsync:
      return ptx::IsGlobalAccess(one) ? StepKind::kAccess : StepKind::kStore;
    case Op::kAtom:
      return StepKind::kAtomic;
    case Op::kShfl:
      return StepKind::kShuffle;
    case Op::kVote:
      return StepKind::kVote;
    case Op::kMatch:
      return StepKind::kMatch;
    case Op::kActivemask:
      return StepKind::kActiveMask;
    case Op::kRedux:
      return StepKind::kReduce;
    case Op::kElect:
      return StepKind::kElect;
    case Op::kCall:
      return StepKind::kCall;
    case Op::kBra:
      return StepKind::kBranch;
    case Op::kBrx:
      return StepKind::kSwitch;
    case Op::kRet:
    case Op::kExit:
    case Op::kTrap:
      return StepKind::kEnd;
    default:
      break;
  }
  const auto operands = function.OperandsOf(one);
  if (one.code.op == Op::kMov && operands.size() == 2) {
    if (operands[1].kind == Operand::Kind::kVector) return StepKind::kPack;
    if (operands[0].kind == Operand::Kind::kVector) return StepKind::kUnpack;
  }
  return StepKind::kCompute;
}

// As measured on x86 CPUs, with kernels of one operation again and again.
std::uint8_t CostOf(const ptx::Opcode& code) {
  switch (code.op) {
    case Op::kDiv:
    case Op::kSqrt:
    case Op::kRcp:
      return code.type.IsFloat() ? 4 : 1;
    case Op::kMatch:
      return 64;
    case Op::kShfl:
      return 16;
    case Op::kRedux:
    case Op::kRsqrt:
    case Op::kEx2:
    case Op::kLg2:
    case Op::kSin:
    case Op::kCos:
    case Op::kTanh:
      return 8;
    default:
      return 1;
  }
}

}  // namespace

class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program& program) : program_(program), function_(program.function_) {}

  void Build(const std::set<std::uint32_t>* accesses, ptx::LeavesOut leaves_out) {
    const ptx::Slice slice = ptx::AddressSlice(function_, program_.flow_, accesses, leaves_out);
    const std::vector<bool>& relevant = slice.instructions;
    NumberRegisters(slice.registers);
    LayOutVariables();
    for (const ptx::Block& block : program_.flow_.blocks()) {
      const auto first = static_cast<std::uint32_t>(program_.steps_.size());
      for (std::uint32_t i = block.first; i < block.end; ++i) {
        const Op op = function_.instructions[i].code.op;
        if (!relevant[i] || op == Op::kNothing || op == Op::kBulkCopy) continue;
        AddStep(i);
        const auto load = slice.of_data.find(i);
        if (load == slice.of_data.end()) continue;
        program_.steps_.back().kind = StepKind::kOfData;
        program_.steps_.back().instruction = load->second;
      }
      const auto count = static_cast<std::uint32_t>(program_.steps_.size()) - first;
      // Where no branch is taken, or it does not matter which.
      std::uint32_t next = block.next.empty() ? ptx::kNone : block.next.back();
      if (ptx::IsDecided(block) && !relevant[block.end - 1]) next = block.post_dominator;
      program_.blocks_.push_back({first, count, next});
    }
    FindCarried();
  }

 private:
  void NumberRegisters(const std::vector<bool>& wanted) {
    register_slots_.assign(wanted.size(), kNoSlot);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i]) register_slots_[i] = NewSlot();
    }
    program_.registers_ = program_.slots_;
  }

  using Blocks = std::vector<std::uint32_t>;
  struct Uses {
    Blocks reads;   // blocks that read what was there before
    Blocks writes;  // blocks that write the register in all lanes
  };

  // What a guard lets through to some lanes only leaves the others as they were.
  void FindCarried() {
    program_.is_carried_.assign(program_.registers_, false);
    std::vector<std::uint32_t> written_in(program_.registers_, ptx::kNone);  // block
    std::vector<Uses> uses(program_.registers_);
    const auto note = [](Blocks& blocks, std::uint32_t block) {
      if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    };
    for (std::uint32_t block = 0; block < program_.blocks_.size(); ++block) {
      const auto read = [&](Slot slot) {
        if (slot < program_.registers_ && written_in[slot] != block) {
          program_.is_carried_[slot] = true;
          note(uses[slot].reads, block);
        }
      };
      for (const Step& step : program_.StepsOf(block)) {
        read(step.guard);
        for (std::size_t i = 0; i < step.sources; ++i) read(step.source[i]);
        for (std::size_t i = 0; i < step.results; ++i) {
          const Slot slot = step.result[i];
          if (slot >= program_.registers_) continue;
          if (step.guard != kNoSlot) continue;
          written_in[slot] = block;
          note(uses[slot].writes, block);
        }
      }
    }
    for (Slot slot = 0; slot < program_.registers_; ++slot) {
      if (!program_.is_carried_[slot]) continue;
      program_.carried_.push_back(slot);
      if (MayBeUndefined(uses[slot])) program_.undefined_.push_back(slot);
    }
  }

  // Whether a way leads from the beginning to a block that reads the register without one that
  // writes it. After so many blocks in all it is taken for granted.
  bool MayBeUndefined(const Uses& uses) {
    const std::vector<ptx::Block>& blocks = program_.flow_.blocks();
    seen_.resize(blocks.size(), kNoSlot);
    ++searches_;
    Blocks work = uses.reads;
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      if (block == 0 || blocks_left_ == 0) return true;
      for (const std::uint32_t from : blocks[block].previous) {
        if (std::exchange(seen_[from], searches_) == searches_) continue;
        --blocks_left_;
        if (!std::ranges::binary_search(uses.writes, from)) work.push_back(from);
      }
    }
    return false;
  }

  // Variables of one space lie one behind the other, far enough apart to be told from each other.
  void LayOutVariables() {
    std::uint64_t next[2] = {16, 16};
    for (const ptx::Symbol& symbol : function_.symbols) {
      const bool shared = symbol.space == ptx::Space::kShared;
      std::uint64_t& at = next[shared ? 0 : 1];
      addresses_.push_back(at);
      constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;
      at += (std::min(symbol.bytes, kMost) + 15) / 16 * 16;
    }
  }

  void AddStep(std::uint32_t i) {
    const ptx::Instruction& one = function_.instructions[i];
    Step step;
    step.kind = ReadsClock(one) ? StepKind::kNotFollowed : KindOf(function_, one);
    step.code = one.code;
    step.compute = ComputationOf(one.code);
    step.cost = CostOf(one.code);
    const bool is_approximate = one.code.approximate && step.compute.exists();
    program_.is_approximate_ = program_.is_approximate_ || is_approximate;
    // The copies of an inlined function's access are one access.
    const bool is_access = ptx::IsGlobalAccess(one);
    step.instruction = is_access ? first_copy_.try_emplace(one.text.data(), i).first->second : i;
    step.guard = one.guard == ptx::kNone ? kNoSlot : register_slots_[one.guard];
    step.guard_negated = one.guard_negated;
    step.space = one.code.space;
    step.element_bytes = one.code.type.bytes;
    AddOperands(one, step);
    // The least or greatest of three is not computed.
    const bool is_extreme = one.code.op == Op::kMin || one.code.op == Op::kMax;
    if (is_extreme && step.sources > 2) step.compute = {};
    if (step.kind == StepKind::kBranch) {
      const auto operands = function_.OperandsOf(one);
      if (!operands.empty() && operands[0].kind == Operand::Kind::kLabel &&
          operands[0].id < function_.instructions.size()) {
        step.target = program_.flow_.BlockOf(operands[0].id);
      }
    }
    program_.steps_.push_back(step);
    AddFurtherResults(one, step);
  }

  // A step holds a few results only. Parts of matrices, and what calls bring, may be many.
  void AddFurtherResults(const ptx::Instruction& one, Step step) {
    if (step.results < step.result.size()) return;
    if (step.kind != StepKind::kCall && step.kind != StepKind::kCompute) return;
    const std::span<const Slot> held = std::span(step.result).first(step.results);
    for (const std::uint32_t id : ptx::Writes(function_, one)) {
      const Slot slot = register_slots_[id];
      if (slot == kNoSlot || std::ranges::find(held, slot) != held.end()) continue;
      Step further = step;
      further.results = 1;
      further.result[0] = slot;
      program_.steps_.push_back(further);
    }
  }

  // Or another register whose value follows from nothing that is known of a launch.
  bool ReadsClock(const ptx::Instruction& one) const {
    const auto is_clock = [](const Operand& operand) {
      return operand.kind == Operand::Kind::kSpecial &&
             static_cast<ptx::Special>(operand.id) == ptx::Special::kOther;
    };
    return std::ranges::any_of(function_.OperandsOf(one), is_clock);
  }

  void AddOperands(const ptx::Instruction& one, Step& step) {
    const std::vector<std::uint32_t> writes = ptx::Writes(function_, one);
    const auto operands = function_.OperandsOf(one);
    std::size_t first_source = 0;
    // Results come first, and each operand is one of them as long as its registers are written.
    if (!writes.empty() || step.kind == StepKind::kLoad || step.kind == StepKind::kAtomic) {
      first_source = ResultOperands(one);
    }
    for (std::size_t i = 0; i < first_source && i < operands.size(); ++i) {
      if (!operands[i].is_memory) AddResults(operands[i], step);
    }
    const Operand* address = AddressOf(one);
    if (address != nullptr) {
      step.offset = address->value;
      Operand base = *address;
      base.value = base.kind == Operand::Kind::kImmediate ? base.value : 0;
      if (base.kind == Operand::Kind::kImmediate) step.offset = 0;
      AddSource(base, step);
    }
    if (const Operand* bytes = ptx::BytesRead(function_, one)) {
      step.reads_unless = ptx::IsPredicate(function_, *bytes);
      AddSource(*bytes, step);
    }
    const bool keeps_value = step.kind == StepKind::kStore || address == nullptr;
    if (!keeps_value) return;
    for (std::size_t i = first_source; i < operands.size(); ++i) {
      if (&operands[i] == address || operands[i].is_memory) continue;
      if (operands[i].kind == Operand::Kind::kVector) {
        for (const Operand& element : function_.ElementsOf(operands[i])) AddSource(element, step);
      } else {
        AddSource(operands[i], step);
      }
    }
  }

  std::size_t ResultOperands(const ptx::Instruction& one) const {
    return std::max<std::size_t>(ptx::Results(function_, one), 1);
  }

  const Operand* AddressOf(const ptx::Instruction& one) const {
    if (const Operand* global = ptx::GlobalAddress(function_, one)) return global;
    for (const Operand& operand : function_.OperandsOf(one)) {
      if (operand.is_memory) return &operand;
    }
    return nullptr;
  }

  void AddResults(const Operand& operand, Step& step) {
    const auto add = [&](const Operand& one) {
      if (step.results < step.result.size()) {
        step.result[step.results++] =
            one.kind == Operand::Kind::kRegister ? register_slots_[one.id] : kNoSlot;
      }
    };
    if (operand.kind != Operand::Kind::kVector) return add(operand);
    for (const Operand& element : function_.ElementsOf(operand)) add(element);
  }

  void AddSource(const Operand& operand, Step& step) {
    if (step.sources == step.source.size()) return;
    if (operand.is_negated) step.negated |= static_cast<std::uint8_t>(1U << step.sources);
    step.source[step.sources++] = SlotOf(operand);
  }

  Slot NewSlot() { return static_cast<Slot>(program_.slots_++); }

  Slot SlotOf(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::kRegister:
        return register_slots_[operand.id];
      case Operand::Kind::kImmediate:
        return ConstantSlot(static_cast<std::uint64_t>(operand.value));
      case Operand::Kind::kSpecial: {
        const auto [entry, is_new] = special_slots_.try_emplace(operand.id, 0);
        if (is_new) {
          entry->second = NewSlot();
          program_.specials_.push_back({entry->second, static_cast<ptx::Special>(operand.id)});
        }
        return entry->second;
      }
      case Operand::Kind::kSymbol:
        return VariableSlot(operand.id, static_cast<std::uint64_t>(operand.value));
      default:
        return kNoSlot;
    }
  }

  Slot ConstantSlot(std::uint64_t bits) {
    const auto [entry, is_new] = constant_slots_.try_emplace(bits, 0);
    if (is_new) {
      entry->second = NewSlot();
      program_.constants_.push_back({entry->second, bits});
    }
    return entry->second;
  }

  Slot VariableSlot(std::uint32_t id, std::uint64_t offset) {
    const auto [entry, is_new] = variable_slots_.try_emplace(std::pair(id, offset), 0);
    if (is_new) {
      entry->second = NewSlot();
      const ptx::Symbol& symbol = function_.symbols[id];
      Program::Variable variable{entry->second, id, offset, false};
      if (symbol.parameter != ptx::kNone) {
        variable.bits += function_.parameters[symbol.parameter].offset;
        variable.is_known = true;
      } else if (symbol.space != ptx::Space::kGlobal && symbol.space != ptx::Space::kConst) {
        variable.bits += addresses_[id];
        if (symbol.space == ptx::Space::kParam) variable.bits += kCallParameters;
        variable.is_known = true;
      }
      program_.variables_.push_back(variable);
    }
    return entry->second;
  }

  Program& program_;
  const ptx::Function& function_;
  std::vector<std::uint32_t> seen_;  // by block, the last search that came to it
  std::uint32_t searches_ = 0;
  std::uint32_t blocks_left_ = 1U << 22U;  // that searches may come to
  std::vector<Slot> register_slots_;
  std::vector<std::uint64_t> addresses_;  // of symbols in shared and local memory
  absl::flat_hash_map<std::uint64_t, Slot> constant_slots_;
  absl::flat_hash_map<std::uint32_t, Slot> special_slots_;
  absl::flat_hash_map<const char*, std::uint32_t> first_copy_;  // of an access, by its text
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, Slot> variable_slots_;
};

Program::Program(const ptx::Function& function, const ptx::ControlFlow& flow,
                 const std::set<std::uint32_t>* accesses, ptx::LeavesOut leaves_out)
    : function_(function), flow_(flow) {
  ProgramBuilder(*this).Build(accesses, leaves_out);
  depends_on_grid_ = MarkWhatFollowsShape(*this, steps_);
}

}  // namespace coalcheck::address
