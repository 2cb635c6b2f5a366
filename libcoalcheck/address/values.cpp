// SPDX-License-Identifier: Apache-2.0
//
// Finds what wrote a place last, through predicates and blocks.
#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

using machine_code::Block;
using machine_code::Word;

constexpr std::uint32_t kMostDepth = 250;
constexpr std::uint64_t kFewSteps = 20'000;
constexpr std::uint64_t kStepsPerInstruction = 400;
// Marks what WriterOf says of a place that its block does not write.
constexpr std::uint64_t kBlockEntry = std::uint64_t{1} << 40U;

bool IsGuardNegated(const Word& word) { return word.Bits(15, 1) != 0; }

// Guards of the uniform datapath are uniform predicates and told apart by their place.
std::uint32_t GuardPlace(const Word& word) {
  const bool uniform = word.opcode() >= 0x080 && word.opcode() < 0x0c0;
  return (uniform ? machine_code::kUniformPredicate : machine_code::kPredicate) + word.guard();
}

}  // namespace

bool Analysis::Spend(std::uint64_t steps) {
  steps_ += steps;
  return steps_ <= kFewSteps + kStepsPerInstruction * code_.words().size();
}

Polynomial Analysis::Unknown(std::uint32_t place, std::uint32_t n) {
  return atoms_.WordOf(atoms_.Intern(AtomKind::kWritten, n, place, guard_.id));
}

std::uint64_t Analysis::WriterOf(std::uint32_t place, std::uint32_t n) {
  std::uint32_t b = code_.BlockOf(n);
  std::uint32_t last = code_.LastWrite(place, n);
  for (int hops = 0; last == kNowhere && hops < 16; ++hops) {
    const Block& block = code_.blocks()[b];
    if (code_.IsEntry(b) || block.predecessors.size() != 1) break;
    b = block.predecessors.front();
    const std::uint32_t end = code_.blocks()[b].end - 1;
    last = code_.Writes(place, end) ? end : code_.LastWrite(place, end);
  }
  return last == kNowhere ? kBlockEntry + b : last;
}

void Analysis::TakeGuard(std::uint32_t n) {
  guard_ = Guard();
  const Word& word = code_.words()[n];
  if (!word.is_guarded()) return;
  guard_.predicate = GuardPlace(word);
  guard_.negated = IsGuardNegated(word);
  guard_.written = WriterOf(guard_.predicate, n);
  const auto [id, fresh] = guard_ids_.try_emplace(
      {guard_.predicate, guard_.negated, guard_.written}, guard_ids_.size() + 1);
  guard_.id = id->second;
}

Polynomial Analysis::WordBefore(std::uint32_t place, std::uint32_t n) {
  const std::uint32_t writer = code_.LastWrite(place, n);
  if (writer == kNowhere) return WordAtEntry(place, code_.BlockOf(n));
  const Word& word = code_.words()[writer];
  if (guard_.id != 0 && word.is_guarded() && GuardPlace(word) == guard_.predicate &&
      IsGuardNegated(word) != guard_.negated &&
      WriterOf(guard_.predicate, writer) == guard_.written) {
    // Not written on this way.
    if (depth_ >= kMostDepth || !Spend(1)) return Unknown(place, writer);
    ++depth_;
    Polynomial earlier = WordBefore(place, writer);
    --depth_;
    return earlier;
  }
  return WordWritten(place, writer);
}

Polynomial Analysis::WordWritten(std::uint32_t place, std::uint32_t n) {
  const auto key = std::tuple(n, place, guard_.id);
  if (const auto known = written_.find(key); known != written_.end()) return known->second;
  if (depth_ >= kMostDepth || !Spend(4)) return Unknown(place, n);
  ++depth_;
  std::optional<Polynomial> value = Compute(place, n);
  const Word& word = code_.words()[n];
  const bool certain =
      !word.is_guarded() ||
      (guard_.id != 0 && GuardPlace(word) == guard_.predicate &&
       IsGuardNegated(word) == guard_.negated && WriterOf(guard_.predicate, n) == guard_.written);
  if (value && !certain && !(*value == WordBefore(place, n))) value.reset();
  if (value && value->too_long()) value = Shortened(*value, place, n);
  --depth_;
  if (!value || value->too_long()) value = Unknown(place, n);
  written_[key] = *value;
  return *value;
}

Polynomial Analysis::WordAtEntry(std::uint32_t place, std::uint32_t b) {
  const auto key = std::tuple(b, place, guard_.id);
  if (const auto known = at_entry_.find(key); known != at_entry_.end()) return known->second;
  // What the ways that meet here leave is asked for without a guard, which may differ on them.
  const Polynomial entry = atoms_.WordOf(atoms_.Intern(AtomKind::kEntry, b, place));
  const Block& block = code_.blocks()[b];
  const bool passes = !code_.IsEntry(b) && block.predecessors.size() == 1;
  if (!passes || depth_ >= kMostDepth || !Spend(2)) return at_entry_[key] = entry;
  at_entry_[key] = entry;  // a block that follows only itself
  ++depth_;
  Polynomial value = WordAtEnd(place, block.predecessors.front());
  --depth_;
  return at_entry_[key] = value;
}

Polynomial Analysis::WordAtEnd(std::uint32_t place, std::uint32_t b) {
  const Block& block = code_.blocks()[b];
  const std::uint32_t last = block.end - 1;
  return code_.Writes(place, last) ? WordWritten(place, last) : WordBefore(place, last);
}

Polynomial Analysis::PairOf(const Polynomial& low, const Polynomial& high) {
  Polynomial pair = atoms_.ZeroExtended(low);
  pair.Add(high);
  return atoms_.Normal(pair);
}

Polynomial Analysis::PairBefore(std::uint32_t place, std::uint32_t n) {
  const Polynomial low = WordBefore(place, n);
  return PairOf(low, WordBefore(place + 1, n));
}

}  // namespace coalcheck::address
