// SPDX-License-Identifier: Apache-2.0
//
// Graphs in every way they are made and launched. Each graph adds in two kernels; what lies in the
// array in the end says how often each of them ran.
#include <barrier>
#include <thread>

#include "host.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

cudaGraphExec_t Instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  Check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  return exec;
}

void Launch(cudaGraphExec_t exec, const Arrays& a, int times) {
  for (int i = 0; i < times; ++i) Check(cudaGraphLaunch(exec, a.stream), "graph launch");
}

// out = out + kFirst, then out = out + kSecond.
template <int kFirst, int kSecond>
cudaGraph_t Capture(const Arrays& a) {
  cudaGraph_t graph = nullptr;
  Check(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeThreadLocal), "begin capture");
  hosts::add<kFirst><<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.out, a.out);
  hosts::add<kSecond><<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.out, a.out);
  Check(cudaStreamEndCapture(a.stream, &graph), "end capture");
  return graph;
}

// A node that launches `kernel` over `a.out`; the values are copied when the node is made.
template <typename Kernel>
cudaKernelNodeParams NodeOf(Kernel* kernel, void** arguments) {
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(kernel);
  params.gridDim = hosts::kGrid;
  params.blockDim = hosts::kBlock;
  params.kernelParams = arguments;
  return params;
}

// One more launch, outside of any graph: there is something to record even when no graph is seen.
void Finish(const char* name, const Arrays& a) {
  hosts::add<7><<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.out, a.out);
  Check(cudaGetLastError(), "launch");
  Checksum sum;
  a.AddTo(sum);
  hosts::Print(name, sum);
}

void Captured(const Arguments&) {
  const Arrays a;
  Launch(Instantiate(Capture<1, 2>(a)), a, 5);
  Finish("captured", a);
}

void BuiltFromNodes(const Arguments&) {
  Arrays a;
  void* arguments[] = {&a.out, &a.out};
  cudaKernelNodeParams first = NodeOf(hosts::add<1>, arguments);
  cudaKernelNodeParams second = NodeOf(hosts::add<2>, arguments);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t nodes[2] = {};
  Check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  Check(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &first), "add node");
  Check(cudaGraphAddKernelNode(&nodes[1], graph, &nodes[0], 1, &second), "add node");
  Launch(Instantiate(graph), a, 5);
  Finish("built_from_nodes", a);
}

void InstantiatedTwice(const Arguments&) {
  const Arrays a;
  const cudaGraph_t graph = Capture<1, 2>(a);
  const cudaGraphExec_t one = Instantiate(graph);
  const cudaGraphExec_t two = Instantiate(graph);
  Check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  Launch(one, a, 3);
  Launch(two, a, 3);
  Check(cudaGraphExecDestroy(one), "cudaGraphExecDestroy");
  Launch(two, a, 1);
  Finish("instantiated_twice", a);
}

// The same topology with other kernels, taken over in place; then one node's kernel is changed.
void Updated(const Arguments&) {
  Arrays a;
  const cudaGraph_t before = Capture<1, 2>(a);
  const cudaGraph_t after = Capture<3, 4>(a);
  const cudaGraphExec_t exec = Instantiate(before);
  Launch(exec, a, 3);
  cudaGraphExecUpdateResultInfo info{};
  Check(cudaGraphExecUpdate(exec, after, &info), "cudaGraphExecUpdate");
  Launch(exec, a, 3);
  Finish("updated", a);
}

void NodeChanged(const Arguments&) {
  Arrays a;
  const cudaGraph_t graph = Capture<1, 2>(a);
  std::size_t count = 1;
  cudaGraphNode_t root = nullptr;
  Check(cudaGraphGetRootNodes(graph, &root, &count), "cudaGraphGetRootNodes");
  const cudaGraphExec_t exec = Instantiate(graph);
  Launch(exec, a, 3);
  void* arguments[] = {&a.out, &a.out};
  cudaKernelNodeParams changed = NodeOf(hosts::add<5>, arguments);
  Check(cudaGraphExecKernelNodeSetParams(exec, root, &changed), "cudaGraphExecKernelNodeSetParams");
  Launch(exec, a, 3);
  Finish("node_changed", a);
}

