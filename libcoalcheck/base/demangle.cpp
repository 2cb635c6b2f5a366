// SPDX-License-Identifier: Apache-2.0
//
// Demangling through the C++ runtime, with a limit on what a hostile name can expand to.
#include "libcoalcheck/base/demangle.h"

#include <csetjmp>
#include <cstddef>
#include <optional>

// The body of abi::__cxa_demangle, handing its text over piece by piece. A name of a hundred
// characters can stand for terabytes of text, and this is the only form that can be stopped. It is
// in libsupc++.a, not in the shared libstdc++.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled,
                                             void (*callback)(const char*, std::size_t, void*),
                                             void* opaque);

namespace coalcheck {
namespace {

constexpr std::size_t kMaxText = 16384;
constexpr std::size_t kMaxMangled = 65536;

struct Sink {
  std::jmp_buf too_long;
  std::size_t size = 0;
  char text[kMaxText];
};

void Append(const char* text, std::size_t size, void* opaque) {
  Sink& sink = *static_cast<Sink*>(opaque);
  // The demangler is C code without anything to unwind, and without another way to stop it.
  if (size > kMaxText - sink.size) std::longjmp(sink.too_long, 1);
  for (std::size_t i = 0; i < size; ++i) sink.text[sink.size++] = text[i];
}

// Nothing here may need a destructor: longjmp skips them.
bool DemangleInto(const char* mangled, Sink& sink) {
  if (setjmp(sink.too_long) != 0) return false;
  return __gcclibcxx_demangle_callback(mangled, Append, &sink) == 0;
}

// "a::b" of `_ZN1a1bI…`, with `<…>` for whatever follows a template name.
std::optional<std::string> QualifiedName(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;
  const bool nested = mangled.starts_with("_ZN");
  mangled.remove_prefix(nested ? 3 : 2);
  std::string name;
  while (!mangled.empty() && mangled[0] >= '1' && mangled[0] <= '9') {
    std::size_t length = 0;
    while (!mangled.empty() && mangled[0] >= '0' && mangled[0] <= '9' && length < kMaxText) {
      length = length * 10 + static_cast<std::size_t>(mangled[0] - '0');
      mangled.remove_prefix(1);
    }
    if (length > mangled.size() || name.size() + length > kMaxText) return std::nullopt;
    if (!name.empty()) name += "::";
    name += mangled.substr(0, length);
    mangled.remove_prefix(length);
    if (!nested) break;
  }
  if (name.empty()) return std::nullopt;
  if (mangled.starts_with("I")) name += "<…>";
  return name;
}

std::optional<std::string> DemangleWhole(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;
  Sink sink;
  if (DemangleInto(mangled.c_str(), sink)) return std::string(sink.text, sink.size);
  return QualifiedName(mangled);
}

std::string DemangleParts(std::string_view mangled) {
  std::string joined;
  while (true) {
    const std::size_t dollar = mangled.find('$');
    const std::string part(mangled.substr(0, dollar));
    joined += DemangleWhole(part).value_or(part);
    if (dollar == std::string_view::npos || joined.size() > kMaxText) return joined;
    joined += '$';
    mangled.remove_prefix(dollar + 1);
  }
}

}  // namespace

std::string Demangle(std::string_view mangled) {
  mangled = mangled.substr(0, mangled.find('\0'));
  if (mangled.size() > kMaxMangled) return std::string(mangled.substr(0, kMaxText));
  if (mangled.find('$') != std::string_view::npos) return DemangleParts(mangled);
  std::string whole(mangled);
  return DemangleWhole(whole).value_or(whole);
}

}  // namespace coalcheck
