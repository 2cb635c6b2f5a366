// SPDX-License-Identifier: Apache-2.0
//
// A thread with all signals blocked, for the host's handlers must run on the host's threads.
#include "injection/agent/process/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <memory>
#include <new>

namespace coalcheck::agent {
namespace {

constexpr std::size_t kStack = std::size_t{256} << 10U;
constexpr long kPeriodInNanoseconds = 250'000'000;

struct Ticking {
  void (*tick)(void*);
  void* opaque;
};

void* Run(void* argument) {
  const std::unique_ptr<Ticking> ticking(static_cast<Ticking*>(argument));
  pthread_setname_np(pthread_self(), "coalcheck");
  for (;;) {
    const timespec period{0, kPeriodInNanoseconds};
    nanosleep(&period, nullptr);
    ticking->tick(ticking->opaque);
  }
  return nullptr;
}

}  // namespace

bool StartTicking(void (*tick)(void*), void* opaque) noexcept {
  std::unique_ptr<Ticking> ticking(new (std::nothrow) Ticking{tick, opaque});
  if (ticking == nullptr) return false;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, Run, ticking.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (started) static_cast<void>(ticking.release());
  return started;
}

}  // namespace coalcheck::agent
