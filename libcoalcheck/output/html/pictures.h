// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a page: each is drawn and held once, however many findings have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "libcoalcheck/output/html/picture.h"
#include "libcoalcheck/patterns/shares.h"

namespace coalcheck::output::html {

class Pictures {
 public:
  using Draw = std::optional<Picture> (*)(const patterns::Candidate& candidate, Bytes width,
                                          Lanes active);

  explicit Pictures(Draw draw = DrawPattern) : draw_(draw) {}

  // The <figure> of a share's first candidate; empty where it has none, or none that can be drawn.
  const std::string& Figure(const patterns::Share& share);
  // What the figures refer to.
  std::string Symbols() const;

 private:
  using Drawn =
      std::tuple<patterns::Pattern, std::uint64_t, std::optional<std::uint64_t>, Bytes, Lanes>;

  std::string FigureOf(const Picture& picture);

  Draw draw_;
  std::map<Drawn, std::string> figures_;
  std::map<std::string, std::size_t> numbers_;  // by what is drawn: labels may differ
  std::string symbols_;
};

}  // namespace coalcheck::output::html
