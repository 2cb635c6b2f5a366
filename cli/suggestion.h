// SPDX-License-Identifier: Apache-2.0
//
// What a mistyped command line probably meant.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace coalcheck::cli {

// What CLI11 says, as the other messages are worded: "--format takes …".
std::string Message(const CLI::ParseError& error);

// A sentence about the words that nobody took in a parse that failed, naming the nearest command or
// option when one is near: `unknown option "--fromat": did you mean "--format"?`. Empty when every
// word was taken.
std::string DescribeUnknownWord(const CLI::App& app);

// What a command that was cut short wants yet: "which file? coalcheck baseline write FILE
// RECORDING…". Empty when `error` is about something else.
std::string DescribeMissingWord(const CLI::App& app, const CLI::ParseError& error);

// The command that was being read, without coalcheck: "baseline write"; empty when there is none.
std::string CommandWords(const CLI::App& app);

}  // namespace coalcheck::cli
