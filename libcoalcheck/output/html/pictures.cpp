// SPDX-License-Identifier: Apache-2.0
//
// Figures refer to symbols, and findings that look alike share both.
#include "libcoalcheck/output/html/pictures.h"

#include <fmt/format.h>

#include "libcoalcheck/output/escape.h"

namespace coalcheck::output::html {

const std::string& Pictures::Figure(const patterns::Share& share) {
  static const std::string kNone;
  if (share.pattern.candidates.empty()) return kNone;
  const patterns::Candidate& one = share.pattern.candidates.front();
  const Lanes active = ActiveOf(share);
  const auto [figure, fresh] = figures_.try_emplace(
      {one.pattern, one.parameter.low, one.parameter.high, share.width, active});
  if (!fresh) return figure->second;
  if (const auto picture = draw_(one, share.width, active)) figure->second = FigureOf(*picture);
  return figure->second;
}

std::string Pictures::Symbols() const {
  if (symbols_.empty()) return {};
  return "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\">\n" +
         symbols_ + "</svg>\n";
}

std::string Pictures::FigureOf(const Picture& picture) {
  const auto [entry, fresh] = numbers_.try_emplace(picture.svg, numbers_.size());
  if (fresh) {
    symbols_ += fmt::format("<symbol id=\"p{}\" viewBox=\"{}\">{}</symbol>\n", entry->second,
                            kPictureBox, picture.svg);
  }
  const std::string label = EscapeHtml(picture.label);
  return fmt::format(
      "<figure class=\"picture\"><svg viewBox=\"{}\" role=\"img\" aria-label=\"{}\">"
      "<use href=\"#p{}\"/></svg><figcaption aria-hidden=\"true\">{}. Green is "
      "asked for, red is the rest of a touched sector.</figcaption></figure>\n",
      kPictureBox, label, entry->second, label);
}

}  // namespace coalcheck::output::html
