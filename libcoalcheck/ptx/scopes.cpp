// SPDX-License-Identifier: Apache-2.0
//
// What a declaration hides is kept until its block ends.
#include "libcoalcheck/ptx/scopes.h"

#include <charconv>

namespace coalcheck::ptx {

bool Scopes::Enter() {
  if (open_.size() >= kDeepest) return false;
  around_.push_back(current());
  open_.push_back({static_cast<std::uint32_t>(around_.size() - 1), hidden_.size()});
  return true;
}

void Scopes::Leave() {
  if (open_.empty()) return;
  for (; hidden_.size() > open_.back().hidden; hidden_.pop_back()) {
    const Hidden& one = hidden_.back();
    if (one.of == &rows_) --rows_in_blocks_;
    if (one.before.is_there) {
      (*one.of)[one.name] = one.before;
    } else {
      one.of->erase(one.name);
    }
  }
  open_.pop_back();
}

void Scopes::Declare(Names& names, std::string_view name, Declared what) {
  what.is_there = true;
  what.depth = depth();
  Declared& now = names[name];
  if (!open_.empty()) {
    hidden_.push_back({&names, name, now});
    if (&names == &rows_) ++rows_in_blocks_;
  }
  now = what;
}

void Scopes::DeclareGlobal(std::string_view name, std::uint32_t id) {
  names_[name] = {true, true, id, 0, 0};
}

void Scopes::DeclareSymbol(std::string_view name, std::uint32_t id) {
  Declare(names_, name, {true, true, id, 0, 0});
}

void Scopes::DeclareRegister(std::string_view name) { Declare(names_, name, {}); }

void Scopes::DeclareRegisters(std::string_view prefix, std::uint64_t count) {
  Declare(rows_, prefix, {true, false, rows_declared_++, count, 0});
}

// The innermost row of registers that the name belongs to, and its place there.
const Scopes::Declared* Scopes::RowOf(std::string_view name, std::uint64_t& number) {
  constexpr std::size_t kMostDigits = 9;
  const Declared* found = nullptr;
  for (std::size_t digits = 1; digits <= kMostDigits && digits < name.size(); ++digits) {
    const std::string_view tail = name.substr(name.size() - digits);
    if (tail[0] < '0' || tail[0] > '9') break;
    if (digits > 1 && tail[0] == '0') continue;
    const auto row = rows_.find(name.substr(0, name.size() - digits));
    if (row == rows_.end() || (found != nullptr && row->second.depth <= found->depth)) continue;
    std::uint64_t place = 0;
    std::from_chars(tail.data(), tail.data() + tail.size(), place);
    if (place >= row->second.count) continue;
    number = place;
    found = &row->second;
  }
  return found;
}

std::uint32_t Scopes::NewRegister(std::string_view name) {
  registers_.push_back(name);
  return static_cast<std::uint32_t>(registers_.size() - 1);
}

// A new register that the function itself declares.
Scopes::Declared Scopes::OfFunction(std::string_view name) {
  return {true, false, NewRegister(name), 0, 1};
}

std::optional<Scopes::Found> Scopes::Find(std::string_view name) {
  const auto exact = names_.find(name);
  std::uint64_t number = 0;
  // Rows of the function itself have been looked up where a register of theirs is known.
  const bool is_last_word =
      exact != names_.end() && rows_in_blocks_ == 0 && exact->second.depth > 0;
  const Declared* row = is_last_word ? nullptr : RowOf(name, number);
  if (row != nullptr && (exact == names_.end() || exact->second.depth < row->depth)) {
    if (row->depth <= 1) return Found{false, (names_[name] = OfFunction(name)).id};
    const auto [entry, is_new] = of_rows_.try_emplace(std::pair(row->id, number), 0);
    if (is_new) entry->second = NewRegister(name);
    return Found{false, entry->second};
  }
  if (exact == names_.end()) return std::nullopt;
  Declared& one = exact->second;
  if (!one.is_symbol && one.id == kNone) one.id = NewRegister(name);
  return Found{one.is_symbol, one.id};
}

std::uint32_t Scopes::Register(std::string_view name) {
  const std::optional<Found> found = Find(name);
  if (found && !found->is_symbol) return found->id;
  return found ? NewRegister(name) : (names_[name] = OfFunction(name)).id;
}

bool Scopes::DefineLabel(std::string_view name, std::uint32_t instruction) {
  return labels_.try_emplace(std::pair(current(), name), instruction).second;
}

bool Scopes::DefineTargets(std::string_view name, std::uint32_t list) {
  return targets_.try_emplace(std::pair(current(), name), list).second;
}

std::optional<std::uint32_t> Scopes::FromBlock(const InBlock& all, std::uint32_t block,
                                               std::string_view name) const {
  for (; block != kNone; block = around_[block]) {
    const auto found = all.find(std::pair(block, name));
    if (found != all.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Scopes::LabelFrom(std::uint32_t block, std::string_view name) const {
  return FromBlock(labels_, block, name);
}

std::optional<std::uint32_t> Scopes::TargetsFrom(std::uint32_t block, std::string_view name) const {
  return FromBlock(targets_, block, name);
}

}  // namespace coalcheck::ptx
