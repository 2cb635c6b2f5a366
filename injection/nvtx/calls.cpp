// SPDX-License-Identifier: Apache-2.0
//
// One set of handles for the process: what one shared object created, another may use.
#include "injection/nvtx/calls.h"

#include <pthread.h>

#include <atomic>

namespace coalcheck::nvtx {
namespace {

// Never destroyed: threads may call in while the process ends.
struct Heard {
  explicit Heard(agent::RangeBook& ranges) : book(ranges) {}
  agent::RangeBook& book;
  Handles domains{Handles::Kind::kDomain, agent::kOtherDomains};
  Handles strings{Handles::Kind::kString, agent::kOtherRanges};
};
std::atomic<Heard*> heard{nullptr};

Heard& Now() { return *heard.load(std::memory_order_acquire); }

bool BeginToListen(agent::RangeBook& book) {
  heard.store(new Heard(book), std::memory_order_release);
  pthread_atfork(nullptr, nullptr, [] {
    Now().domains.Forked();
    Now().strings.Forked();
  });
  return true;
}

// Runs `call`; gives `failed` when memory runs out.
template <typename Value, typename Call>
Value Guarded(Value failed, Call call) noexcept {
  try {
    return call();
  } catch (...) {
    return failed;
  }
}

std::string_view NameOf(Handle domain) {
  if (domain == kDefaultDomain) return {};
  const std::string* name = Now().domains.Find(domain);
  if (name == nullptr) return kForeignDomain;
  return *name;
}

}  // namespace

void Listen(agent::RangeBook& book) {
  static const bool begun = BeginToListen(book);
  static_cast<void>(begun);
}

agent::RangeLevel Push(Handle domain, std::string_view name) noexcept {
  return Guarded(agent::kNotFollowed, [&] { return Now().book.Push(NameOf(domain), name); });
}

agent::RangeLevel Pop(Handle domain) noexcept {
  return Guarded(agent::kNotFollowed, [&] { return Now().book.Pop(NameOf(domain)); });
}

agent::RangeKey Start(Handle domain, std::string_view name) noexcept {
  return Guarded(agent::RangeKey{}, [&] { return Now().book.Start(NameOf(domain), name); });
}

void End(agent::RangeKey range) noexcept {
  Guarded(false, [&] {
    Now().book.End(range);
    return true;
  });
}

Handle DomainNamed(std::string_view name) noexcept {
  return Guarded(Handle{}, [&] { return Now().domains.Intern(name); });
}

Handle Registered(std::string_view text) noexcept {
  return Guarded(Handle{}, [&] { return Now().strings.Intern(text); });
}

std::string_view TextOf(Handle registered) noexcept {
  const std::string* text = Now().strings.Find(registered);
  if (text == nullptr) return {};
  return *text;
}

}  // namespace coalcheck::nvtx