// The instance is changed before its first launch: one node's kernel; whether a node runs at all.
void ChangedFirst(const Arguments&) {
  Arrays a;
  const cudaGraph_t graph = Capture<1, 2>(a);
  std::size_t count = 1;
  cudaGraphNode_t root = nullptr;
  Check(cudaGraphGetRootNodes(graph, &root, &count), "cudaGraphGetRootNodes");
  const cudaGraphExec_t other_kernel = Instantiate(graph);
  const cudaGraphExec_t less = Instantiate(graph);
  void* arguments[] = {&a.out, &a.out};
  cudaKernelNodeParams changed = NodeOf(hosts::add<5>, arguments);
  Check(cudaGraphExecKernelNodeSetParams(other_kernel, root, &changed), "SetParams");
  Check(cudaGraphNodeSetEnabled(less, root, 0), "cudaGraphNodeSetEnabled");
  Launch(other_kernel, a, 3);
  Launch(less, a, 3);
  Finish("changed_first", a);
}

// Eight threads capture, instantiate and launch graphs of their own at the same time.
void Threads(const Arguments&) {
  std::vector<std::uint64_t> sums(8);
  std::vector<std::thread> threads;
  // What allocates or waits for the device must not meet a capture.
  std::barrier allocated(8);
  std::barrier captured(8);
  for (std::uint64_t& result : sums) {
    threads.emplace_back([&result, &allocated, &captured] {
      const Arrays a;
      allocated.arrive_and_wait();
      const cudaGraph_t graph = Capture<1, 2>(a);
      captured.arrive_and_wait();
      Launch(Instantiate(graph), a, 20);
      Checksum sum;
      a.AddTo(sum);
      result = sum.value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  Checksum all;
  for (const std::uint64_t sum : sums) all.Add(sum);
  hosts::Print("threads", all);
}

// One instantiated graph, launched by eight threads in turn.
void Shared(const Arguments&) {
  const Arrays a;
  const cudaGraphExec_t exec = Instantiate(Capture<1, 2>(a));
  for (int i = 0; i < 8; ++i) std::thread([&] { Launch(exec, a, 5); }).join();
  Finish("shared", a);
}

void Child(const Arguments&) {
  Arrays a;
  const cudaGraph_t inner = Capture<1, 2>(a);
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphNode_t last = nullptr;
  void* arguments[] = {&a.out, &a.out};
  cudaKernelNodeParams kernel = NodeOf(hosts::add<3>, arguments);
  Check(cudaGraphCreate(&outer, 0), "cudaGraphCreate");
  Check(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner), "add child");
  Check(cudaGraphAddKernelNode(&last, outer, &child, 1, &kernel), "add node");
  Launch(Instantiate(outer), a, 5);
  Finish("child", a);
}

__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  cudaGraphSetConditional(handle, --*left > 0 ? 1 : 0);
}

// A body of add<1> and count_down that runs while there is something left: 4 times.
void Conditional(const Arguments&) {
  Arrays a;
  int* left = nullptr;
  const int rounds = 4;
  Check(cudaMalloc(&left, sizeof rounds), "cudaMalloc");
  Check(cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice), "copy");
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle{};
  Check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  Check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault), "handle");
  cudaGraphNodeParams loop{};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  Check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop), "conditional node");
  const cudaGraph_t body = loop.conditional.phGraph_out[0];
  Check(cudaStreamBeginCaptureToGraph(a.stream, body, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeThreadLocal),
        "capture to graph");
  hosts::add<1><<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.out, a.out);
  count_down<<<1, 1, 0, a.stream>>>(handle, left);
  Check(cudaStreamEndCapture(a.stream, nullptr), "end capture");
  Launch(Instantiate(graph), a, 1);
  Finish("conditional", a);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv,
                        {{"captured", Captured},
                         {"built_from_nodes", BuiltFromNodes},
                         {"instantiated_twice", InstantiatedTwice},
                         {"updated", Updated},
                         {"node_changed", NodeChanged},
                         {"changed_first", ChangedFirst},
                         {"threads", Threads},
                         {"shared", Shared},
                         {"child", Child},
                         {"conditional", Conditional}});
}
