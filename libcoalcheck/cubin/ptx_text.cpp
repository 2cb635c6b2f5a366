// SPDX-License-Identifier: Apache-2.0
//
// Splits PTX into lines and reads the parts of an opcode: operation, state space, vector, type.
#include "libcoalcheck/cubin/ptx_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace coalcheck::cubin {
namespace {

// An empty line is a byte. What stands behind so many lines is not known.
constexpr std::size_t kMostLines = 1U << 23U;

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// "ld.global.f32" of "@%p1 ld.global.f32 %f1, [%rd1];".
std::string_view OpcodeOf(std::string_view instruction) {
  instruction = Trim(instruction);
  // Inline assembly comes in a block of its own: "{ atom.add.noftz.f16x2 %r1,[%rd1],%r4; }".
  if (instruction.starts_with('{')) instruction = Trim(instruction.substr(1));
  if (instruction.starts_with('@')) {
    const std::size_t blank = instruction.find_first_of(kBlanks);
    if (blank == std::string_view::npos) return {};
    instruction = Trim(instruction.substr(blank));
  }
  return instruction.substr(0, instruction.find_first_of(" \t;"));
}

// The next dot-separated part of `opcode`, which is shortened by it.
std::string_view NextPart(std::string_view& opcode) {
  const std::size_t dot = opcode.find('.');
  const std::string_view part = opcode.substr(0, dot);
  opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
  return part;
}

// Bytes of a type such as `f32`, `b128`, `f16x2`; 0 when `part` is none.
std::uint64_t TypeBytes(std::string_view part) {
  while (!part.empty() && part[0] >= 'a' && part[0] <= 'z') part.remove_prefix(1);
  unsigned bits = 0;
  const char* end = part.data() + part.size();
  const auto [rest, error] = std::from_chars(part.data(), end, bits);
  const bool packed = std::string_view(rest, static_cast<std::size_t>(end - rest)) == "x2";
  if (error != std::errc() || (rest != end && !packed)) return 0;
  const bool known = bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  return known ? bits / 8 * (packed ? 2 : 1) : 0;
}

bool IsType(std::string_view part) {
  const bool letter = part.starts_with('b') || part.starts_with('u') || part.starts_with('s') ||
                      part.starts_with('f');
  return letter && TypeBytes(part) != 0;
}

std::optional<AccessKind> KindOf(std::string_view operation) {
  if (operation == "ld" || operation == "ldu") return AccessKind::kLoad;
  if (operation == "st") return AccessKind::kStore;
  if (operation == "atom") return AccessKind::kAtomic;
  if (operation == "red") return AccessKind::kReduction;
  return std::nullopt;
}

// `cp.async.ca.shared.global [dst], [src], 16;` names its size as an operand.
std::optional<PtxAccess> ReadAsyncCopy(std::string_view instruction) {
  if (instruction.find(".global") == std::string_view::npos ||
      OpcodeOf(instruction).starts_with("cp.async.bulk")) {
    return std::nullopt;
  }
  PtxAccess access{AccessKind::kAsyncCopy, Bytes(0), false};
  std::size_t comma = instruction.find("], ");
  if (comma != std::string_view::npos) comma = instruction.find("], ", comma + 1);
  if (comma == std::string_view::npos) return access;
  std::string_view size = Trim(instruction.substr(comma + 3));
  unsigned bytes = 0;
  std::from_chars(size.data(), size.data() + size.size(), bytes);
  access.width = Bytes(bytes == 4 || bytes == 8 || bytes == 16 ? bytes : 0);
  return access;
}

}  // namespace

PtxText::PtxText(std::string_view content) : content_(content) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  content_ = content_.substr(0, kMost);
  std::uint32_t block = 1;
  for (std::size_t at = 0; at < content_.size() && starts_.size() < kMostLines;) {
    starts_.push_back(static_cast<std::uint32_t>(at));
    const std::size_t end = content_.find('\0', at);
    if (end == at) ++block;
    blocks_.push_back(block);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
}

std::string_view PtxText::Line(std::uint32_t line) const {
  if (line == 0 || line > starts_.size()) return {};
  const std::size_t start = starts_[line - 1];
  const std::size_t end = line < starts_.size() ? starts_[line] : content_.size();
  std::string_view text = content_.substr(start, end - start);
  return Trim(text.substr(0, text.find('\0')));
}

std::uint32_t PtxText::Block(std::uint32_t line) const {
  return line == 0 || line > blocks_.size() ? 0 : blocks_[line - 1];
}

std::optional<PtxAccess> ReadPtxAccess(std::string_view instruction) {
  std::string_view opcode = OpcodeOf(instruction);
  if (opcode.starts_with("cp.async.")) return ReadAsyncCopy(instruction);
  const std::optional<AccessKind> kind = KindOf(NextPart(opcode));
  if (!kind) return std::nullopt;
  PtxAccess access{*kind, Bytes(0), true};
  std::uint64_t lanes = 1;
  while (!opcode.empty()) {
    const std::string_view part = NextPart(opcode);
    if (part.starts_with("shared") || part.starts_with("param") || part == "local" ||
        part == "const") {
      return std::nullopt;
    }
    if (part == "global") access.generic = false;
    if (part == "v2" || part == "v4" || part == "v8")
      lanes = static_cast<std::uint64_t>(part[1] - '0');
    // The last type is the one in memory; L2::64B and the like are none.
    if (IsType(part)) access.width = Bytes(TypeBytes(part));
  }
  access.width = Bytes(access.width.count() * lanes);
  return access;
}

std::optional<AccessKind> ReadSpecialAccess(std::string_view instruction) {
  std::string_view opcode = OpcodeOf(instruction);
  if (opcode.find(".shared") != std::string_view::npos) return std::nullopt;
  const std::string_view family = NextPart(opcode);
  if (family != "wmma" && family != "multimem") return std::nullopt;
  const std::string_view operation = NextPart(opcode);
  if (operation == "load" || operation == "ld_reduce") return AccessKind::kLoad;
  if (operation == "store" || operation == "st") return AccessKind::kStore;
  if (operation == "red") return AccessKind::kReduction;
  return std::nullopt;
}

std::optional<AccessKind> ReadBulkCopy(std::string_view instruction) {
  std::string_view opcode = OpcodeOf(instruction);
  constexpr std::string_view kSeveralGpus = "multimem.";
  if (opcode.starts_with(kSeveralGpus)) opcode.remove_prefix(kSeveralGpus.size());
  const bool reduces = opcode.starts_with("cp.reduce.async.bulk.");
  if (!reduces && !opcode.starts_with("cp.async.bulk.")) return std::nullopt;
  // The destination stands before the source.
  const std::size_t global = opcode.find(".global");
  const std::size_t shared = opcode.find(".shared");
  if (global == std::string_view::npos || shared == std::string_view::npos) return std::nullopt;
  if (shared < global) return AccessKind::kLoad;
  return reduces ? AccessKind::kReduction : AccessKind::kStore;
}

}  // namespace coalcheck::cubin
