// SPDX-License-Identifier: Apache-2.0
//
// Foreign text ends nothing and begins nothing.
#include "libcoalcheck/output/escape.h"

#include <gtest/gtest.h>

namespace coalcheck::output {
namespace {

TEST(Escape, WhatIsCutIsWholeCharactersAndSaysSo) {
  EXPECT_EQ(Cut("abc", 3), "abc");
  EXPECT_EQ(Cut("abcd", 3), "abc …");
  EXPECT_EQ(Cut("aé", 2), "a …") << "é is two bytes";
  EXPECT_EQ(Cut("\x80\x80\x80", 2), " …") << "no character begins here";
}

TEST(Escape, HtmlKeepsItsTagsAndAttributes) {
  EXPECT_EQ(EscapeHtml("<a b=\"c\">&'\n"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;?");
}

TEST(Escape, MarkdownKeepsItsCells) {
  EXPECT_EQ(EscapeMarkdown("a|b\n<x> @me *b*"), "a\\|b?&lt;x&gt; @<!-- -->me \\*b\\*");
  EXPECT_EQ(EscapeMarkdown("www.a www.b c://d"), "www<!-- -->.a www<!-- -->.b c:<!-- -->//d");
  EXPECT_EQ(EscapeMarkdown("GH-1 gh-22 path-1 gh-x a#1"),
            "GH<!-- -->-1 gh<!-- -->-22 path-1 gh-x a#<!-- -->1");
  EXPECT_EQ(EscapeMarkdown("abcdef1 at c19654b81f, abcde1, abcdefg1, 1234567"),
            "abcdef<!-- -->1 at c19654<!-- -->b81f, abcde1, abcdefg1, 1234567");
}

TEST(Escape, AWorkflowCommandKeepsItsPropertiesAndItsLine) {
  EXPECT_EQ(EscapeGithubMessage("50 %: a,b"), "50 %25: a,b");
  EXPECT_EQ(EscapeGithubProperty("a:b,c%\r"), "a%3Ab%2Cc%25?");
}

TEST(Escape, AMessageOfSarifHoldsNoLink) {
  EXPECT_EQ(EscapeSarifMessage("operator[](int) [x](http://y)"), "operator[] (int) [x] (http://y)");
}

TEST(Escape, AUriHoldsEveryByteOfAPath) {
  EXPECT_EQ(UriPath("a b/\xff#?%.cu"), "a%20b/%FF%23%3F%25.cu");
}

}  // namespace
}  // namespace coalcheck::output
