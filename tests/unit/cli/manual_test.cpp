// SPDX-License-Identifier: Apache-2.0
//
// What manual pages and completion are made of. The shells, man and mandoc judge the outcome in
// tests/integration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/manual/man_page.h"
#include "cli/manual/syntax.h"
#include "cli/manual/value_choices.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/command_syntax.h"

namespace coalcheck::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ValueChoicesTest, LowerCaseStandsForItselfAndUpperCaseForSomething) {
  EXPECT_THAT(ChoicesOf("auto|first|every:N").words, ElementsAre("auto", "first", "every:"));
  EXPECT_THAT(ChoicesOf("FORMAT[=FILE]").words, Contains("sarif"));
  const ValueChoices named = ChoicesOf("FILE|none");
  EXPECT_THAT(named.words, ElementsAre("none"));
  EXPECT_TRUE(named.files);
  EXPECT_FALSE(named.folders);
  EXPECT_TRUE(ChoicesOf("FOLDER").folders);
  EXPECT_TRUE(ChoicesOf("APP").programs);
}

TEST(ValueChoicesTest, ANumberOffersNothing) {
  for (const char* placeholder : {"N", "PERCENT", "OLD=NEW", ""}) {
    const ValueChoices choices = ChoicesOf(placeholder);
    EXPECT_THAT(choices.words, IsEmpty()) << placeholder;
    EXPECT_FALSE(choices.files || choices.folders || choices.programs) << placeholder;
  }
}

CommandLineSyntax Everything() {
  CommandParser parser("All", "coalcheck");
  Command coalcheck = parser.root();
  AddRunCommand(coalcheck, [](int) {});
  coalcheck.AddCommand("hidden", "").Hide();
  coalcheck.AddCommand("outer", "Has one below").AddCommand("inner", "Lies below");
  return DescribeCommandLine(coalcheck);
}

TEST(SyntaxTest, RunTakesTheOptionsOfTheTable) {
  const CommandLineSyntax all = Everything();
  const CommandSyntax* run = FindCommand(all, {"run"});
  ASSERT_NE(run, nullptr);
  EXPECT_THAT(run->options, Contains(Field(&OptionSyntax::names, ElementsAre("--sampling"))));
  EXPECT_THAT(run->options, Contains(Field(&OptionSyntax::names, ElementsAre("-o", "--output"))));
}

TEST(SyntaxTest, CommandsBelowCommandsAreFoundAndHiddenOnesAreNot) {
  const CommandLineSyntax all = Everything();
  EXPECT_NE(FindCommand(all, {"outer", "inner"}), nullptr);
  EXPECT_EQ(FindCommand(all, {"inner"}), nullptr);
  EXPECT_EQ(CommandsBelow(all, *FindCommand(all, {"outer"})).size(), 1);
  EXPECT_EQ(CommandsBelow(all, all.front()).size(), 2);
  EXPECT_EQ(FindCommand(all, {"hidden"}), nullptr);
}

TEST(SyntaxTest, AFlagHasNoValue) {
  const CommandLineSyntax all = Everything();
  const CommandSyntax* run = FindCommand(all, {"run"});
  ASSERT_NE(run, nullptr);
  EXPECT_THAT(run->options, Contains(AllOf(Field(&OptionSyntax::names, ElementsAre("--exit-zero")),
                                           Field(&OptionSyntax::value, ""))));
  EXPECT_THAT(run->options, Contains(AllOf(Field(&OptionSyntax::names, ElementsAre("--budget")),
                                           Field(&OptionSyntax::value, "N%"))));
}

TEST(ManPageTest, TextThatLooksLikeALanguageOfManMeansItself) {
  CommandSyntax command;
  command.words = {"odd"};
  command.description = "Takes ‘…’ and \\n";
  command.options = {{{"--dot"}, "", ".hidden files"}, {{"--quote"}, "", "'quoted'"}};
  const std::string page = ManPage({command}, command);
  EXPECT_THAT(page, HasSubstr("Takes \\[u2018]\\[u2026]\\[u2019] and \\(rsn\n"));
  EXPECT_THAT(page, HasSubstr("\n\\&.hidden files\n"));
  EXPECT_THAT(page, HasSubstr("\n\\&'quoted'\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-dot\\fR\n"));
  EXPECT_THAT(page, Not(HasSubstr("\n.hidden")));
}

TEST(ManPageTest, ExitCodesOfAFooterAreASectionOfTheirOwn) {
  CommandSyntax command;
  command.words = {"one"};
  command.footer = "Words.\n  an example\n\nExit codes: 0 well, 5 not.";
  const std::string page = ManPage({command}, command);
  EXPECT_THAT(page, HasSubstr(".SH DESCRIPTION\nWords.\n.RS\n.nf\nan example\n.fi\n.RE\n"));
  EXPECT_THAT(page, HasSubstr(".SH \"EXIT STATUS\"\n0 well, 5 not.\n"));
}

}  // namespace
}  // namespace coalcheck::cli
