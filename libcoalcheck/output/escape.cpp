// SPDX-License-Identifier: Apache-2.0
//
// One table of replacements for each form.
#include "libcoalcheck/output/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

struct Replacement {
  char character;
  std::string_view by;
};

std::string Replace(std::string_view foreign, std::span<const Replacement> table) {
  const std::string text = words::Printable(foreign);
  std::string replaced;
  replaced.reserve(text.size());
  for (const char c : text) {
    const auto found = std::ranges::find(table, c, &Replacement::character);
    if (found == table.end()) {
      replaced += c;
    } else {
      replaced += found->by;
    }
  }
  return replaced;
}

// GitHub makes links of addresses that stand in running text.
std::string WithoutAutomaticLinks(std::string text) {
  for (const auto& [begin, harmless] :
       {std::pair("www.", "www&#46;"), std::pair("://", "&#58;//")}) {
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
      text.replace(at, std::string_view(begin).size(), harmless);
    }
  }
  return text;
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

bool StaysInUri(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string Cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && IsContinuation(text[end])) --end;
  return std::string(text.substr(0, end)) + " …";
}

std::string EscapeHtml(std::string_view text) {
  constexpr Replacement kTable[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  return Replace(text, kTable);
}

std::string EscapeMarkdown(std::string_view text) {
  // "<" and "&" begin HTML, "@" and "#" would name people and issues.
  constexpr Replacement kTable[] = {{'&', "&amp;"}, {'<', "&lt;"},  {'>', "&gt;"}, {'|', "\\|"},
                                    {'`', "\\`"},   {'*', "\\*"},   {'_', "\\_"},  {'[', "\\["},
                                    {']', "\\]"},   {'\\', "\\\\"}, {'~', "\\~"},  {'!', "\\!"},
                                    {'@', "&#64;"}, {'#', "&#35;"}, {'$', "&#36;"}};
  return WithoutAutomaticLinks(Replace(text, kTable));
}

std::string EscapeGithubMessage(std::string_view text) {
  constexpr Replacement kTable[] = {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}};
  return Replace(text, kTable);
}

std::string EscapeGithubProperty(std::string_view text) {
  constexpr Replacement kTable[] = {
      {'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}};
  return Replace(text, kTable);
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
