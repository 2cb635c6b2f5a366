// SPDX-License-Identifier: Apache-2.0
//
// Walks a graph's nodes, child graphs included, and names their kernels.
#include <vector>

#include "injection/cupti/driver_calls.h"
#include "injection/cupti/driver_device.h"

namespace coalcheck::cupti {
namespace {

// Far beyond what programs nest and build: the limits bound the time only.
constexpr int kDeepest = 16;
constexpr std::size_t kMostNodes = 100'000;

}  // namespace

void DriverDevice::LoadGraphs(void* library) {
  Graphs graphs;
  Load(library, "cuGraphGetNodes", graphs.get_nodes);
  Load(library, "cuGraphNodeGetType", graphs.node_get_type);
  Load(library, "cuGraphKernelNodeGetParams_v2", graphs.kernel_node_get_params);
  Load(library, "cuGraphChildGraphNodeGetGraph", graphs.child_graph_node_get_graph);
  Load(library, "cuFuncGetName", graphs.func_get_name);
  Load(library, "cuKernelGetName", graphs.kernel_get_name);
  const bool complete = graphs.get_nodes != nullptr && graphs.node_get_type != nullptr &&
                        graphs.kernel_node_get_params != nullptr &&
                        graphs.child_graph_node_get_graph != nullptr &&
                        graphs.func_get_name != nullptr && graphs.kernel_get_name != nullptr;
  if (complete) graphs_ = graphs;
}

agent::GraphContents DriverDevice::ContentsOf(agent::GraphHandle graph) {
  agent::GraphContents contents;
  AddNodesOf(reinterpret_cast<CUgraph>(graph.value()), 0, contents);
  return contents;
}

void DriverDevice::AddNodesOf(CUgraph graph, int depth, agent::GraphContents& contents) {
  std::size_t count = 0;
  if (graphs_.get_nodes == nullptr || depth > kDeepest ||
      graphs_.get_nodes(graph, nullptr, &count) != CUDA_SUCCESS ||
      contents.kernels.size() + count > kMostNodes) {
    ++contents.unseen_nodes;
    return;
  }
  std::vector<CUgraphNode> nodes(count);
  if (graphs_.get_nodes(graph, nodes.data(), &count) != CUDA_SUCCESS) count = 0;
  nodes.resize(count);
  for (CUgraphNode node : nodes) AddNode(graph, node, depth, contents);
}

void DriverDevice::AddNode(CUgraph graph, CUgraphNode node, int depth,
                           agent::GraphContents& contents) {
  CUgraphNodeType type{};
  if (graphs_.node_get_type(node, &type) != CUDA_SUCCESS) {
    ++contents.unseen_nodes;
  } else if (type == CU_GRAPH_NODE_TYPE_KERNEL) {
    if (!AddKernel(graph, node, contents)) ++contents.unseen_nodes;
  } else if (type == CU_GRAPH_NODE_TYPE_GRAPH) {
    CUgraph child = nullptr;
    if (graphs_.child_graph_node_get_graph(node, &child) == CUDA_SUCCESS) {
      AddNodesOf(child, depth + 1, contents);
    } else {
      ++contents.unseen_nodes;
    }
  } else if (type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
    ++contents.unseen_nodes;
    contents.has_unique_nodes = true;
  } else if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE) {
    contents.has_unique_nodes = true;
  }
}

recording::LaunchArguments DriverDevice::ArgumentsOf(const agent::CapturedNode& kernel) {
  recording::LaunchArguments arguments;
  CUDA_KERNEL_NODE_PARAMS params{};
  if (graphs_.kernel_node_get_params(reinterpret_cast<CUgraphNode>(kernel.node.value()), &params) !=
      CUDA_SUCCESS) {
    arguments.missing = "the driver does not tell those of the graph's node";
    return arguments;
  }
  arguments.shared_memory = Bytes(params.sharedMemBytes);
  const CUfunction function =
      params.func != nullptr ? params.func : reinterpret_cast<CUfunction>(params.kern);
  parameters_.Read(function, {params.kernelParams, params.extra}, arguments);
  return arguments;
}

bool DriverDevice::AddKernel(CUgraph graph, CUgraphNode node, agent::GraphContents& contents) {
  CUDA_KERNEL_NODE_PARAMS params{};
  if (graphs_.kernel_node_get_params(node, &params) != CUDA_SUCCESS) return false;
  LoadCode(agent::FunctionHandle(params.func != nullptr
                                     ? reinterpret_cast<std::uintptr_t>(params.func)
                                     : reinterpret_cast<std::uintptr_t>(params.kern)));
  const char* name = nullptr;
  const CUresult named = params.func != nullptr ? graphs_.func_get_name(&name, params.func)
                                                : graphs_.kernel_get_name(&name, params.kern);
  if (named != CUDA_SUCCESS || name == nullptr) return false;
  contents.kernels.push_back({name,
                              {params.gridDimX, params.gridDimY, params.gridDimZ},
                              {params.blockDimX, params.blockDimY, params.blockDimZ},
                              {agent::GraphHandle(reinterpret_cast<std::uintptr_t>(graph)),
                               agent::GraphNodeHandle(reinterpret_cast<std::uintptr_t>(node))},
                              agent::ContextHandle(reinterpret_cast<std::uintptr_t>(params.ctx))});
  return true;
}

}  // namespace coalcheck::cupti
