// SPDX-License-Identifier: Apache-2.0
//
// Texts and handles that programs hand to NVTX: bounded, and never trusted.
#include <gtest/gtest.h>

#include <string>

#include "injection/nvtx/handles.h"
#include "injection/nvtx/message_text.h"

namespace coalcheck::nvtx {
namespace {

TEST(NvtxTexts, WideTextBecomesUtf8) {
  EXPECT_EQ(Narrowed(L"a\u00e9\u6f22\U0001f600").text(), "a\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80");
  EXPECT_EQ(Narrowed(nullptr).text(), "");
}

TEST(NvtxTexts, WhatIsNoCharacterBecomesTheReplacementCharacter) {
  const wchar_t text[] = {static_cast<wchar_t>(0xD800), static_cast<wchar_t>(0x110000), L'x', 0};
  EXPECT_EQ(Narrowed(text).text(), "\xef\xbf\xbd\xef\xbf\xbdx");
}

TEST(NvtxTexts, OnlyTheBeginningOfALongTextIsRead) {
  EXPECT_EQ(Narrow(std::string(100'000, 'a').c_str()).size(), kMaxTextBytes);
  EXPECT_EQ(Narrowed(std::wstring(100'000, L'\U0001f600').c_str()).text().size(), kMaxTextBytes);
}

TEST(NvtxHandles, EqualTextsHaveOneHandle) {
  Handles domains(Handles::Kind::kDomain, "others");
  const Handle a = domains.Intern("a");
  EXPECT_EQ(domains.Intern("a"), a);
  EXPECT_NE(domains.Intern("b"), a);
  EXPECT_EQ(*domains.Find(a), "a");
}

TEST(NvtxHandles, AHandleOfAnotherTableOrOfNobodyIsNotFound) {
  Handles domains(Handles::Kind::kDomain, "others");
  Handles strings(Handles::Kind::kString, "others");
  const Handle a = domains.Intern("a");
  EXPECT_EQ(strings.Find(a), nullptr);
  EXPECT_EQ(domains.Find(Handle(0)), nullptr);
  EXPECT_EQ(domains.Find(Handle(1)), nullptr);
  EXPECT_EQ(domains.Find(Handle(~std::uintptr_t{0})), nullptr);
  EXPECT_EQ(domains.Find(Handle(a.value() + 1)), nullptr);
}

TEST(NvtxHandles, FurtherTextsShareAHandleOnceThereIsNoRoom) {
  Handles strings(Handles::Kind::kString, "others");
  Handle last;
  for (std::size_t i = 0; i < 2 * kMaxHandles; ++i) last = strings.Intern(std::to_string(i));
  EXPECT_EQ(*strings.Find(last), "others");
  EXPECT_EQ(*strings.Find(strings.Intern("7")), "7");
  EXPECT_EQ(*strings.Find(strings.Intern(std::to_string(kMaxHandles - 1))),
            std::to_string(kMaxHandles - 1));
}

}  // namespace
}  // namespace coalcheck::nvtx
