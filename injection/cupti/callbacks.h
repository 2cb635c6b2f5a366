// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's callbacks, translated into what the agent hears. No exception leaves a callback.
#pragma once

#include <cstdint>

#include "injection/agent/agent.h"
#include "injection/cupti/cupti_library.h"
#include "injection/cupti/driver_device.h"

namespace coalcheck::cupti {

// The hold on CUPTI that only one client can have.
class Subscription {
 public:
  Subscription() = default;
  Subscription(CUpti_SubscriberHandle subscriber, std::uint64_t unknown_callbacks)
      : subscriber_(subscriber), unknown_callbacks_(unknown_callbacks) {}
  bool active() const { return subscriber_ != nullptr; }
  // How many driver functions of the table this CUPTI is too old to know.
  std::uint64_t unknown_callbacks() const { return unknown_callbacks_; }
  // No callback comes any more.
  void Release(const Functions& functions);

 private:
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::uint64_t unknown_callbacks_ = 0;
};

// Subscribes and enables the callbacks. `functions`, `device` and `agent` live as long as the
// process. Error: another client holds CUPTI (named where CUPTI tells), or a call failed.
Result<Subscription> Subscribe(const Functions& functions, const DriverDevice& device,
                               agent::Agent& agent);

}  // namespace coalcheck::cupti
