// SPDX-License-Identifier: Apache-2.0
//
// Many threads at once: first launches that race, modules that come and go meanwhile, and a
// capture in global mode beside launches.
#include <atomic>
#include <chrono>
#include <thread>

#include "patched_module.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

constexpr int kThreads = 32;
constexpr int kRounds = 10;
constexpr int kModuleThreads = 2;
constexpr int kModules = 50;

// All wait here until the last one has come, so that their first launches race.
void Meet(std::atomic<int>& waiting) {
  --waiting;
  while (waiting > 0) std::this_thread::yield();
}

void LaunchAll(Checksum& sum) {
  Arrays a;
  for (int i = 0; i < kRounds; ++i) {
    a.Add<1>();
    a.Add<2>();
    a.Add<3>();
    a.Add<4>();
  }
  a.AddTo(sum);
}

// 32 threads × 10 × 4 launches, and 2 × 50 modules with a launch each: 1380 launches.
void Race(const Arguments&) {
  hosts::NeedDevices(1);
  const hosts::PatchedModules modules;
  std::atomic<int> waiting{kThreads + kModuleThreads};
  std::vector<Checksum> sums(kThreads + kModuleThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Check(cudaSetDevice(0), "cudaSetDevice");
      Meet(waiting);
      LaunchAll(sums[t]);
    });
  }
  for (int t = kThreads; t < kThreads + kModuleThreads; ++t) {
    threads.emplace_back([&, t] {
      Check(cudaSetDevice(0), "cudaSetDevice");
      hosts::ModuleRunner runner;
      Meet(waiting);
      for (int i = 0; i < kModules; ++i) {
        const int number = t * kModules + i;
        runner.Run(modules.Image(number, number), hosts::PatchedModules::Name(number), sums[t]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Checksum all;
  for (const Checksum& sum : sums) all.Add(sum.value());
  hosts::Print("race", all);
}

// Thread A captures in global mode, in which a question by any thread can break its capture;
// thread B does nothing but launch. 20 captures of 2 kernels, each launched once; 2000 launches.
void CaptureBesideLaunches(const Arguments&) {
  hosts::NeedDevices(1);
  Arrays captured;
  Arrays launched;
  hosts::LoadNow(hosts::add<1>);
  hosts::LoadNow(hosts::add<2>);
  hosts::LoadNow(hosts::add<3>);
  std::vector<cudaGraphExec_t> graphs;
  std::thread a([&] {
    for (int i = 0; i < 20; ++i) {
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t exec = nullptr;
      Check(cudaStreamBeginCapture(captured.stream, cudaStreamCaptureModeGlobal), "begin capture");
      captured.Add<1>();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      captured.Add<2>();
      Check(cudaStreamEndCapture(captured.stream, &graph), "end capture");
      Check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
      graphs.push_back(exec);
    }
  });
  std::thread b([&] {
    for (int i = 0; i < 2000; ++i) launched.Add<3>();
  });
  a.join();
  b.join();
  for (cudaGraphExec_t exec : graphs) Check(cudaGraphLaunch(exec, captured.stream), "graph");
  // With no capture under way any more: how many of the others met none is chance.
  launched.Add<4>(10);
  Checksum sum;
  captured.AddTo(sum);
  launched.AddTo(sum);
  hosts::Print("capture_beside_launches", sum);
}

}  // namespace

int main(int argc, char** argv) {
  return hosts::RunCase(argc, argv,
                        {{"race", Race}, {"capture_beside_launches", CaptureBesideLaunches}});
}
