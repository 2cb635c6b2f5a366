// SPDX-License-Identifier: Apache-2.0
//
// `.param .align 8 .b8 name[24]`, `.shared .align 4 .f32 tile[33][32]`, and the like.
#include "libcoalcheck/ptx/declaration.h"

#include <limits>

#include "libcoalcheck/ptx/numbers.h"

namespace coalcheck::ptx {
namespace {

std::uint64_t Product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  const bool too_large = __builtin_mul_overflow(a, b, &product);
  return too_large ? std::numeric_limits<std::uint64_t>::max() : product;
}

class Reader {
 public:
  Reader(Tokens& tokens, const Token& first) : tokens_(tokens), token_(first) {
    result_.symbol.space = SpaceOfDirective(first.text).value_or(Space::kOther);
  }

  Declaration Read() && {
    Take();
    while (!AtEnd()) Word();
    result_.symbol.bytes = Product(Product(result_.type.bytes, vector_), elements_);
    if (is_array_) result_.type.kind = Type::Kind::kBits;
    result_.last = token_;
    return result_;
  }

 private:
  void Take() { token_ = tokens_.Next(); }

  bool AtEnd() const {
    if (token_.kind == Token::Kind::kEnd) return true;
    return token_.kind == Token::Kind::kMark && token_.text != "[" && token_.text != "]";
  }

  // Each reads what it knows and takes the token behind it.
  void Word() {
    const std::string_view word = token_.text;
    if (word == ".align") return Align();
    if (word == ".ptr") return Pointer();
    if (token_.Is('[')) return Size();
    if (word == ".v2" || word == ".v4") {
      vector_ = static_cast<std::uint64_t>(word[2] - '0');
    } else if (word.starts_with('.')) {
      const Type found = TypeFromString(word.substr(1));
      if (found.kind != Type::Kind::kNone) result_.type = found;
    } else if (token_.kind == Token::Kind::kWord) {
      result_.symbol.name = word;
    }
    Take();
  }

  void Align() {
    Take();
    result_.align = NumberFromString(token_.text).value_or(0);
    if (!AtEnd()) Take();
  }

  // `.ptr .global .align 16` says what a parameter points to.
  void Pointer() {
    Take();
    while (!AtEnd() && (token_.text.starts_with('.') || token_.kind == Token::Kind::kNumber)) {
      Take();
    }
  }

  void Size() {
    is_array_ = true;
    Take();
    if (token_.kind == Token::Kind::kNumber) {
      elements_ = Product(elements_, NumberFromString(token_.text).value_or(0));
      Take();
    } else {
      elements_ = 0;  // `[]`: the launch decides
    }
    if (token_.Is(']')) Take();
  }

  Tokens& tokens_;
  Token token_;
  Declaration result_;
  std::uint64_t vector_ = 1;
  std::uint64_t elements_ = 1;
  bool is_array_ = false;
};

}  // namespace

std::optional<Space> SpaceOfDirective(std::string_view word) {
  word = word.substr(0, word.find(':'));
  if (word == ".global") return Space::kGlobal;
  if (word == ".shared") return Space::kShared;
  if (word == ".local") return Space::kLocal;
  if (word == ".param") return Space::kParam;
  if (word == ".const") return Space::kConst;
  return std::nullopt;
}

Declaration ReadDeclaration(Tokens& tokens, const Token& first) {
  return Reader(tokens, first).Read();
}

}  // namespace coalcheck::ptx
