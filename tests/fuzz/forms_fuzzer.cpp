// SPDX-License-Identifier: Apache-2.0
//
// A name as the name of everything in a report, and a last byte that chooses the form: whatever the
// name is, the form is printable and has no more parts than it has for a harmless name.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/forms/forms.h"
#include "tests/fuzz/require.h"
#include "tests/unit/output/extreme_reports.h"

namespace {

using namespace coalcheck;
using output::Format;

constexpr std::size_t kLongestName = 2000;
// "@" chooses the first form, "A" the second: a further form leaves the others as they are.
constexpr std::size_t kMostForms = 32;

bool IsJson(Format format) {
  return format == Format::kJson || format == Format::kSarif || format == Format::kGitlab;
}

bool IsPrintable(std::string text) {
  text.insert(0, "-");  // GitHub's own commands begin the text with "::"
  std::erase(text, '\n');
  return words::Printable(text) == text;
}

std::size_t CountOf(std::string_view part, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A form of lines has a line for each of its parts, and HTML an element. For a path that is not
// normalised HTML shows no source text, so it has fewer elements.
void RequireParts(Format format, std::string_view text, std::string_view harmless) {
  switch (format) {
    case Format::kHtml:
      return Require(CountOf("<", text) <= CountOf("<", harmless));
    case Format::kGithub:
    case Format::kFolded:
    case Format::kMarkdown:
      return Require(CountOf("\n", text) == CountOf("\n", harmless));
    default:
      return;
  }
}

std::string Written(Format format, std::string_view name) {
  findings::FakeSources sources;
  const findings::Report report = output::MakeHostileReport(sources, name);
  return output::Written(format, {report, verdict::Judge(report), sources});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const std::vector<Format> formats = output::AllFormats();
  static const std::vector<std::string> harmless = [] {
    std::vector<std::string> texts;
    for (const Format one : formats) texts.push_back(Written(one, "name"));
    return texts;
  }();
  const std::size_t chosen = data[size - 1] % kMostForms % formats.size();
  // An empty name leaves parts out, and so would one that is empty behind its last slash.
  const std::string name =
      "n" + std::string(reinterpret_cast<const char*>(data), std::min(size - 1, kLongestName)) +
      "n";
  const std::string text = Written(formats[chosen], name);
  Require(text.ends_with('\n'));
  Require(IsJson(formats[chosen]) ? nlohmann::json::accept(text) : IsPrintable(text));
  RequireParts(formats[chosen], text, harmless[chosen]);
  return 0;
}
