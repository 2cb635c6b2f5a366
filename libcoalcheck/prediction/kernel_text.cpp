// SPDX-License-Identifier: Apache-2.0
//
// Token by token.
#include "libcoalcheck/prediction/kernel_text.h"

#include <absl/container/flat_hash_map.h>

#include <cstddef>

#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::prediction {

std::string ComparableText(std::string_view ptx) {
  std::string text;
  absl::flat_hash_map<std::string_view, std::size_t> labels;
  ptx::Tokens tokens(ptx);
  for (ptx::Token one = tokens.Next(); one.kind != ptx::Token::Kind::kEnd; one = tokens.Next()) {
    if (one.text == ".loc") {
      tokens.SkipLine();
    } else if (one.kind == ptx::Token::Kind::kWord && one.text.starts_with('$')) {
      text += '$' + std::to_string(labels.try_emplace(one.text, labels.size()).first->second) + ' ';
    } else {
      text.append(one.text) += ' ';
    }
  }
  return text;
}

}  // namespace coalcheck::prediction
