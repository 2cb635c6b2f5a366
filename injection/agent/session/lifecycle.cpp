// SPDX-License-Identifier: Apache-2.0
//
// How measuring stops.
#include "injection/agent/session/lifecycle.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "injection/agent/process/say.h"

namespace coalcheck::agent {

void Lifecycle::Stop(std::string_view reason) {
  if (stopped_.exchange(true)) return;
  Say(reason);
  session_.WriteLoss(recording::loss::kCouldNotCollect, reason, 1);
}

void Lifecycle::StopForException() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      Stop("measuring stops: out of memory");
    } catch (const std::exception& error) {
      Stop(fmt::format("measuring stops for an error of its own: {}", error.what()));
    }
  } catch (...) {
    stopped_ = true;  // there is not even memory to say so
  }
}

}  // namespace coalcheck::agent
