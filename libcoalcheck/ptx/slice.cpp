// SPDX-License-Identifier: Apache-2.0
//
// A backward closure over definitions, without regard to the order of instructions: what is
// relevant somewhere is relevant everywhere. Of branches those count that decide whether something
// relevant is executed.
#include "libcoalcheck/ptx/slice.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "libcoalcheck/ptx/deciders.h"
#include "libcoalcheck/ptx/loaded_floats.h"

namespace coalcheck::ptx {
namespace {

bool HasResult(Op op) {
  switch (op) {
    case Op::kSt:
    case Op::kRed:
    case Op::kCpAsync:
    case Op::kBulkCopy:
    case Op::kBra:
    case Op::kBrx:
    case Op::kRet:
    case Op::kExit:
    case Op::kTrap:
    case Op::kNothing:
      return false;
    default:
      return true;
  }
}

void AddRegisters(const Function& function, const Operand& operand,
                  std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::kRegister) registers.push_back(operand.id);
  if (operand.kind != Operand::Kind::kVector) return;
  for (const Operand& element : function.ElementsOf(operand)) {
    if (element.kind == Operand::Kind::kRegister) registers.push_back(element.id);
  }
}

bool IsRoot(const Instruction& one) { return IsGlobalAccess(one) || one.code.op == Op::kCall; }

// An instruction whose stores to thread-private memory an address may come back from.
bool KeepsForLater(const Instruction& one) {
  return one.code.op == Op::kSt &&
         (one.code.space == Space::kLocal || one.code.space == Space::kParam);
}

// Where a store keeps what a load brings back: the variable of a call's parameter, or kNone for all
// else that is thread-private, as pointers may lead to it.
std::uint32_t Keeper(const Function& function, const Instruction& one) {
  if (one.code.space != Space::kParam) return kNone;
  for (const Operand& operand : function.OperandsOf(one)) {
    if (operand.is_memory && operand.kind == Operand::Kind::kSymbol) return operand.id;
  }
  return kNone;
}

}  // namespace

// setp, shfl, lop3 and others may have a second result behind a bar, an operand of its own here.
std::size_t Results(const Function& function, const Instruction& one) {
  if (!HasResult(one.code.op)) return 0;
  if (one.code.op == Op::kUnread) return one.operand_count;
  // The least or greatest of what was loaded stands behind it.
  const bool reduces = one.text.starts_with("tcgen05.ld.red");
  return function.HasTwoResults(one) || reduces ? 2 : 1;
}

std::vector<std::uint32_t> Writes(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  const auto operands = function.OperandsOf(instruction);
  const std::size_t results = std::min(Results(function, instruction), operands.size());
  for (std::size_t i = 0; i < results; ++i) {
    if (!operands[i].is_memory) AddRegisters(function, operands[i], registers);
  }
  return registers;
}

std::vector<std::uint32_t> Reads(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  if (instruction.guard != kNone) registers.push_back(instruction.guard);
  const auto operands = function.OperandsOf(instruction);
  const std::size_t results = std::min(Results(function, instruction), operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i >= results || operands[i].is_memory) AddRegisters(function, operands[i], registers);
  }
  return registers;
}

bool MayAccessGlobal(const Function& function, const Instruction& one) {
  if (IsGlobalAccess(one)) return true;
  const bool is_known = one.code.op != Op::kUnread && one.code.op != Op::kOfLane;
  if (is_known || one.text.find(".shared") != std::string_view::npos) return false;
  return std::ranges::any_of(function.OperandsOf(one), &Operand::is_memory);
}

bool IsGlobalAccess(const Instruction& one) {
  const bool is_memory = one.code.op == Op::kLd || one.code.op == Op::kSt ||
                         one.code.op == Op::kAtom || one.code.op == Op::kRed ||
                         one.code.op == Op::kCpAsync;
  return is_memory && (one.code.space == Space::kGlobal || one.code.space == Space::kGeneric);
}

