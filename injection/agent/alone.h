// SPDX-License-Identifier: Apache-2.0
//
// Two states of a thread, each as long as an object lives: it changes code, and it does not
// although it is in the middle of that.
#pragma once

#include "injection/agent/agent.h"

namespace coalcheck::agent {

// The agent itself asks the driver for something that may load code.
class Agent::ChangingCode {
 public:
  explicit ChangingCode(Agent& agent) : agent_(agent) { agent_.CodeChangeBegins(); }
  ChangingCode(const ChangingCode&) = delete;
  ChangingCode& operator=(const ChangingCode&) = delete;
  ~ChangingCode() { agent_.CodeChangeEnds(); }

 private:
  Agent& agent_;
};

// The thread's change, if it is in one, keeps nobody from counting.
class Agent::Suspended {
 public:
  explicit Suspended(Agent& agent) : agent_(agent), suspended_(agent.SuspendCodeChange()) {}
  Suspended(const Suspended&) = delete;
  Suspended& operator=(const Suspended&) = delete;
  ~Suspended() {
    if (suspended_) agent_.ResumeCodeChange();
  }

 private:
  Agent& agent_;
  const bool suspended_;
};

}  // namespace coalcheck::agent
