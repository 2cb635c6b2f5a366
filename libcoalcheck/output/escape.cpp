// SPDX-License-Identifier: Apache-2.0
//
// One table of replacements for each form.
#include "libcoalcheck/output/escape.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

// What stands for a byte; empty where it stays.
using EscapeTable = std::array<std::string_view, 256>;

constexpr EscapeTable TableOf(
    std::initializer_list<std::pair<char, std::string_view>> replacements) {
  EscapeTable table{};
  for (const auto& [character, by] : replacements) {
    table[static_cast<unsigned char>(character)] = by;
  }
  return table;
}

std::string Replace(std::string_view foreign, const EscapeTable& table) {
  const std::string text = words::Printable(foreign);
  std::string replaced;
  replaced.reserve(text.size());
  for (const char c : text) {
    const std::string_view by = table[static_cast<unsigned char>(c)];
    if (by.empty()) {
      replaced += c;
    } else {
      replaced += by;
    }
  }
  return replaced;
}

std::string ReplaceAll(std::string_view text, std::string_view from, std::string_view by) {
  std::string replaced;
  std::size_t copied = 0;
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, copied)) {
    replaced.append(text, copied, at - copied).append(by);
    copied = at + from.size();
  }
  return replaced.append(text, copied);
}

// "gh-12", in whatever case, names an issue.
std::string WithoutIssues(std::string_view text) {
  const auto is_letter = [](char c, char letter) { return (c | 0x20) == letter; };
  std::string parted;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_issue = i >= 2 && i + 1 < text.size() && text[i] == '-' &&
                          is_letter(text[i - 2], 'g') && is_letter(text[i - 1], 'h') &&
                          text[i + 1] >= '0' && text[i + 1] <= '9';
    if (is_issue) parted += "<!-- -->";
    parted += text[i];
  }
  return parted;
}

// A word of seven hexadecimal digits or more names a commit. Those without a letter are numbers.
std::string WithoutCommits(std::string_view text) {
  constexpr std::size_t kShortest = 7;
  std::string parted;
  while (!text.empty()) {
    std::size_t size = 0;
    while (size < text.size() && absl::ascii_isalnum(static_cast<unsigned char>(text[size])))
      ++size;
    const std::string_view word = text.substr(0, size);
    const bool is_commit = size >= kShortest && std::ranges::all_of(word, absl::ascii_isxdigit) &&
                           std::ranges::any_of(word, absl::ascii_isalpha);
    const std::size_t whole = is_commit ? kShortest - 1 : size;
    parted.append(text.substr(0, whole));
    if (is_commit) parted.append("<!-- -->");
    parted.append(text.substr(whole, size + 1 - whole));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return parted;
}

// GitHub makes links of addresses, issues and commits that stand in running text. It looks for them
// in what entities stand for, so an empty comment parts them.
std::string WithoutAutomaticLinks(std::string_view text) {
  const std::string parted = ReplaceAll(text, "www.", "www<!-- -->.");
  return WithoutCommits(WithoutIssues(ReplaceAll(parted, "://", ":<!-- -->//")));
}

bool StaysInUri(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string EscapeHtml(std::string_view text) {
  static constexpr EscapeTable kTable =
      TableOf({{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
  return Replace(text, kTable);
}

std::string EscapeMarkdown(std::string_view text) {
  // "<" and "&" begin HTML, "@" and "#" would name people and issues.
  static constexpr EscapeTable kTable = TableOf({{'&', "&amp;"},
                                                 {'<', "&lt;"},
                                                 {'>', "&gt;"},
                                                 {'|', "\\|"},
                                                 {'`', "\\`"},
                                                 {'*', "\\*"},
                                                 {'_', "\\_"},
                                                 {'[', "\\["},
                                                 {']', "\\]"},
                                                 {'\\', "\\\\"},
                                                 {'~', "\\~"},
                                                 {'!', "\\!"},
                                                 {'@', "@<!-- -->"},
                                                 {'#', "#<!-- -->"},
                                                 {'$', "&#36;"}});
  return WithoutAutomaticLinks(Replace(text, kTable));
}

std::string EscapeGithubMessage(std::string_view text) {
  static constexpr EscapeTable kTable = TableOf({{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
  return Replace(text, kTable);
}

std::string EscapeGithubProperty(std::string_view text) {
  static constexpr EscapeTable kTable =
      TableOf({{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
  return Replace(text, kTable);
}

std::string EscapeSarifMessage(std::string_view text) {
  return ReplaceAll(words::Printable(text), "](", "] (");
}

std::string UriPath(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    if (StaysInUri(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace coalcheck::output
