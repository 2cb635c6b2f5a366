// SPDX-License-Identifier: Apache-2.0
//
// Formatting.
#include "libcoalcheck/findings/words/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libcoalcheck/base/character.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/sums/aggregate.h"
#include "libcoalcheck/findings/words/line_begin.h"
#include "libcoalcheck/recording/skip_reasons.h"

namespace coalcheck::words {
namespace {

constexpr std::string_view kThinSpace = "\u202F";

// "31.50" to "31.5", "32.00" to "32".
std::string WithoutTrailingZeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

// Runners of CI servers take "##[group]" and "##vso[…]" anywhere in a line for a command to them,
// and "::error::" at its start, behind white space of any alphabet.
bool IsLogCommand(std::string_view text) {
  if (!text.starts_with("##")) return false;
  // What does not print comes out as a question mark, and ends nothing; nor does the end of a
  // name, where what is written behind it may hold the bracket.
  const std::size_t end = text.find_first_of("[# \t", 2);
  return end == std::string_view::npos || text[end] == '[';
}
bool IsSpace(std::string_view character) {
  constexpr std::string_view kSpaces[] = {" ",      "\t",     "\u00A0", "\u1680",
                                          "\u202F", "\u205F", "\u3000"};
  const bool is_wide = character >= "\u2000" && character <= "\u200A";
  return is_wide || std::ranges::find(kSpaces, character) != std::end(kSpaces);
}
std::string_view BehindSpaces(std::string_view text) {
  while (!text.empty() && IsSpace(text.substr(0, CharacterLength(text)))) {
    text.remove_prefix(CharacterLength(text));
  }
  return text;
}
// Stands for itself wherever it stands.
bool IsPlain(char c) { return c >= ' ' && c <= '~' && c != '#'; }

bool BeginsAsLogCommand(std::string_view text) { return BehindSpaces(text).starts_with("::"); }

}  // namespace

bool MayBeginLine(std::string_view word) {
  return !BehindSpaces(word).empty() && !BeginsAsLogCommand(word);
}

std::string Grouped(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, kThinSpace);
  }
  return digits;
}

std::string Count(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", Grouped(number), number == 1 ? one : many);
}

std::string Short(std::uint64_t number) {
  constexpr std::string_view kPrefixes[] = {"M", "G", "T", "P", "E"};
  if (number < 1'000'000) return Grouped(number);
  double value = static_cast<double>(number) / 1e6;
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}{}", value, decimals, kThinSpace, kPrefixes[prefix]);
}

std::string Percent(double share) {
  const std::string text = WithoutTrailingZeros(fmt::format("{:.1f}", share * 100));
  if (text == "100" && share < 1) return "> 99.9 %";
  if (text == "0" && share > 0) return "< 0.1 %";
  return text + " %";
}

std::string Average(double value) {
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  for (int decimals = 2; decimals <= 4; ++decimals) {
    std::string text = WithoutTrailingZeros(fmt::format("{:.{}f}", value, decimals));
    if (text.find('.') != std::string::npos) return text;
  }
  return fmt::format("≈ {:.0f}", value);
}

std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  if (BeginsAsLogCommand(text)) {
    printable = '?';
    text.remove_prefix(text.find(':') + 1);
  }
  while (!text.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, IsPlain) - text.begin());
    printable += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = CharacterLength(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (IsLogCommand(text)) {
      printable += "# ";
    } else if (character == "\t") {
      printable += "    ";
    } else if (length == 0 || IsHidden(CodePoint(character))) {
      printable += '?';
    } else {
      printable += character;
    }
    text.remove_prefix(character.size());
  }
  return printable;
}

std::string PrintableName(std::string_view mangled) { return Printable(Demangle(mangled)); }

std::string ShortName(std::string_view mangled) {
  constexpr std::size_t kLongestName = 160;
  constexpr std::size_t kLongestPart = 40;  // "(anonymous namespace)" is shorter
  const std::string name = PrintableName(mangled);
  if (name.size() <= kLongestName) return name;
  std::string brief;
  std::string part;    // what stands in the brackets that are open
  std::string closed;  // by these, the innermost last
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    const bool is_arrow = c == '>' && at > 0 && name[at - 1] == '-';
    if (c == '<' || c == '(') closed += c == '<' ? '>' : ')';
    (closed.empty() ? brief : part) += c;
    if (closed.empty() || c != closed.back() || is_arrow) continue;
    closed.pop_back();
    if (!closed.empty()) continue;
    brief += part.size() <= kLongestPart ? part : fmt::format("{}…{}", part.front(), c);
    part.clear();
  }
  return closed.empty() ? brief : name;  // operators may look like brackets that nothing closes
}

std::string Cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const auto is_within = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; };
  while (most > 0 && is_within(text[most])) --most;
  return std::string(text.substr(0, most)) + " …";
}

std::string SkipReason(std::string_view reason) {
  const recording::SkipReason* found = recording::FindSkipReason(reason);
  if (found != nullptr) return std::string(found->because);
  return fmt::format("because of \"{}\"", Printable(reason));
}

std::vector<recording::Skipped> SkippedInAll(const findings::Report& report) {
  std::vector<recording::Skipped> all;
  for (const findings::KernelCoverage& kernel : report.kernels) {
    for (const recording::Skipped& skipped : kernel.skipped) {
      const auto found = std::ranges::find(all, skipped.reason, &recording::Skipped::reason);
      if (found == all.end()) {
        all.push_back(skipped);
      } else {
        found->launches += skipped.launches;
      }
    }
  }
  std::erase_if(all, [](const recording::Skipped& one) { return one.launches == Launches(0); });
  std::ranges::stable_sort(all, std::ranges::greater(), &recording::Skipped::launches);
  return all;
}

std::string PathShown(const findings::Report& report, std::string_view file) {
  const std::string& root = report.source_root;
  const bool under = !root.empty() && file.size() > root.size() + 1 && file.starts_with(root) &&
                     file[root.size()] == '/';
  return std::string(under ? file.substr(root.size() + 1) : file);
}

}  // namespace coalcheck::words
