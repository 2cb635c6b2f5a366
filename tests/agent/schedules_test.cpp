// SPDX-License-Identifier: Apache-2.0
//
// Many threads, many random schedules: whatever the order, nobody hangs, no counter is touched
// while a kernel runs, and the recording accounts for every launch.
#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "tests/support/all_stacks.h"
#include "tests/support/fake_clock.h"
#include "tests/support/simulated_program.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using Random = std::mt19937_64;

// Ends the process with a message and all stacks when a schedule does not end.
class Watchdog {
 public:
  Watchdog(std::chrono::seconds deadline, std::uint64_t seed)
      : thread_([this, deadline, seed] {
          std::unique_lock lock(mutex_);
          if (done_changed_.wait_for(lock, deadline, [this] { return done_; })) return;
          std::fprintf(stderr, "the schedule of COALCHECK_SEED=%llu hangs\n",
                       static_cast<unsigned long long>(seed));
          PrintAllStacks();
          std::abort();
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    done_changed_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::thread thread_;
};

std::uint64_t FromEnvironment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? fallback : std::strtoull(text, nullptr, 10);
}

// What one thread of the program does.
class Worker {
 public:
  Worker(SimulatedProgram& program, agent::ContextHandle context, std::uint64_t seed)
      : program_(program),
        context_(context),
        random_(seed),
        stream_(program.CreateStream(context)) {}

  void Run() {
    for (int step = 0; step < 12; ++step) Step();
  }

 private:
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }

  void Step() {
    switch (Below(17)) {
      case 0:
        return LaunchGraphs();
      case 1:
        return program_.Synchronise(context_);
      case 2:
        return LaunchThenSetFlag();
      case 3:
        return Launch(false);
      case 4:
        return program_.ChangeCode(std::chrono::microseconds(Below(200)));
      case 5:
        return ChangeRanges();
      case 6:
        return Below(8) == 0 ? program_.agent().SwitchOff() : program_.agent().SwitchOn();
      case 7:
        program_.sampler().Sample(
            context_, {CubinId(1), "kernel0", PcOffset(16), {{StallReason(0), Samples(1)}}});
        return program_.agent().Tick();
      case 8:
        return UseAContextOfItsOwn();
      default:
        return Launch(true);
    }
  }

  void ChangeRanges() {
    agent::RangeBook& ranges = program_.ranges();
    switch (Below(4)) {
      case 0:
        static_cast<void>(ranges.Pop(""));  // of nothing, often enough
        return;
      case 1:
        return ranges.End(ranges.Start("process", "epoch " + std::to_string(Below(3))));
      default:
        static_cast<void>(ranges.Push("", "step " + std::to_string(Below(4))));
    }
  }

  SimulatedKernel AnyKernel() {
    constexpr const char* kNames[] = {"spins",  "spins",  "breaks", "kernel",
                                      "kernel", "kernel", "loops",  "many_loops"};
    return {kNames[Below(8)] + std::to_string(Below(6)), std::chrono::microseconds(Below(200))};
  }

  void Launch(bool succeeds) {
    const SimulatedKernel kernel = AnyKernel();
    const std::uint32_t grid = GridOf(kernel) + static_cast<std::uint32_t>(Below(2));
    program_.Launch(context_, stream_, SimulatedLaunch{kernel, grid, succeeds});
  }

  // With so many blocks the first launch is timed.
  static std::uint32_t GridOf(const SimulatedKernel& kernel) {
    return kernel.name.starts_with("many_loops") ? 2000 : 1;
  }

  // The kernel ends only when the host goes on: what would deadlock under a window that holds on.
  void LaunchThenSetFlag() {
    auto flag = std::make_shared<std::atomic<bool>>(false);
    constexpr const char* kNames[] = {"waits", "spins", "many_loops"};
    const SimulatedKernel kernel{kNames[Below(3)], 0us, [flag] { return flag->load(); }};
    program_.Launch(context_, stream_, SimulatedLaunch{kernel, GridOf(kernel)});
    *flag = true;
  }

