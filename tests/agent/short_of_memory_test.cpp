// SPDX-License-Identifier: Apache-2.0
//
// What becomes of an exception in a callback: measuring stops, the program goes on.
#include <gmock/gmock.h>

#include <cstdlib>
#include <new>
#include <stdexcept>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace {

thread_local bool no_memory = false;

}  // namespace

// Not inlined: compilers see free() behind new otherwise, and warn of it.
__attribute__((noinline)) void* operator new(std::size_t size) {
  void* memory = no_memory ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace coalcheck::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Callback = OneContext;

TEST_F(Callback, WithoutAnyMemoryLeftTheProgramGoesOnAndNothingMoreIsMeasured) {
  Start();
  Launch("a");
  program_->agent().Guard([] {
    no_memory = true;
    throw std::bad_alloc();
  });
  no_memory = false;
  EXPECT_TRUE(program_->agent().stopped());
  Launch("b");
  EXPECT_THAT(program_->End().windows, ::testing::SizeIs(1));
}

TEST_F(Callback, AnExceptionIsNamedForWhatItIs) {
  Start();
  ::testing::internal::CaptureStderr();
  program_->agent().Guard([] { throw std::runtime_error("odd"); });
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("an error of its own: odd"));
  EXPECT_THAT(Losses(End()), ElementsAre(HasSubstr("could_not_collect: ")));
}

}  // namespace
}  // namespace coalcheck::testing
