// SPDX-License-Identifier: Apache-2.0
//
// A name as the name of everything in a report: whatever it is, each form is printable and has no
// more parts than it has for a harmless name.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/forms/format.h"
#include "tests/fuzz/require.h"
#include "tests/unit/output/extreme_reports.h"

namespace {

using namespace coalcheck;
using output::Format;

constexpr std::size_t kLongestName = 2000;

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

// A form of lines has a line for each of its parts, and HTML an element. Of a path that is not tidy
// HTML finds no source text here, and has fewer.
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
  return output::MakeWriter(format, sources, {})->Write(report, verdict::Judge(report));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // An empty name leaves parts out, and so would one that is empty behind its last slash.
  const std::string name =
      "n" + std::string(reinterpret_cast<const char*>(data), std::min(size, kLongestName)) + "n";
  for (const Format format : output::AllFormats()) {
    const std::string text = Written(format, name);
    Require(text.ends_with('\n'));
    if (IsJson(format)) {
      Require(nlohmann::json::accept(text));
    } else {
      Require(IsPrintable(text));
    }
    static const auto* const harmless = [] {
      auto* forms = new std::vector<std::string>;
      for (const Format one : output::AllFormats()) forms->push_back(Written(one, "name"));
      return forms;
    }();
    RequireParts(format, text, (*harmless)[static_cast<std::size_t>(format)]);
  }
  return 0;
}
