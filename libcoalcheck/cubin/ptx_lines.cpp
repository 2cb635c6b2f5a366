// SPDX-License-Identifier: Apache-2.0
//
// Reads directives line by line. The caller of an inlined line is the last location before it at
// the place that it says it was inlined at.
#include "libcoalcheck/cubin/ptx_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "libcoalcheck/ptx/numbers.h"

namespace coalcheck::cubin {
namespace {

constexpr std::size_t kMostChain = 256;
constexpr std::size_t kLongestName =
    4096;  // of a function, and of a path: no system has longer ones

// Words of a directive, which blanks, commas and colons separate, up to a comment; quoted ones
// without their quotes.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view Next() {
    const std::size_t first = rest_.find_first_not_of(" \t\r,:");
    if (first == std::string_view::npos) return {};
    rest_.remove_prefix(first);
    if (rest_.starts_with("//")) return {};
    const bool is_quoted = rest_.front() == '"';
    if (is_quoted) rest_.remove_prefix(1);
    const std::size_t end =
        std::min(rest_.find_first_of(is_quoted ? "\"" : " \t\r,:"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + (is_quoted ? 1 : 0), rest_.size()));
    return word;
  }

  std::optional<std::uint32_t> Number() {
    const std::string_view word = Next();
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return number;
  }

 private:
  std::string_view rest_;
};

}  // namespace

class PtxLines::Reader {
 public:
  Reader(PtxLines& result, std::deque<std::string>& names) : result_(result), names_(names) {}

  void Take(std::string_view line) {
    ++number_;
    if (line.find("// begin inline asm") != std::string_view::npos) is_assembly_ = true;
    if (line.find("// end inline asm") != std::string_view::npos) is_assembly_ = false;
    Words words(line);
    const std::string_view first = words.Next();
    if (is_strings_) return TakeString(first, words);
    if (first == ".loc") TakeLocation(words);
    if (first == ".file") TakeFile(words);
    if (first == ".section" && words.Next() == ".debug_str") is_strings_ = true;
  }

  void End() { FinishString(); }

 private:
  void TakeLocation(Words& words) {
    Location location;
    location.at = number_;
    const auto place = PlaceIn(words);
    // Compilers count the lines of an assembly text as if they were the source's.
    if (!place || (is_assembly_ && !result_.locations_.empty())) return;
    location.place = *place;
    std::string_view word = words.Next();
    if (word == "function_name") {
      location.function = words.Next();
      word = words.Next();
    }
    if (word == "inlined_at") {
      const auto caller = PlaceIn(words);
      const auto found = caller ? last_.find(*caller) : last_.end();
      if (found != last_.end()) location.caller = found->second + 1;
    }
    last_[location.place] = static_cast<std::uint32_t>(result_.locations_.size());
    result_.locations_.push_back(location);
  }

  static std::optional<Place> PlaceIn(Words& words) {
    const auto file = words.Number();
    const auto line = words.Number();
    const auto column = words.Number();
    if (!file || !line || !column) return std::nullopt;
    return Place{*file, *line, *column};
  }

  void TakeFile(Words& words) {
    const auto number = words.Number();
    const std::string_view name = words.Next().substr(0, kLongestName);
    if (number && !name.empty()) result_.files_.try_emplace(*number, name);
  }

  // `$L__info_string0:` and `.b8 95,90,78` or `.b8 95` behind it.
  void TakeString(std::string_view first, Words& words) {
    if (first == "}") {
      FinishString();
      is_strings_ = false;
    } else if (first == ".b8") {
      for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
        const auto byte = ptx::NumberFromString(word);
        if (byte && *byte != 0 && name_.size() < kLongestName) {
          name_ += static_cast<char>(*byte);
        }
      }
    } else if (!first.empty() && first != "{") {
      FinishString();
      label_ = first;
    }
  }

  void FinishString() {
    if (!label_.empty()) {
      result_.functions_.try_emplace(label_, names_.emplace_back(std::move(name_)));
    }
    label_ = {};
    name_.clear();
  }

  PtxLines& result_;
  std::deque<std::string>& names_;
  std::uint32_t number_ = 0;
  bool is_assembly_ = false;
  bool is_strings_ = false;
  std::string_view label_;
  std::string name_;
  absl::flat_hash_map<Place, std::uint32_t> last_;  // the last location at each place
};

PtxLines::PtxLines(std::string_view text, std::deque<std::string>& names) {
  Reader reader(*this, names);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    reader.Take(text.substr(at, end - at));
    at = end + 1;
  }
  reader.End();
  for (const Location& one : locations_) {
    if (!files_.contains(std::get<0>(one.place))) unknown_file_ = std::get<0>(one.place);
  }
}

std::vector<SourceFrame> PtxLines::FramesOf(std::uint32_t line, std::uint32_t first_line,
                                            std::string_view function) const {
  std::vector<SourceFrame> frames;
  const auto behind = std::ranges::upper_bound(locations_, line, {}, &Location::at);
  auto number = static_cast<std::size_t>(behind - locations_.begin());
  while (number > 0 && frames.size() < kMostChain) {
    const Location& one = locations_[number - 1];
    if (one.at < first_line) break;
    const auto& [file, source_line, column] = one.place;
    const auto path = files_.find(file);
    const auto name = functions_.find(one.function);
    const bool is_inlined = one.caller != 0 && name != functions_.end();
    if (path != files_.end() && source_line != 0) {
      frames.push_back({is_inlined ? name->second : function, path->second, source_line});
    }
    // A caller's location stands before, which keeps this from going round.
    number = one.caller;
  }
  return frames;
}

}  // namespace coalcheck::cubin