  // On a device of its own, so that its end does not end counting for everybody.
  void UseAContextOfItsOwn() {
    const agent::ContextHandle context = program_.CreateContext(2, Below(2) == 0);
    const agent::StreamHandle stream = program_.CreateStream(context);
    for (std::uint64_t i = Below(4); i > 0; --i) {
      program_.Launch(context, stream, SimulatedLaunch{AnyKernel()});
    }
    if (Below(2) == 0) program_.Synchronise(context);
    program_.DestroyContext(context);
  }

  // Built node by node, and changed in place now and then.
  void LaunchChangingGraph() {
    std::vector<SimulatedKernel> kernels(1 + Below(3));
    for (SimulatedKernel& kernel : kernels) kernel = AnyKernel();
    const auto exec = program_.Instantiate(context_, program_.device().MakeGraph(kernels));
    if (!exec) return;
    for (std::uint64_t i = Below(4); i > 0; --i) {
      if (Below(3) == 0) {
        for (SimulatedKernel& kernel : kernels) kernel.arguments += "x";
        program_.device().ChangeInstance(*exec, kernels);
        program_.agent().graphs().Changed(*exec);
      }
      program_.LaunchGraph(context_, stream_, *exec, Below(8) != 0);
    }
    program_.agent().graphs().ExecDestroyed(*exec);
  }

  void LaunchGraphs() {
    if (Below(2) == 0) return LaunchChangingGraph();
    if (!program_.BeginCapture(context_, stream_)) return;
    for (std::uint64_t i = Below(3); i > 0; --i) Launch(true);
    if (Below(8) == 0) program_.device().BreakCapture(context_, stream_);
    const auto exec = program_.Instantiate(context_, program_.EndCapture(context_, stream_));
    for (std::uint64_t i = Below(3); exec && i > 0; --i) {
      program_.LaunchGraph(context_, stream_, *exec, Below(8) != 0);
    }
  }

  SimulatedProgram& program_;
  const agent::ContextHandle context_;
  Random random_;
  const agent::StreamHandle stream_;
};

const char* AnySampling(Random& random) {
  constexpr const char* kSamplings[] = {"first", "auto --budget 50%", "all", "every:3"};
  return kSamplings[random() % 4];
}

const char* AnyFilter(Random& random) {
  constexpr const char* kFilters[] = {"", "--kernel 'k*'", "--nvtx-include 'step [12]'",
                                      "--nvtx-exclude 'step 1' --launch-skip kernel:1"};
  return kFilters[random() % 4];
}

const char* AnyWaitingKernels(Random& random) {
  constexpr const char* kChoices[] = {"", "--waiting-kernels skip", "--collection resident"};
  return kChoices[random() % 3];
}

// True when every launch of the schedule passed the gate.
bool RunSchedule(std::uint64_t seed) {
  const Watchdog watchdog(60s, seed);
  Random random(seed);
  RealClock clock;
  SimulatedProgram program(
      clock, std::string("--cost auto --open-deadline 10 --close-deadline 20 --watch-deadline 5 ") +
                 AnyWaitingKernels(random) + " " + AnyFilter(random) + " --sampling " +
                 AnySampling(random));
  const agent::ContextHandle contexts[] = {program.CreateContext(0), program.CreateContext(1)};
  const std::uint64_t threads = 8 + random() % 25;
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::uint64_t i = 0; i < threads; ++i) {
    workers.push_back(std::make_unique<Worker>(program, contexts[i % 2], random()));
  }
  std::vector<std::thread> running;
  for (auto& worker : workers) running.emplace_back([&worker] { worker->Run(); });
  for (std::thread& thread : running) thread.join();
  for (const agent::ContextHandle context : contexts) program.Synchronise(context);
  const recording::RecordedRun run = program.End();
  program.ExpectTrue(run);
  program.sampler().ExpectAllWritten(run);
  return !program.anything_without_gate();
}

