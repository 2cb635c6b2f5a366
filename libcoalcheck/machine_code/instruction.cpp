// SPDX-License-Identifier: Apache-2.0
//
// Branches, calls, fences and scopes, sm_75 to sm_120. Read off compiled code and compared with
// nvdisasm: scripts/make-sass-listing.
#include "libcoalcheck/machine_code/instruction.h"

#include <cstring>
#include <optional>

#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::uint32_t kAlways = 7;        // PT
constexpr std::uint32_t kNoRegister = 255;  // RZ

enum Opcode : std::uint32_t {
  kBar = 0x11d,
  kBreak = 0x142,
  kCallAbsolute = 0x143,
  kCallRelative = 0x144,
  kBssy = 0x145,
  kBraUniform = 0x147,  // form 2; the other forms are BRA
  kWarpsync = 0x148,
  kBrx = 0x149,
  kJmp = 0x14a,
  kJmx = 0x14c,
  kExit = 0x14d,
  kRet = 0x150,
  kRpcmov = 0x152,
  kBmovTo = 0x156,
  kBrxUniform = 0x158,
  kJmxUniform = 0x159,
  kKill = 0x15b,
  kNanosleep = 0x15d,
  kBsync = 0x141,
  kCctl = 0x18f,
  kMembar = 0x192,
  kErrbar = 0x1ab,
};

// A branch target is relative to the next instruction: up to sm_89 in bytes, later in words of four
// bytes, whose low eight bits are in a field of their own.
std::int64_t BranchTarget(const Word& word, std::int64_t pc, std::uint32_t sm) {
  const std::uint64_t upper = (word.low >> 34U) | (word.high & 0x3ffffU) << 30U;  // 48 bits
  const auto extended = static_cast<std::int64_t>(upper << 16U) >> 16U;
  const std::int64_t words =
      cubin::ArchitectureOf(sm).branches_by_words ? extended * 256 + word.Bits(16, 8) : extended;
  return pc + 16 + words * 4;
}

// BSSY keeps the older encoding, in 30 bits.
std::int64_t SyncTarget(const Word& word, std::int64_t pc) {
  const auto bytes = static_cast<std::int32_t>(word.low >> 32U) & ~3;
  return pc + 16 + bytes;
}

bool IsGuarded(const Word& word) { return word.Bits(12, 4) != kAlways; }

// BRA may have a second condition, a predicate or a uniform one; .DIV and .CONV ask how the warp
// stands.
bool IsConditionalBranch(const Word& word) {
  const bool second = word.Bits(87, 4) != kAlways;
  return IsGuarded(word) || second || word.form() == 2 || word.Bits(32, 2) >= 2;
}

Instruction DecodeFlow(const Word& word, std::int64_t pc, std::uint32_t sm) {
  Instruction result;
  result.conditional = IsGuarded(word);
  switch (word.opcode()) {
    case kBraUniform:
      result.flow = Flow::kJump;
      result.conditional = IsConditionalBranch(word);
      result.target = BranchTarget(word, pc, sm);
      break;
    case kBrx:
      result.flow = Flow::kJumpTable;
      break;
    case kBrxUniform:
      result.flow = Flow::kJumpTable;
      break;
    case kBssy:
      result.flow = Flow::kSetSync;
      result.barrier = static_cast<std::uint8_t>(word.Bits(16, 4));
      result.target = SyncTarget(word, pc);
      break;
    case kBsync:
      result.flow = Flow::kSync;
      result.barrier = static_cast<std::uint8_t>(word.Bits(16, 4));
      break;
    case kBmovTo:
      result.flow = Flow::kLoseSync;
      result.barrier = static_cast<std::uint8_t>(word.Bits(24, 4));
      break;
    case kWarpsync:
      // Only the collective form names an address to go on at.
      if (word.form() == 1 && word.Bits(24, 8) != 0) {
        result.flow = Flow::kCollective;
        result.target = BranchTarget(word, pc, sm);
      }
      break;
    case kCallRelative:
      result.flow = word.form() == 1 ? Flow::kCallRegister : Flow::kCall;
      result.target = BranchTarget(word, pc, sm);
      break;
    case kCallAbsolute:
      result.flow = word.form() == 1 ? Flow::kCallRegister : Flow::kCallSymbol;
      break;
    case kRet:
      result.flow = Flow::kReturn;
      break;
    case kExit:
    case kKill:
      result.flow = Flow::kExit;
      break;
    case kJmp:
    case kJmx:
    case kJmxUniform:
      result.flow = Flow::kUnknown;
      break;
    default:
      break;
  }
  return result;
}

// Ordering and scope of a load, bits 77 to 80. Loads through the constant path (.nc) are promised
// never to see another thread's write; loads of block scope do not wait for other blocks.
Effect LoadEffect(const Word& word, std::uint32_t sm) {
  const std::uint32_t scope = word.Bits(77, 4);
  const auto is_in = [scope](std::uint32_t set) { return ((set >> scope) & 1U) != 0; };
  const cubin::Architecture& architecture = cubin::ArchitectureOf(sm);
  if (is_in(architecture.strong_loads)) return Effect::kStrongLoad;
  return is_in(architecture.constant_loads) ? Effect::kNone : Effect::kWeakLoad;
}

Effect DecodeEffect(const Word& word, std::uint32_t sm) {
  const std::optional<cubin::SassAccess> access = cubin::DecodeSass(word.low, word.high, sm);
  if (access && access->kind == cubin::AccessKind::kLoad) return LoadEffect(word, sm);
  if (access && access->kind == cubin::AccessKind::kAtomic) {
    const bool returns = word.Bits(16, 8) != kNoRegister || word.Bits(81, 3) != kAlways;
    return returns ? Effect::kReturningAtomic : Effect::kNone;
  }
  switch (word.opcode()) {
    case kMembar:
    case kErrbar:
    case kCctl:
      return Effect::kFence;
    case kNanosleep:
      return Effect::kNanosleep;
    case kBar:
      return Effect::kBarrier;
    default:
      return Effect::kNone;
  }
}

}  // namespace

std::vector<Word> ReadWords(std::string_view code) {
  static_assert(sizeof(Word) == cubin::kSassWordSize);
  std::vector<Word> words(code.size() / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), code.data(), words.size() * sizeof(Word));
  return words;
}

Instruction DecodeInstruction(const Word& word, std::int64_t pc, std::uint32_t sm) {
  Instruction result = DecodeFlow(word, pc, sm);
  if (result.flow == Flow::kNext) result.effect = DecodeEffect(word, sm);
  return result;
}

}  // namespace coalcheck::machine_code
