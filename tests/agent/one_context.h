// SPDX-License-Identifier: Apache-2.0
//
// A program of one context and two streams under the agent, on the simulated device: what most
// tests of the agent begin with.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/fake_clock.h"
#include "tests/support/simulated_program.h"

namespace coalcheck::testing {

class OneContext : public ::testing::Test {
 protected:
  // `options` are those of COALCHECK_OPTIONS.
  void Start(const std::string& options = "") {
    program_.emplace(clock_, options);
    context_ = program_->CreateContext();
    stream_ = program_->CreateStream(context_);
    other_ = program_->CreateStream(context_);
  }
  void Launch(const std::string& kernel, int times = 1, std::uint32_t grid = 1) {
    for (int i = 0; i < times; ++i) program_->Launch(context_, stream_, {{kernel}, grid});
  }
  // A kernel that takes so long where it is not counted, and its end.
  void LaunchLong(const std::string& kernel, std::chrono::milliseconds duration,
                  std::uint32_t grid = 1) {
    program_->Launch(context_, stream_, {{kernel, duration}, grid});
    program_->Synchronise(context_);
  }
  // A kernel that runs until `running_` is taken back.
  void LaunchWaiting(const std::string& kernel) { LaunchWaiting(kernel, context_, stream_); }
  void LaunchWaiting(const std::string& kernel, agent::ContextHandle context,
                     agent::StreamHandle stream, std::uint32_t grid = 1) {
    running_ = true;
    program_->Launch(context, stream,
                     {{kernel, std::chrono::microseconds(0), [this] { return !running_; }}, grid});
  }
  // Ends the process and checks what must hold of every recording.
  recording::RecordedRun End() {
    recording::RecordedRun run = program_->End();
    program_->ExpectTrue(run);
    return run;
  }

  FakeClock clock_;
  std::optional<SimulatedProgram> program_;
  agent::ContextHandle context_;
  agent::StreamHandle stream_;
  agent::StreamHandle other_;
  std::atomic<bool> running_{false};
};

}  // namespace coalcheck::testing