// COALCHECK_SEED repeats the schedules of a failed run, COALCHECK_SCHEDULES says how many.
TEST(Schedules, WhateverTheOrderEveryLaunchIsAccountedForAndNobodyHangs) {
  const std::uint64_t first = FromEnvironment("COALCHECK_SEED", std::random_device{}());
  const std::uint64_t schedules = FromEnvironment("COALCHECK_SCHEDULES", 150);
  std::printf("COALCHECK_SEED=%llu\n", static_cast<unsigned long long>(first));
  std::uint64_t orderly = 0;
  const auto end = std::chrono::steady_clock::now() + 60s;
  std::uint64_t i = 0;
  for (; i < schedules && !HasFailure() && std::chrono::steady_clock::now() < end; ++i) {
    orderly += RunSchedule(first + i) ? 1 : 0;
    if (HasFailure()) {
      std::printf("the schedule of COALCHECK_SEED=%llu failed\n",
                  static_cast<unsigned long long>(first + i));
    }
  }
  std::printf("%llu schedules, %llu in which every launch passed the gate\n",
              static_cast<unsigned long long>(i), static_cast<unsigned long long>(orderly));
  // Else the strictest checks were left out.
  EXPECT_TRUE(orderly > 0 || i < 20);
}

// With deadlines that no loaded machine misses: nobody goes on without the gate here.
// What is launched behind the end, or after CUPTI was given back, is in no recording; that nothing
// hangs, and that no counter is touched at a bad moment, must hold all the same.
void EndInTheMiddle(std::uint64_t seed) {
  const Watchdog watchdog(60s, seed);
  Random random(seed);
  RealClock clock;
  SimulatedProgram program(
      clock,
      std::string("--cost auto --open-deadline 10 --close-deadline 1000 --watch-deadline 5 ") +
          "--sampling " + AnySampling(random));
  if (random() % 2 == 0) program.device().LoadLazily([&clock] { clock.Rest(50us); });
  const agent::ContextHandle contexts[] = {program.CreateContext(0), program.CreateContext(1)};
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::uint64_t i = 0; i < 8; ++i) {
    workers.push_back(std::make_unique<Worker>(program, contexts[i % 2], random()));
  }
  std::vector<std::thread> running;
  for (auto& worker : workers) running.emplace_back([&worker] { worker->Run(); });
  std::atomic<int> given_back{0};
  std::thread releasing([&] {
    for (int i = 0; i < 20; ++i) {
      program.agent().Tick();
      program.agent().TryRelease([&given_back] { ++given_back; });
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
  program.agent().ProcessEnds("exit");
  const int before_the_end = given_back;
  releasing.join();
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(given_back.load(), before_the_end) << "CUPTI was given back while the process ended";
  EXPECT_TRUE(program.Read().end.has_value());
}

TEST(Schedules, AnEndOrAReleaseInTheMiddleOfEverythingHarmsNobody) {
  const std::uint64_t first = FromEnvironment("COALCHECK_SEED", std::random_device{}());
  const std::uint64_t schedules = FromEnvironment("COALCHECK_SCHEDULES", 150);
  std::printf("COALCHECK_SEED=%llu\n", static_cast<unsigned long long>(first));
  const auto end = std::chrono::steady_clock::now() + 10s;
  for (std::uint64_t i = 0;
       i < schedules && !HasFailure() && std::chrono::steady_clock::now() < end; ++i) {
    EndInTheMiddle(first + i);
  }
}

// A launch that meets another thread's window waits for a window of its own.
TEST(Schedules, UnderSamplingAllEveryLaunchOfEightThreadsIsCounted) {
  const Watchdog watchdog(60s, 0);
  RealClock clock;
  SimulatedProgram program(clock, "--sampling all --open-deadline 20000");
  const agent::ContextHandle context = program.CreateContext(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&program, context] {
      const agent::StreamHandle stream = program.CreateStream(context);
      for (int i = 0; i < 25; ++i) program.LaunchPlain(context, stream, "copy");
    });
  }
  for (std::thread& thread : threads) thread.join();
  const recording::RecordedRun run = program.End();
  program.ExpectTrue(run);
  ASSERT_EQ(run.tallies.size(), 1U);
  EXPECT_EQ(run.tallies[0].counted, Launches(200));
}

}  // namespace
}  // namespace coalcheck::testing
