// SPDX-License-Identifier: Apache-2.0
//
// Formatting.
#include "libcoalcheck/findings/words/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

// Length of the valid UTF-8 character at the start of `text`, 0 when there is none.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (length == 3 && byte(0) == 0xE0 && byte(1) < 0xA0) return 0;  // too long a form
  if (length == 3 && byte(0) == 0xED && byte(1) > 0x9F) return 0;  // surrogates
  if (length == 4 && byte(0) == 0xF0 && byte(1) < 0x90) return 0;  // too long a form
  if (length == 4 && byte(0) == 0xF4 && byte(1) > 0x8F) return 0;  // past the last character
  return length;
}

// Also what turns the direction of a text, so that a name cannot show as another, and the two that
// are no characters, which XML forbids.
bool IsControl(std::string_view character) {
  const auto byte = [character](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (character.size() == 2) {
    return (byte(0) == 0xC2 && byte(1) < 0xA0) || character == "\u061C";  // C1 controls
  }
  return (character >= "\u2028" && character <= "\u202E") ||  // also line separators
         (character >= "\u2066" && character <= "\u2069") || character == "\u200E" ||
         character == "\u200F" || character == "\uFEFF" || character == "\uFFFE" ||
         character == "\uFFFF";
}

// Runners of CI servers take "##[group]" and "##vso[…]" anywhere in a line for a command to them,
// and "::error::" at its start, behind white space of any alphabet.
bool IsLogCommand(std::string_view text) {
  if (!text.starts_with("##")) return false;
  // What does not print comes out as a question mark, and ends nothing.
  const std::size_t end = text.find_first_of("[# \t", 2);
  return end != std::string_view::npos && text[end] == '[';
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
  if (BeginsAsLogCommand(text)) {
    printable = '?';
    text.remove_prefix(text.find(':') + 1);
  }
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (IsLogCommand(text)) {
      printable += "# ";
    } else if (character == "\t") {
      printable += "    ";
    } else if (length == 0 || IsControl(character)) {
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

std::string SkipReason(std::string_view reason) {
  const auto* found =
      std::ranges::find(recording::kSkipReasons, reason, &recording::SkipReason::word);
  if (found != std::end(recording::kSkipReasons)) return std::string(found->because);
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
