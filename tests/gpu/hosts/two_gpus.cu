// SPDX-License-Identifier: Apache-2.0
//
// Two GPUs that wait for each other: kernels that spin on the peer's flag, NCCL's all-reduce,
// driven from one thread and from two, and one graph over both.
#include <array>
#include <functional>
#include <thread>

#include "library.h"
#include "waiting_kernels.cuh"

#if __has_include(<nccl.h>)
#include <nccl.h>
#define HOSTS_HAS_NCCL 1
#endif

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

constexpr int kRounds = 5;

// Tells the other GPU that round `round` has come, and waits until it has said so too.
__global__ void meet_peer(const int* mine, int* theirs, int round, int* gave_up) {
  const std::uint64_t start = hosts::DeviceNs();
  *const_cast<volatile int*>(theirs) = round;
  __threadfence_system();
  while (*const_cast<volatile const int*>(mine) < round && !hosts::GaveUp(start, gave_up)) {
  }
}

// What one GPU has: arrays, and a flag that the other one can set.
struct Side {
  int device;
  Arrays* arrays = nullptr;
  int* flag = nullptr;
  int* gave_up = nullptr;

  explicit Side(int number) : device(number) {
    int can = 0;
    Check(cudaDeviceCanAccessPeer(&can, device, 1 - device), "cudaDeviceCanAccessPeer");
    if (can == 0) hosts::Skip("the GPUs cannot access each other's memory");
    Check(cudaSetDevice(device), "cudaSetDevice");
    Check(cudaDeviceEnablePeerAccess(1 - device, 0), "cudaDeviceEnablePeerAccess");
    arrays = new Arrays;
    Check(cudaMalloc(&flag, sizeof(int)), "cudaMalloc");
    Check(cudaMemset(flag, 0, sizeof(int)), "cudaMemset");
    Check(cudaHostAlloc(&gave_up, sizeof(int), cudaHostAllocPortable), "cudaHostAlloc");
    *gave_up = 0;
    hosts::LoadNow(meet_peer);
    hosts::LoadNow(hosts::wait_volatile);
    hosts::LoadNow(hosts::set_flag);
    hosts::LoadNow(hosts::add<1>);
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void AddTo(Checksum& sum) const {
    Check(cudaSetDevice(device), "cudaSetDevice");
    arrays->AddTo(sum);
    sum.Add(*gave_up);
    if (*gave_up != 0) std::fprintf(stderr, "the waiting kernel gave up\n");
  }
};

void MeetAndAdd(Side& side, const Side& other, int round) {
  Check(cudaSetDevice(side.device), "cudaSetDevice");
  meet_peer<<<1, 1, 0, side.arrays->stream>>>(side.flag, other.flag, round, side.gave_up);
  Check(cudaGetLastError(), "launch");
  side.arrays->Add<1>();
}

void Finish(const char* name, const std::array<Side, 2>& sides) {
  Checksum sum;
  for (const Side& side : sides) side.AddTo(sum);
  hosts::Print(name, sum);
}

void SpinFromOneThread(const Arguments&) {
  std::array<Side, 2> sides = {Side(0), Side(1)};
  for (int round = 1; round <= kRounds; ++round) {
    MeetAndAdd(sides[0], sides[1], round);
    MeetAndAdd(sides[1], sides[0], round);
  }
  Finish("spin_from_one_thread", sides);
}

void SpinFromTwoThreads(const Arguments&) {
  std::array<Side, 2> sides = {Side(0), Side(1)};
  const auto drive = [&](int mine) {
    for (int round = 1; round <= kRounds; ++round) MeetAndAdd(sides[mine], sides[1 - mine], round);
  };
  std::thread one(drive, 0);
  std::thread two(drive, 1);
  one.join();
  two.join();
  Finish("spin_from_two_threads", sides);
}

// A kernel on GPU 0 waits for what a kernel on GPU 1 sets, launched later by the same thread.
void LaterKernelOnTheOther(const Arguments&) {
  std::array<Side, 2> sides = {Side(0), Side(1)};
  for (int round = 1; round <= 3; ++round) {
    Check(cudaSetDevice(0), "cudaSetDevice");
    hosts::wait_volatile<<<1, 32, 0, sides[0].arrays->stream>>>(sides[0].flag, round,
                                                                sides[0].gave_up);
    sides[0].arrays->Add<1>();
    Check(cudaSetDevice(1), "cudaSetDevice");
    sides[1].arrays->Add<1>();
    hosts::set_flag<<<1, 32, 0, sides[1].arrays->stream>>>(sides[0].flag, round);
    Check(cudaGetLastError(), "launch");
  }
  Finish("later_kernel_on_the_other", sides);
}

// One capture over both GPUs: the second one's kernel waits for the first one's by an event.
void CaptureOverBoth(const Arguments&) {
  std::array<Side, 2> sides = {Side(0), Side(1)};
  cudaStream_t const origin = sides[0].arrays->stream;
  cudaEvent_t done[2] = {};
  for (const Side& side : sides) {
    Check(cudaSetDevice(side.device), "cudaSetDevice");
    Check(cudaEventCreateWithFlags(&done[side.device], cudaEventDisableTiming), "event");
  }
  Check(cudaSetDevice(0), "cudaSetDevice");
  Check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  sides[0].arrays->Add<1>();
  Check(cudaEventRecord(done[0], origin), "cudaEventRecord");
  Check(cudaSetDevice(1), "cudaSetDevice");
  Check(cudaStreamWaitEvent(sides[1].arrays->stream, done[0], 0), "cudaStreamWaitEvent");
  sides[1].arrays->Add<2>();
  Check(cudaEventRecord(done[1], sides[1].arrays->stream), "cudaEventRecord");
  Check(cudaSetDevice(0), "cudaSetDevice");
  Check(cudaStreamWaitEvent(origin, done[1], 0), "cudaStreamWaitEvent");
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  Check(cudaStreamEndCapture(origin, &graph), "cudaStreamEndCapture");
  Check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < kRounds; ++i) Check(cudaGraphLaunch(executable, origin), "cudaGraphLaunch");
  Check(cudaStreamSynchronize(origin), "cudaStreamSynchronize");
  Finish("capture_over_both", sides);
}

