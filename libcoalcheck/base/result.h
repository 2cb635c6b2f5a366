// SPDX-License-Identifier: Apache-2.0
//
// The error idiom of coalcheck_core, which has no Abseil: a value, or a sentence that says what
// went wrong and what would be accepted. coalcheck_analysis uses absl::StatusOr instead.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace coalcheck {

struct Error {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  // Only when ok().
  const T& value() const& { return *std::get_if<T>(&state_); }
  T&& value() && { return std::move(*std::get_if<T>(&state_)); }
  // Only when !ok().
  const std::string& error() const { return std::get_if<Error>(&state_)->message; }

 private:
  std::variant<T, Error> state_;
};

}  // namespace coalcheck
