// SPDX-License-Identifier: Apache-2.0
//
// LLVM's parser, with an allocator that knows what each node will cost to print.
//
// A name of some hundred characters can stand for terabytes of text, and packs that refer to packs
// for years of work without any. Both come from parts that are printed again wherever a name refers
// to them. So each node carries an upper bound of its printing, the sum of its parts' and, for a
// pack expansion, their product with the length of the longest pack; a node beyond the limit ends
// the parse, and nothing is printed.
#include "libcoalcheck/base/itanium_name.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include "llvm_demangle/ItaniumDemangle.h"

// Declared there, for LLVM to define: the first character after `_D` or `__DD_`, which tells local
// names apart; `first` where there is none.
const char* llvm::itanium_demangle::parse_discriminator(const char* first, const char* last) {
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  const auto digits = [&](std::size_t from) {
    const std::size_t end = text.find_first_not_of("0123456789", from);
    return end == std::string_view::npos ? text.size() : end;
  };
  if (text.starts_with("__")) {
    const std::size_t end = digits(2);
    const bool closed = end > 2 && end < text.size() && text[end] == '_';
    return closed ? first + end + 1 : first;
  }
  if (text.starts_with("_") && digits(1) > 1) return first + 2;
  // As some compilers end a name: digits, and nothing behind them.
  return !text.empty() && digits(0) == text.size() ? last : first;
}

namespace coalcheck {
namespace {

namespace itanium = llvm::itanium_demangle;

constexpr std::size_t kMaxText = 16384;
constexpr std::uint64_t kMaxCost = 16384;
constexpr int kMaxDepth = 192;  // a template argument and its type are two
constexpr int kMaxCalls = 65536;

// Thrown and caught in this file only.
struct TooMuch {};

// Of one node with all that it refers to.
struct Size {
  std::uint64_t cost = 1;  // calls, and characters of the name, when it is printed
  int depth = 1;

  void Add(const Size& part) {
    cost += part.cost;
    if (part.depth >= depth) depth = part.depth + 1;
  }
};

// Nodes that print a part once for each element of a pack.
template <class T>
inline constexpr bool kExpands =
    std::is_same_v<T, itanium::ParameterPackExpansion> || std::is_same_v<T, itanium::FoldExpr> ||
    std::is_same_v<T, itanium::SizeofParamPackExpr>;

class Nodes {
 public:
  template <class T, class... Args>
  itanium::Node* makeNode(Args&&... args) {
    // Its meaning comes later, and with it what it costs. Kernels have none: it is for operators
    // that convert to a type named by their own template arguments.
    if (std::is_same_v<T, itanium::ForwardTemplateReference>) throw TooMuch();
    Size size;
    (Take(args, size), ...);
    if (kExpands<T>) size.cost *= 1 + longest_array_;
    if (size.cost > kMaxCost || size.depth > kMaxDepth) throw TooMuch();
    constexpr std::size_t kAlign = alignof(std::max_align_t);
    constexpr std::size_t kBefore = (sizeof(Size) + kAlign - 1) / kAlign * kAlign;
    char* place = static_cast<char*>(arena_.allocate(kBefore + sizeof(T), kAlign));
    T* node = new (place + kBefore) T(std::forward<Args>(args)...);
    new (place + kBefore - sizeof(Size)) Size(size);
    return node;
  }

  void* allocateNodeArray(std::size_t count) {
    if (count > longest_array_) longest_array_ = count;
    return arena_.allocate(count * sizeof(itanium::Node*));
  }

  void reset() {}

 private:
  static const Size& SizeOf(const itanium::Node* node) {
    return *reinterpret_cast<const Size*>(reinterpret_cast<const char*>(node) - sizeof(Size));
  }
  // What a constructor's argument adds to its node.
  template <class T>
  static void Take(const T& argument, Size& size) {
    if constexpr (std::is_null_pointer_v<T>) {
    } else if constexpr (std::is_convertible_v<T, const itanium::Node*>) {
      if (argument != nullptr) size.Add(SizeOf(argument));
    } else if constexpr (std::is_same_v<T, itanium::NodeArray>) {
      for (const itanium::Node* part : argument) Take(part, size);
    } else if constexpr (std::is_same_v<T, itanium::StringView>) {
      size.cost += argument.size();
    }
  }

  std::byte first_[4096];
  std::pmr::monotonic_buffer_resource arena_{first_, sizeof(first_)};
  std::uint64_t longest_array_ = 0;
};

// Every recursion of the parser goes through one of these functions.
class Parser : public itanium::AbstractManglingParser<Parser, Nodes> {
  using Base = itanium::AbstractManglingParser<Parser, Nodes>;

 public:
  using Base::Base;

  itanium::Node* parseEncoding() { return Step(&Base::parseEncoding); }
  itanium::Node* parseType() { return Step(&Base::parseType); }
  itanium::Node* parseExpr() { return Step(&Base::parseExpr); }
  itanium::Node* parseBracedExpr() { return Step(&Base::parseBracedExpr); }
  itanium::Node* parseTemplateArg() { return Step(&Base::parseTemplateArg); }

 private:
  itanium::Node* Step(itanium::Node* (Base::*production)()) {
    if (++depth_ > kMaxDepth || ++calls_ > kMaxCalls) throw TooMuch();
    itanium::Node* node = (this->*production)();
    --depth_;
    return node;
  }

  int depth_ = 0;
  int calls_ = 0;
};

std::optional<std::string> Print(const itanium::Node& name) {
  itanium::OutputBuffer buffer;
  name.print(buffer);
  const std::size_t size = buffer.getCurrentPosition();
  std::optional<std::string> text;
  if (size <= kMaxText) text.emplace(buffer.getBuffer(), size);
  std::free(buffer.getBuffer());
  return text;
}

}  // namespace

std::optional<std::string> ReadItaniumName(std::string_view mangled) {
  try {
    Parser parser(mangled.data(), mangled.data() + mangled.size());
    const itanium::Node* name = parser.parse();
    if (name != nullptr) return Print(*name);
  } catch (const TooMuch&) {
  }
  return std::nullopt;
}

}  // namespace coalcheck