#ifdef HOSTS_HAS_NCCL
void NcclCheck(ncclResult_t result) {
  if (result != ncclSuccess) hosts::Fail("nccl", ("error " + std::to_string(result)).c_str());
}

// Each round: the array of each GPU gets the sum over both, then one is added.
void AllReduce(const char* name, bool two_threads) {
  const hosts::Library nccl({"libnccl.so.2"});
  const auto init = nccl.Find<decltype(&ncclCommInitAll)>("ncclCommInitAll");
  const auto reduce = nccl.Find<decltype(&ncclAllReduce)>("ncclAllReduce");
  const auto group_start = nccl.Find<decltype(&ncclGroupStart)>("ncclGroupStart");
  const auto group_end = nccl.Find<decltype(&ncclGroupEnd)>("ncclGroupEnd");
  std::array<Side, 2> sides = {Side(0), Side(1)};
  ncclComm_t communicators[2] = {};
  const int devices[2] = {0, 1};
  NcclCheck(init(communicators, 2, devices));
  const auto reduce_on = [&](int i) {
    Check(cudaSetDevice(i), "cudaSetDevice");
    NcclCheck(reduce(sides[i].arrays->in, sides[i].arrays->in, hosts::kFloats, ncclFloat, ncclSum,
                     communicators[i], sides[i].arrays->stream));
  };
  const auto drive = [&](int i) {
    for (int round = 0; round < kRounds; ++round) {
      reduce_on(i);
      sides[i].arrays->Add<1>();
    }
  };
  if (two_threads) {
    std::thread one(drive, 0);
    std::thread two(drive, 1);
    one.join();
    two.join();
  }
  for (int round = 0; !two_threads && round < kRounds; ++round) {
    NcclCheck(group_start());
    for (int i = 0; i < 2; ++i) reduce_on(i);
    NcclCheck(group_end());
    for (Side& side : sides) {
      Check(cudaSetDevice(side.device), "cudaSetDevice");
      side.arrays->Add<1>();
    }
  }
  Finish(name, sides);
}
#else
void AllReduce(const char*, bool) { hosts::Skip("built without NCCL's header"); }
#endif

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(2);
  return hosts::RunCase(
      argc, argv,
      {{"spin_from_one_thread", SpinFromOneThread},
       {"spin_from_two_threads", SpinFromTwoThreads},
       {"later_kernel_on_the_other", LaterKernelOnTheOther},
       {"capture_over_both", CaptureOverBoth},
       {"nccl_from_one_thread", [](const Arguments&) { AllReduce("nccl_from_one_thread", false); }},
       {"nccl_from_two_threads",
        [](const Arguments&) { AllReduce("nccl_from_two_threads", true); }}});
}
