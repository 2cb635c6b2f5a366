// SPDX-License-Identifier: Apache-2.0
//
// The two forms of a diagnosis.
#include "libcoalcheck/doctor/output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/doctor/machines.h"

namespace coalcheck::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Diagnosis Reserved() {
  Facts facts = GoodMachine();
  facts.permissions.admin_only = true;
  return Diagnose(facts);
}

TEST(DoctorText, RemediesStandUnderTheirCheckAndTheSummaryIsLast) {
  const std::string text = ToText(Reserved(), false);
  EXPECT_THAT(text, HasSubstr("  warning   permission: "));
  EXPECT_THAT(text, HasSubstr("\n            -> as an administrator: put \"options nvidia "));
  EXPECT_TRUE(text.ends_with("\ncoalcheck: counting works on 1 of 1 GPU(s)\n")) << text;
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(DoctorText, ColourIsForTheStateOnly) {
  EXPECT_THAT(ToText(Reserved(), true), HasSubstr("\x1b[1;32mok      \x1b[0m  driver: "));
}

TEST(DoctorText, WhatOthersNamedCannotMoveTheCursor) {
  Facts facts = GoodMachine();
  facts.driver.gpus[0].name = "A\x1b[2J\nB";
  EXPECT_THAT(ToText(Diagnose(facts), false), Not(HasSubstr("\x1b")));
}

TEST(DoctorJson, SaysTheSameAsTheText) {
  const nlohmann::json json = nlohmann::json::parse(ToJson(Reserved(), 0));
  EXPECT_EQ(json["format"], "coalcheck-doctor");
  EXPECT_EQ(json["works"], true);
  EXPECT_EQ(json["exit_code"], 0);
  EXPECT_EQ(json["checks"].size(), Reserved().checks.size());
  EXPECT_EQ(json["engines"][0]["state"], "works");
}

TEST(DoctorJson, ANameThatIsNoUtf8IsStillJson) {
  Facts facts = GoodMachine();
  facts.driver.gpus[0].name = "\xff\xfe";
  EXPECT_TRUE(nlohmann::json::accept(ToJson(Diagnose(facts), 0)));
}

}  // namespace
}  // namespace coalcheck::doctor
