// SPDX-License-Identifier: Apache-2.0
//
// What lanes of one request ask for of one structure is one field, as is an array in a structure;
// all else is a field for each place.
#include "libcoalcheck/moves/fields.h"

#include <algorithm>
#include <set>

namespace coalcheck::moves {

void Fields::Note(const address::Request& request, std::uint32_t width) {
  std::map<std::uint64_t, std::uint64_t> of_structure;  // the offset that the first lane asks for
  std::uint64_t least = structure_;
  std::uint64_t most = 0;
  bool spreads = false;
  address::EachLane(request.active, [&](std::uint32_t lane) {
    const std::uint64_t address = request.addresses.bits[lane];
    fits_ = fits_ && address >= begin_;
    const std::uint64_t behind = address - begin_;
    const std::uint64_t offset = behind % structure_;
    spreads =
        spreads || of_structure.try_emplace(behind / structure_, offset).first->second != offset;
    least = std::min(least, offset);
    most = std::max(most, offset);
  });
  if (spreads) {
    const auto [entry, is_new] = spread_.try_emplace(request.instruction, least, most + width);
    entry->second.first = std::min(entry->second.first, least);
    entry->second.second = std::max(entry->second.second, most + width);
    return;
  }
  fits_ = fits_ && least == most && offsets_.size() < kMostNoted;
  const auto key = std::pair(request.instruction, request.turn);
  const auto [known, is_new] = offsets_.try_emplace(key, least);
  ++(known->second == least ? alike_ : other_);
  if (known->second == least) Note(least, width);
}

void Fields::Note(std::uint64_t offset, std::uint32_t width) {
  fits_ = fits_ && width != 0 && widths_.try_emplace(offset, width).first->second == width;
}

void Fields::NoteRow(std::uint32_t width) {
  fits_ = fits_ && width != 0 && (row_width_ == 0 || row_width_ == width);
  row_width_ = width;
}

// `may_grow`: it may join others that it overlaps.
void Fields::AddField(std::uint64_t begin, std::uint64_t end, bool may_grow) {
  fits_ = fits_ && end <= structure_;
  auto next = fields_.lower_bound(begin);
  if (next != fields_.begin() && std::prev(next)->second > begin) --next;
  while (next != fields_.end() && next->first < end) {
    const bool is_inside = next->first <= begin && end <= next->second;
    fits_ = fits_ && (may_grow || is_inside);
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = fields_.erase(next);
  }
  fields_[begin] = end;
}

// Whether so many lie side by side as a loop's rounds do that a compiler unrolled.
bool Fields::IsRun(const std::set<std::uint64_t>& offsets) const {
  if (offsets.size() < kElementsSideBySide) return false;
  std::uint64_t next = *offsets.begin();
  return std::ranges::all_of(offsets, [&](std::uint64_t offset) {
    const bool goes_on = offset == next;
    next = offset + widths_.at(offset);
    return goes_on;
  });
}

bool Fields::Settle(const Leaders& leaders, bool is_cut) {
  for (const auto& [instruction, range] : spread_) AddField(range.first, range.second, true);
  const std::map<std::uint64_t, std::uint64_t> arrays = fields_;
  for (const auto& [offset, width] : widths_) {
    fits_ = fits_ && (row_width_ == 0 || row_width_ == width);
    auto in = arrays.upper_bound(offset);
    const bool is_in_array = in != arrays.begin() && offset + width <= (--in)->second;
    // Of two fields that overlap neither can be moved.
    if (!is_in_array) AddField(offset, offset + width, false);
  }
  if (!fits_) return false;
  std::map<std::uint32_t, std::set<std::uint64_t>> of_instruction;
  std::map<std::uint32_t, std::set<std::uint64_t>> of_leader;
  for (const auto& [key, offset] : offsets_) {
    of_instruction[key.first].insert(offset);
    of_leader[leaders.at(key.first)].insert(offset);
  }
  for (const auto& [instruction, offsets] : of_instruction) {
    const bool goes_on = is_cut && offsets.size() > 1;
    most_of_instruction_ = std::max(most_of_instruction_, goes_on ? kElements : offsets.size());
  }
  for (const auto& [leader, offsets] : of_leader) has_run_ = has_run_ || IsRun(offsets);
  constexpr std::size_t kFewOthers = 4;
  return (has_row() || !fields_.empty()) && other_ * kFewOthers <= alike_;
}

bool Fields::IsFullyUsed(std::uint64_t most) const {
  std::uint64_t used = 0;
  for (const auto& [begin, end] : fields_) used += end - begin;
  return structure_ <= most && used == structure_;
}

std::optional<address::Value> Fields::Place(address::Value address, std::uint32_t width,
                                            address::Unknowns& unknowns) const {
  if (address.bits < begin_) return std::nullopt;
  const std::uint64_t behind = address.bits - begin_;
  const std::uint64_t offset = behind % structure_;
  auto field = fields_.upper_bound(offset);
  const bool is_known = field != fields_.begin() && offset < (--field)->second;
  const std::uint64_t begin = is_known ? field->first : offset;
  const std::uint64_t size = is_known ? field->second - begin : width;
  const auto form = Moved(address.form, size, unknowns);
  if (!form) return std::nullopt;
  return address::Value{(begin + 1) * kFar + behind / structure_ * size + offset - begin, *form};
}

std::optional<address::Form> Fields::Moved(address::Form form, std::uint64_t size,
                                           address::Unknowns& unknowns) const {
  if (unknowns.IsMultiple(form, structure_)) {
    return unknowns.Scale(unknowns.Divide(form, structure_), size);
  }
  if (!has_row()) return std::nullopt;
  const address::Unknowns::Multiples parts = unknowns.MultiplesOf(form);
  if (parts.empty()) return std::nullopt;
  const auto structure = static_cast<std::int64_t>(structure_);
  address::Form moved = address::kNoForm;
  for (const address::Unknowns::Multiple& part : parts) {
    const bool is_structure = part.factor % structure == 0;
    if (!is_structure && part.factor % row_width_ != 0) return std::nullopt;
    const std::int64_t each = is_structure
                                  ? part.factor / structure * static_cast<std::int64_t>(size)
                                  : part.factor / row_width_ * static_cast<std::int64_t>(kFar);
    moved = unknowns.Add(moved, unknowns.Scale(part.symbol, static_cast<std::uint64_t>(each)));
  }
  return moved;
}

}  // namespace coalcheck::moves
