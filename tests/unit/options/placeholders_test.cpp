// SPDX-License-Identifier: Apache-2.0
//
// What is put into the name of a folder, and what is left in it.
#include "libcoalcheck/options/placeholders.h"

#include <gtest/gtest.h>

namespace coalcheck::options {
namespace {

std::string Expand(std::string_view text, std::optional<std::uint32_t> rank = 3) {
  const auto variable = [](const std::string& name) {
    return name == "RANK" ? std::string("%p") : std::string();
  };
  return ExpandPlaceholders(text, {42, "node7", rank, variable});
}

TEST(Placeholders, AreReplaced) {
  EXPECT_EQ(Expand("%h/%p.%q{RANK}%%p[%q{UNSET}]"), "node7/42.%p%p[]") << "each of them once";
  EXPECT_EQ(Expand("%p%p"), "4242");
  EXPECT_EQ(Expand("%%%%"), "%%");
  EXPECT_EQ(Expand("%r of %p"), "3 of 42");
}

TEST(Placeholders, AProcessWithoutARankIsNamedByItsId) {
  EXPECT_EQ(Expand("%h.%r", std::nullopt), "node7.42");
}

TEST(Placeholders, WhatIsNoneStaysAsItIs) {
  for (const char* text : {"", "plain", "%x", "%", "a%", "%q", "%q{OPEN", "%q{open %x", "%qx}"}) {
    EXPECT_EQ(Expand(text), text);
  }
}

}  // namespace
}  // namespace coalcheck::options
