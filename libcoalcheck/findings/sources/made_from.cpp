// SPDX-License-Identifier: Apache-2.0
//
// Stacks come out of recordings, which are hostile: one pass over the text, no number too large.
#include "libcoalcheck/findings/sources/made_from.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "libcoalcheck/base/trimmed.h"
#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::findings {
namespace {

constexpr std::size_t kMostLines = 8;
constexpr std::size_t kMostText = 4096;  // of these lines together: each access keeps them
constexpr std::size_t kMostStackText = std::size_t{64}
                                       << 10U;  // one text may be that of many files
constexpr std::string_view kFile = "File \"";
constexpr std::string_view kLine = "\", line ";
constexpr std::string_view kIn = ", in ";

// Cuts a first part off that ends before `end`; what is left begins behind it.
std::string_view CutOff(std::string_view& text, std::string_view end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return part;
}

std::optional<Frame> FrameIn(std::string_view line) {
  if (!line.starts_with(kFile)) return std::nullopt;
  const std::size_t file_ends = line.rfind(kLine);  // a file's name may hold quotes
  if (file_ends == std::string_view::npos || file_ends < kFile.size()) return std::nullopt;
  Frame frame;
  frame.file = line.substr(kFile.size(), file_ends - kFile.size());
  const std::string_view rest = line.substr(file_ends + kLine.size());
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  const std::string_view behind = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (error != std::errc() || frame.line == 0 || !behind.starts_with(kIn)) return std::nullopt;
  frame.function = behind.substr(kIn.size());
  if (frame.file.empty()) return std::nullopt;
  return frame;
}

bool HasChanged(const MadeFrom& made, const SourceView& source) {
  const std::optional<std::string> now = source.text.Line(made.frame.file, made.frame.line);
  return now && !made.text.empty() && Trimmed(*now) != made.text;
}

// The one that a user can edit.
std::optional<MadeFrom> Chosen(std::vector<MadeFrom> frames, const SourceView& source) {
  std::vector<cubin::SourceFrame> shown;
  for (MadeFrom& one : frames) {
    one.frame.file = source.path_map.Apply(cubin::TidyPath(one.frame.file));
    shown.push_back({one.frame.function, one.frame.file, one.frame.line});
  }
  const cubin::SourceFrame* chosen = cubin::LineShown(shown, source.scope);
  if (chosen == nullptr || cubin::IsInstalledFile(chosen->file)) return std::nullopt;
  MadeFrom& made = frames[static_cast<std::size_t>(chosen - shown.data())];
  if (HasChanged(made, source)) return std::nullopt;
  return std::move(made);
}

std::size_t TextOf(const MadeFrom& one) {
  return one.frame.file.size() + one.frame.function.size() + one.text.size();
}

}  // namespace

std::vector<MadeFrom> FramesOfStack(std::string_view stack) {
  std::vector<MadeFrom> frames;
  bool is_text_next = false;
  while (!stack.empty()) {
    const std::string_view line = Trimmed(CutOff(stack, "\n"));
    if (std::optional<Frame> frame = FrameIn(line)) {
      frames.push_back({*std::move(frame), {}});
      is_text_next = true;
    } else if (is_text_next) {
      frames.back().text = line;
      is_text_next = false;
    }
  }
  std::ranges::reverse(frames);
  return frames;
}

std::vector<MadeFrom> MadeFromOf(std::string_view file, const SourceView& source) {
  std::vector<MadeFrom> lines;
  std::string_view stacks = source.stack_of ? source.stack_of(file) : std::string_view();
  stacks = stacks.substr(0, kMostStackText);
  std::size_t text = 0;
  while (!stacks.empty() && lines.size() < kMostLines) {
    std::optional<MadeFrom> made = Chosen(FramesOfStack(CutOff(stacks, "\n\n")), source);
    const auto is_known = [&](const MadeFrom& one) { return one.frame == made->frame; };
    if (!made || text + TextOf(*made) > kMostText) continue;
    if (std::ranges::any_of(lines, is_known)) continue;
    text += TextOf(*made);
    lines.push_back(*std::move(made));
  }
  return lines;
}

}  // namespace coalcheck::findings
