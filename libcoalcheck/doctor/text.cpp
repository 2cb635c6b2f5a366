// SPDX-License-Identifier: Apache-2.0
//
// The checklist.
#include <fmt/format.h>

#include "libcoalcheck/doctor/output.h"
#include "libcoalcheck/output/style.h"

namespace coalcheck::doctor {
namespace {

constexpr std::size_t kStateWidth = 8;

std::string Paint(const output::Style& style, std::string_view state) {
  const std::string padded = fmt::format("{:<{}}", state, kStateWidth);
  if (state == "ok" || state == "works") return style.Good(padded);
  if (state == "problem" || state == "fails") return style.Bad(padded);
  return style.Bold(padded);
}

// Text from other programs may hold anything; a terminal gets one line of it, escaped.
std::string OneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return line;
}

void AddRow(const output::Style& style, std::string_view state, std::string_view title,
            std::string_view message, const std::vector<std::string>& remedies, std::string& text) {
  text += fmt::format("  {}  {}: {}\n", Paint(style, state), title, OneLine(message));
  for (const std::string& remedy : remedies) {
    text += fmt::format("  {:<{}}  -> {}\n", "", kStateWidth, OneLine(remedy));
  }
}

}  // namespace

std::string ToText(const Diagnosis& diagnosis, bool color) {
  const output::Style style(color);
  std::string text = "what coalcheck needs:\n";
  for (const Check& check : diagnosis.checks) {
    AddRow(style, ToString(check.state), check.title, check.message, check.remedies, text);
  }
  text += "self-test on built-in kernels:\n";
  if (diagnosis.engines.empty()) {
    AddRow(style, ToString(EngineState::kNotRun), "SASS metrics windows", "no GPU was seen", {},
           text);
  }
  for (const Engine& engine : diagnosis.engines) {
    AddRow(style, ToString(engine.state),
           fmt::format("SASS metrics windows, GPU {} {}", engine.gpu, OneLine(engine.gpu_name)),
           engine.message, engine.remedies, text);
  }
  return text + fmt::format("coalcheck: {}\n", style.Bold(OneLine(diagnosis.summary)));
}

}  // namespace coalcheck::doctor