const Operand* GlobalAddress(const Function& function, const Instruction& one) {
  if (!IsGlobalAccess(one)) return nullptr;
  // cp.async names shared memory first.
  const bool is_second = one.code.op == Op::kCpAsync;
  const Operand* found = nullptr;
  for (const Operand& operand : function.OperandsOf(one)) {
    if (!operand.is_memory) continue;
    found = &operand;
    if (!is_second) break;
  }
  return found;
}

namespace {

// A register whose name is `prefix` and a number.
bool IsNamed(const Function& function, const Operand& operand, std::string_view prefix) {
  if (operand.kind != Operand::Kind::kRegister) return false;
  std::string_view name = function.registers[operand.id];
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
  name.remove_prefix(prefix.size());
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

const Operand* BytesRead(const Function& function, const Instruction& copy) {
  if (copy.code.op != Op::kCpAsync) return nullptr;
  const auto operands = function.OperandsOf(copy);  // to, from, size, bytes read, cache policy
  const std::size_t last = copy.text.find("cache_hint") == std::string_view::npos ? 0 : 1;
  if (operands.size() <= 3 + last) return nullptr;
  const Operand& bytes = operands[3];
  const bool is_clear = bytes.kind == Operand::Kind::kImmediate || IsNamed(function, bytes, "%r") ||
                        IsPredicate(function, bytes);
  return is_clear ? &bytes : nullptr;
}

bool IsPredicate(const Function& function, const Operand& operand) {
  return IsNamed(function, operand, "%p");
}

std::uint32_t WidthOf(const Function& function, const Instruction& access) {
  if (access.kept_bytes != 0) return access.kept_bytes;
  if (access.code.op != Op::kCpAsync) {
    return std::uint32_t{access.code.type.bytes} * access.code.vector;
  }
  const auto operands = function.OperandsOf(access);
  const bool says = operands.size() > 2 && operands[2].kind == Operand::Kind::kImmediate;
  const std::int64_t bytes = says ? operands[2].value : 0;
  return bytes == 4 || bytes == 8 || bytes == 16 ? static_cast<std::uint32_t>(bytes) : 0;
}

namespace {

class SliceSearch {
 public:
  SliceSearch(const Function& function, const ControlFlow& flow,
              const std::set<std::uint32_t>* accesses, LeavesOut leaves_out)
      : function_(function),
        accesses_(accesses),
        flow_(flow),
        deciders_(DecidersOf(flow, std::size_t{1} << 22U)),
        writers_(function.registers.size()),
        has_relevant_(flow.blocks().size()) {
    if (leaves_out != LeavesOut::kNothing) loaded_ = LoadedValues(function);
    if (leaves_out == LeavesOut::kConditions) deciding_ = LoadedValues(function, IsOperation);
    slice_.instructions.resize(function.instructions.size());
    slice_.registers.resize(function.registers.size());
  }

  Slice Find() {
    const auto count = static_cast<std::uint32_t>(function_.instructions.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const Instruction& one = function_.instructions[i];
      for (const std::uint32_t id : Writes(function_, one)) writers_[id].push_back(i);
      if (KeepsForLater(one)) keepers_[Keeper(function_, one)].push_back(i);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const Instruction& one = function_.instructions[i];
      const bool is_left_out =
          accesses_ != nullptr && IsGlobalAccess(one) && !accesses_->contains(i);
      if (IsRoot(one) && !is_left_out) Mark(i);
      // What is taken whatever happens depends on nothing.
      if (!EndsBlock(one)) continue;
      if (!deciders_) Mark(i);
      if (!IsDecided(flow_.blocks()[flow_.BlockOf(i)])) slice_.instructions[i] = true;
    }
    FollowAll();
    // What decides addresses is computed, whatever else it decides.
    follows_conditions_ = true;
    for (const std::uint32_t guard : guards_) Want(guard);
    FollowAll();
    return std::move(slice_);
  }

 private:
  void FollowAll() {
    while (!work_.empty()) {
      const std::uint32_t i = work_.back();
      work_.pop_back();
      Follow(i);
    }
  }

  // And the branches that decide on its block, and on theirs.
  void Mark(std::uint32_t i) {
    marked_.push_back(i);
    while (!marked_.empty()) {
      const std::uint32_t one = marked_.back();
      marked_.pop_back();
      if (slice_.instructions[one]) continue;
      slice_.instructions[one] = true;
      work_.push_back(one);
      const std::uint32_t block = flow_.BlockOf(one);
      if (!deciders_ || has_relevant_[block]) continue;
      has_relevant_[block] = true;
      for (const Decider& decider : (*deciders_)[block]) {
        marked_.push_back(flow_.blocks()[decider.block].end - 1);
      }
    }
  }

  void Want(std::uint32_t id) {
    if (slice_.registers[id]) return;
    slice_.registers[id] = true;
    for (const std::uint32_t i : writers_[id]) {
      Mark(i);
      FollowKept(function_.instructions[i]);
    }
  }

  void Follow(std::uint32_t i) {
    const Instruction& one = function_.instructions[i];
    if (one.guard != kNone) FollowCondition(one.guard);
    const Operand* bytes = BytesRead(function_, one);
    if (bytes != nullptr && bytes->kind == Operand::Kind::kRegister) FollowCondition(bytes->id);
    if (const Operand* address = GlobalAddress(function_, one)) {
      if (address->kind == Operand::Kind::kRegister) Want(address->id);
      return;
    }
    if (LeaveOut(i)) return;
    for (const std::uint32_t id : Reads(function_, one)) {
      if (id != one.guard) Want(id);
    }
  }

  // Which lanes take part depends on it.
  void FollowCondition(std::uint32_t id) {
    if (follows_conditions_) return Want(id);
    guards_.push_back(id);
  }

  bool LeaveOut(std::uint32_t i) {
    const Instruction& one = function_.instructions[i];
    const bool is_condition = follows_conditions_ && !deciding_.empty() && IsOperation(one);
    if (loaded_.empty() || one.guard != kNone || !(is_condition || IsFloatOperation(one))) {
      return false;
    }
    std::uint32_t load = kNone;
    for (const std::uint32_t id : Writes(function_, one)) {
      const std::uint32_t its_load = (is_condition ? deciding_ : loaded_)[id];
      if (its_load == kNone) return false;
      load = its_load;
    }
    if (load != kNone) slice_.of_data.emplace(i, load);
    return load != kNone;
  }

  // To the stores whose values a load may bring back.
  void FollowKept(const Instruction& one) {
    const bool reads_kept = one.code.op == Op::kLd &&
                            (one.code.space == Space::kLocal || one.code.space == Space::kParam ||
                             one.code.space == Space::kGeneric);
    const auto kept = reads_kept ? keepers_.find(Keeper(function_, one)) : keepers_.end();
    if (kept == keepers_.end()) return;
    const std::vector<std::uint32_t> stores = std::move(kept->second);
    keepers_.erase(kept);
    for (const std::uint32_t store : stores) Mark(store);
  }

  const Function& function_;
  const std::set<std::uint32_t>* accesses_;
  const ControlFlow& flow_;
  std::optional<std::vector<std::vector<Decider>>> deciders_;  // by block
  std::vector<std::vector<std::uint32_t>> writers_;            // by register
  absl::flat_hash_map<std::uint32_t, std::vector<std::uint32_t>> keepers_;
  std::vector<bool> has_relevant_;  // by block
  std::vector<std::uint32_t> work_;
  std::vector<std::uint32_t> marked_;    // that are to be
  std::vector<std::uint32_t> guards_;    // registers
  bool follows_conditions_ = false;      // what decides addresses was followed
  std::vector<std::uint32_t> loaded_;    // by register; empty where all floats are computed
  std::vector<std::uint32_t> deciding_;  // by register; empty where all conditions are computed
  Slice slice_;
};

}  // namespace

Slice AddressSlice(const Function& function, const ControlFlow& flow,
                   const std::set<std::uint32_t>* accesses, LeavesOut leaves_out) {
  return SliceSearch(function, flow, accesses, leaves_out).Find();
}

}  // namespace coalcheck::ptx
