// SPDX-License-Identifier: Apache-2.0
//
// Reads the comments word by word; whatever is not understood is an error, so that a typing mistake
// never becomes an expectation that holds by itself.
#include "tests/support/expectation.h"

#include <absl/strings/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::support {
namespace {

constexpr std::string_view kMarker = "expect:";
// Counts do not tell these apart.
constexpr std::string_view kStep = "step";
constexpr std::string_view kStepPatterns = "strided|struct_field|padded_struct";
constexpr std::array<std::string_view, 4> kKeys = {"sectors", "ideal", "lines", "lanes"};

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(Trimmed(part));
  std::erase(parts, "");
  return parts;
}

absl::Status Bad(std::string_view what, std::string_view text) {
  return absl::InvalidArgumentError(fmt::format("{}: '{}'", what, text));
}

absl::StatusOr<Range> ParseRange(const std::string& text) {
  Range range;
  const std::size_t dots = text.find("..");
  const std::string high = dots == std::string::npos ? text : text.substr(dots + 2);
  if (!absl::SimpleAtod(text.substr(0, dots), &range.low) || !absl::SimpleAtod(high, &range.high) ||
      range.low > range.high) {
    return Bad("not a number or a range such as 31.9..32", text);
  }
  return range;
}

// "<1..3>" → "<1>", "<2>", "<3>"; anything else stays.
absl::StatusOr<std::vector<std::string>> ExpandKernel(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::vector<std::string>{text};
  int first = 0;
  int last = 0;
  if (text.front() != '<' || text.back() != '>' ||
      !absl::SimpleAtoi(text.substr(1, dots - 1), &first) ||
      !absl::SimpleAtoi(text.substr(dots + 2, text.size() - dots - 3), &last) || first > last ||
      last - first > 1000) {
    return Bad("not a range of kernels such as <1..7>", text);
  }
  std::vector<std::string> kernels;
  for (int i = first; i <= last; ++i) kernels.push_back(fmt::format("<{}>", i));
  return kernels;
}

absl::Status AddKernels(std::string_view list, Expectation& expectation) {
  for (const std::string& item : Split(list, ',')) {
    const absl::StatusOr<std::vector<std::string>> kernels = ExpandKernel(item);
    if (!kernels.ok()) return kernels.status();
    expectation.kernels.insert(expectation.kernels.end(), kernels->begin(), kernels->end());
  }
  return expectation.kernels.empty() ? Bad("no kernel named", list) : absl::OkStatus();
}

// "step:12" → "strided|struct_field|padded_struct:12"; every name must be one.
absl::StatusOr<std::string> ParsePattern(std::string text) {
  if (text.starts_with(kStep) &&
      (text.size() == kStep.size() || text[kStep.size()] == ':' || text[kStep.size()] == ',')) {
    text.replace(0, kStep.size(), kStepPatterns);
  }
  std::string names = text;
  std::ranges::replace(names, ',', '|');
  for (const std::string& name : Split(names, '|')) {
    if (!patterns::PatternFromString(name.substr(0, name.find(':')))) {
      return Bad("unknown pattern", name);
    }
  }
  return text;
}

absl::Status ApplyWord(const std::string& word, Expectation& expectation) {
  if (word == "clean") {
    expectation.clean = true;
    return absl::OkStatus();
  }
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return Bad("unknown word", word);
  const std::string key = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  if (key == "kernel") return AddKernels(value, expectation);
  if (key == "pattern") {
    const absl::StatusOr<std::string> pattern = ParsePattern(value);
    if (pattern.ok()) expectation.pattern = *pattern;
    return pattern.status();
  }
  if (key == "sites") {
    std::uint64_t sites = 0;
    if (!absl::SimpleAtoi(value, &sites) || sites == 0) return Bad("not a number of sites", value);
    expectation.sites = sites;
    return absl::OkStatus();
  }
  if (std::ranges::find(kKeys, key) == kKeys.end()) return Bad("unknown key", key);
  const absl::StatusOr<Range> range = ParseRange(value);
  if (!range.ok()) return range.status();
  if (!expectation.per_request.emplace(key, *range).second) return Bad("key given twice", key);
  return absl::OkStatus();
}

absl::StatusOr<std::string> ParseKind(const std::string& word) {
  if (word == "async-copy") return std::string("async copy");
  for (const std::string_view kind : {"load", "store", "atomic", "reduction"}) {
    if (word == kind) return word;
  }
  return Bad("unknown kind of access", word);
}

// One for each kind: "load,store clean" is two.
absl::StatusOr<std::vector<Expectation>> ParseOne(const std::string& text) {
  const std::vector<std::string> words = Split(text, ' ');
  if (words.empty()) return Bad("nothing expected", text);
  std::vector<Expectation> expectations;
  for (const std::string& name : Split(words[0], ',')) {
    const absl::StatusOr<std::string> kind = ParseKind(name);
    if (!kind.ok()) return kind.status();
    expectations.emplace_back().kind = *kind;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const absl::Status applied = ApplyWord(words[i], expectations.back());
      if (!applied.ok()) return applied;
    }
  }
  return expectations;
}

// Where a comment that expects something begins in `line`, npos without one.
std::size_t FindComment(std::string_view line) {
  for (const std::string_view opening : {"// ", "# "}) {
    const std::size_t at = line.find(std::string(opening) + std::string(kMarker));
    if (at != std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

bool IsCode(std::string_view line) {
  const std::string text = Trimmed(line);
  return !text.empty() && !text.starts_with("//") && !text.starts_with('#');
}

}  // namespace

bool Range::Contains(double value) const {
  constexpr double kRounding = 1e-9;
  return value >= low - kRounding * std::abs(low) && value <= high + kRounding * std::abs(high);
}

bool FitsPattern(const std::string& expected, const std::string& reported) {
  const bool any_parameter = expected.find(':') == std::string::npos;
  return reported == expected || (any_parameter && reported.starts_with(expected + ':') &&
                                  reported.find(',') == std::string::npos);
}

std::string Expectation::Where() const { return fmt::format("{}:{}: {}", file, line, kind); }

absl::StatusOr<std::vector<Expectation>> ParseExpectations(const std::string& file,
                                                           std::string_view text) {
  std::vector<Expectation> expectations;
  std::size_t first_without_line = 0;
  std::uint32_t number = 0;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::size_t comment = FindComment(line);
    if (comment != std::string::npos) {
      const std::size_t after = line.find(kMarker, comment) + kMarker.size();
      for (const std::string& one : Split(line.substr(after), ';')) {
        absl::StatusOr<std::vector<Expectation>> some = ParseOne(one);
        if (!some.ok()) {
          return absl::InvalidArgumentError(
              fmt::format("{}:{}: {}", file, number, some.status().ToString()));
        }
        for (Expectation& expectation : *some) {
          expectation.file = file;
          expectations.push_back(std::move(expectation));
        }
      }
    }
    if (!IsCode(line)) continue;
    for (; first_without_line < expectations.size(); ++first_without_line) {
      expectations[first_without_line].line = number;
    }
  }
  if (first_without_line != expectations.size()) {
    return absl::InvalidArgumentError(fmt::format("{}: the last comment is about no line", file));
  }
  return expectations;
}

}  // namespace coalcheck::support
