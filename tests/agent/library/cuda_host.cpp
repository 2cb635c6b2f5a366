// SPDX-License-Identifier: Apache-2.0
//
// A small CUDA program: cuda_host MODULE EXIT_CODE STEP…, where a step is context, launch,
// launch-block, launch-wide, graph, graph-uploaded, fork, kill, hide-cupti, small-files,
// early-range (before CUDA starts), raised-rights, or a call of coalcheck.h: start, stop, push,
// pop, flush. It writes a line on stdout and ends with EXIT_CODE.
#include <cuda.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "include/coalcheck.h"

namespace {

bool hide_cupti = false;
bool raised_rights = false;
CUfunction kernel = nullptr;

void CreateContextAndLoad(const char* path) {
  CUcontext context = nullptr;
  cuCtxCreate(&context, nullptr, 0, 0);
  std::ifstream file(path, std::ios::binary);
  const std::string image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  void* size[] = {reinterpret_cast<void*>(image.size())};
  CUmodule module = nullptr;
  cuModuleLoadDataEx(&module, image.data(), 0, nullptr, size);
  cuModuleGetFunction(&kernel, module, "spread");
}

void Launch(CUstream stream, unsigned grid = 4, unsigned block = 32) {
  std::uint64_t out = 0x7f0012345600;
  void* parameters[] = {&out};
  cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, 0, stream, parameters, nullptr);
}

// The same parameters as one block.
void LaunchBlock() {
  std::uint64_t out = 0x7f0012345600;
  std::size_t size = sizeof out;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &out, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  cuLaunchKernel(kernel, 16, 1, 1, 32, 1, 1, 512, nullptr, nullptr, extra);
}

void CaptureAndLaunchTwice(unsigned long long flags) {
  const auto stream = reinterpret_cast<CUstream>(0x77);
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Launch(stream, 8);
  Launch(stream, 8);
  cuStreamEndCapture(stream, &graph);
  cuGraphInstantiate(&exec, graph, flags);
  cuGraphLaunch(exec, stream);
  cuGraphLaunch(exec, stream);
}

// A child that goes on launching and ends like any program.
void ForkAndWait() {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    Launch(nullptr, 8);  // of a shape that has not been counted
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
}

// From here on every file may hold only so much, as on a disk that is full.
void LimitFiles() {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{2048, 2048};
  setrlimit(RLIMIT_FSIZE, &limit);
}

void Do(std::string_view step, const char* module) {
  if (step == "context") CreateContextAndLoad(module);
  if (step == "launch") Launch(nullptr);
  if (step == "launch-block") LaunchBlock();
  if (step == "launch-wide") Launch(nullptr, 1'000'000'000, 1024);
  if (step == "graph") CaptureAndLaunchTwice(0);
  if (step == "graph-uploaded") CaptureAndLaunchTwice(CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD);
  if (step == "fork") ForkAndWait();
  if (step == "small-files") LimitFiles();
  if (step == "start") coalcheck_start();
  if (step == "stop") coalcheck_stop();
  if (step == "push") coalcheck_push("step");
  if (step == "pop") coalcheck_pop();
  if (step == "flush") coalcheck_flush();
  if (step == "pause") usleep(200'000);
  if (step == "kill") kill(getpid(), SIGKILL);
}

}  // namespace

// Stands before libc's: with hide-cupti, no libcupti is anywhere on this machine.
extern "C" __attribute__((visibility("default"))) void* dlopen(const char* path,
                                                               int mode) noexcept {
  if (hide_cupti && path != nullptr && std::strstr(path, "libcupti") != nullptr) return nullptr;
  static auto* next = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  return next(path, mode);
}

// Likewise: with raised-rights, as in a set-user-id program.
extern "C" __attribute__((visibility("default"))) unsigned long getauxval(
    unsigned long type) noexcept {
  if (type == AT_SECURE) return raised_rights ? 1 : 0;
  static auto* next =
      reinterpret_cast<unsigned long (*)(unsigned long)>(dlsym(RTLD_NEXT, "getauxval"));
  return next(type);
}

int main(int argc, char** argv) {
  if (argc < 3) return 120;
  for (int i = 3; i < argc; ++i) {
    raised_rights = raised_rights || std::string_view(argv[i]) == "raised-rights";
    hide_cupti = hide_cupti || std::string_view(argv[i]) == "hide-cupti";
    if (std::string_view(argv[i]) == "early-range") nvtxRangePushA("step");
  }
  cuInit(0);
  for (int i = 3; i < argc; ++i) Do(argv[i], argv[1]);
  std::puts("the host's own output");
  return std::atoi(argv[2]);
}
