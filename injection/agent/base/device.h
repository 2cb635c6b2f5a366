// SPDX-License-Identifier: Apache-2.0
//
// What the agent asks of the GPU: counting on and off (Collector), and how far the work is
// (Device). Plain values only: no CUDA type crosses this seam, so that tests put a simulated device
// behind it.
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/result.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// The driver's handles, as numbers. 0 is no handle, except for a stream, where it is the default
// one.
using ContextHandle = Id<struct ContextHandleTag, std::uintptr_t>;
using StreamHandle = Id<struct StreamHandleTag, std::uintptr_t>;
using FunctionHandle = Id<struct FunctionHandleTag, std::uintptr_t>;
using GraphHandle = Id<struct GraphHandleTag, std::uintptr_t>;
using GraphExecHandle = Id<struct GraphExecHandleTag, std::uintptr_t>;
using GraphNodeHandle = Id<struct GraphNodeHandleTag, std::uintptr_t>;

// Success, or why not.
struct Ok {};
using Status = Result<Ok>;

// One instruction's counts as they come off the device; `cubin_crc` is CUPTI's 32-bit name of it.
struct InstructionCounts {
  std::uint32_t cubin_crc = 0;
  std::string function;
  PcOffset pc;
  std::vector<std::uint64_t> values;  // parallel to Collector::CounterNames()
};

// Counts instructions on the device. Calls on one context are made one at a time.
class Collector {
 public:
  virtual ~Collector() = default;
  // The columns of every InstructionCounts.
  virtual std::vector<std::string> CounterNames() const = 0;
  // Gets the context's device ready, once; later calls are free. The context is current.
  virtual Status Prepare(ContextHandle context) = 0;
  // Whether the counting of its device was set up in this context. It then ends with the context,
  // for all contexts of the device: trying again would harm the program.
  virtual bool CountsThrough(ContextHandle context) = 0;
  // Takes that set-up back. The context is about to be destroyed, nothing is open on the device.
  virtual void TakeDown(ContextHandle context) = 0;
  // From here on, launches in `context` are counted.
  virtual Status Enable(ContextHandle context) = 0;
  // Takes what was counted since Enable. Blocks while a counted kernel runs: ask Device first.
  virtual Result<std::vector<InstructionCounts>> Flush(ContextHandle context) = 0;
  // Ends counting. The value is the number of records that were dropped unread.
  virtual Result<std::uint64_t> Disable(ContextHandle context) = 0;
};

// A node, and the graph that holds it.
struct CapturedNode {
  GraphHandle graph;
  GraphNodeHandle node;
};

// The kernels of a graph, child graphs included, in the driver's order of its nodes.
struct GraphContents {
  struct Kernel {
    std::string name;  // mangled
    recording::Dim3 grid;
    recording::Dim3 block;
    CapturedNode node = {};
    ContextHandle context = {};  // in which it runs; 0: the driver does not say
  };
  std::vector<Kernel> kernels;
  // Nodes whose kernels the driver does not name: the bodies of conditional nodes, and what lies
  // beyond the limit of nodes that are looked at.
  std::uint64_t unseen_nodes = 0;
  // Nodes of which two instances cannot be at a time, or share a state: those that own memory, and
  // conditional ones.
  bool has_unique_nodes = false;
};

// Where a kernel's parameters lie in the block that it reads, as far as a recording holds it: the
// part of a parameter that lies behind kMostArgumentBytes is left out.
struct ParameterLayout {
  struct Parameter {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    friend auto operator<=>(const Parameter&, const Parameter&) = default;
  };
  std::vector<Parameter> parameters;  // in their order
  std::uint64_t size = 0;             // of all together, those that are left out, too

  std::size_t kept() const { return std::min<std::uint64_t>(size, recording::kMostArgumentBytes); }
  friend auto operator<=>(const ParameterLayout&, const ParameterLayout&) = default;
};

// What a launch is called with, where the application keeps it. Either `pointers` or `block` is
// there; neither is for a kernel without parameters.
struct CalledWith {
  std::uint64_t shared_bytes = 0;  // dynamic, of a block
  std::optional<recording::Dim3> cluster = {};
  const void* const* pointers = nullptr;  // to one parameter each
  const char* block = nullptr;            // all of them, each at its offset
  std::uint64_t block_size = 0;
};

// A launch whose call has not returned: what it is called with can be read, as the driver reads it.
class LaunchCall {
 public:
  virtual ~LaunchCall() = default;
  // Of one launch: a copy.
  virtual recording::LaunchArguments Arguments() const = 0;
  // Empty: they were passed in a way that is not known.
  virtual std::optional<CalledWith> InPlace() const = 0;
  // Of its function: the driver is asked. Empty: it does not tell.
  virtual std::optional<ParameterLayout> Layout() const = 0;
};

enum class StreamState { kIdle, kBusy, kFailed, kUnknown };

// How far the device is. No call waits for the device or disturbs a stream capture.
class Device {
 public:
  virtual ~Device() = default;
  // kFailed: a kernel has ended the context, where nothing runs any more; kUnknown: there is no
  // such stream any more. The default
  // streams are those of `context`, which need not be current. No stream of it is capturing.
  virtual StreamState Query(ContextHandle context, StreamHandle stream) = 0;
  // Also when its capture was broken and has not been ended yet.
  virtual bool IsCapturing(StreamHandle stream) = 0;
  // The node that was captured last into a capturing stream; none when the driver does not tell.
  virtual std::optional<CapturedNode> LastCaptured(StreamHandle stream) = 0;
  // Makes the driver load the code of its kernels, too.
  virtual GraphContents ContentsOf(GraphHandle graph) = 0;
  // What a kernel of such a graph will be called with.
  virtual recording::LaunchArguments ArgumentsOf(const CapturedNode& kernel) = 0;
  // Whether the driver launches another instance of a graph where the agent says so. True until it
  // was seen not to.
  virtual bool CanSubstitute() const = 0;
  // A copy of the graph as it is now. Empty: the driver makes none.
  virtual std::optional<GraphHandle> CopyGraph(GraphHandle graph) = 0;
  virtual void DestroyGraph(GraphHandle copy) = 0;
  // An instance of the copy, in the current context. Empty: the driver makes none, or would not
  // launch it in place of another.
  virtual std::optional<GraphExecHandle> MakeInstance(GraphHandle copy) = 0;
  virtual void DestroyInstance(GraphExecHandle exec) = 0;
  // Makes the driver load a kernel's code now, where it would put that off into the launch.
  virtual void LoadCode(FunctionHandle function) = 0;
};

// What the machine code of the program's kernels says of them. Any thread.
class KernelCode {
 public:
  virtual ~KernelCode() = default;
  // What keeps a kernel from being held in a window like any other.
  enum class Hazard {
    kNone,
    kMayWait,     // it may need other work, made after its launch, to come to its end
    kOtherLanes,  // its lanes wait for lanes that do not wait for them: while it is counted it may
                  // never end
  };
  struct Module {
    bool launches_from_device = false;  // kernels that nobody on the host sees
    // Kernels that an earlier module defined, too, and that have a hazard in this one.
    struct Warning {
      std::string kernel;
      Hazard hazard = Hazard::kNone;
    };
    std::vector<Warning> warnings;
  };
  // A module was loaded; `stored` is the file that holds its cubin, empty when there is none.
  virtual Module ModuleLoaded(CubinId id, std::string_view cubin, const std::string& stored) = 0;
  // Whether a module that was loaded holds the kernel.
  virtual bool Knows(std::string_view kernel) = 0;
  // Whether its module has line information. True where that is not known.
  virtual bool HasLines(std::string_view kernel) = 0;
  // Mangled names of the functions that were inlined into it; none where its code has no lines.
  virtual std::vector<std::string> InlinedFunctions(std::string_view kernel) = 0;
  // The worst in any of the modules that define it. kMayWait when its code cannot be found.
  virtual Hazard HazardOf(std::string_view kernel) = 0;
  // To global memory, of one thread, where loops of which nobody knows the rounds are taken to run
  // a hundred.
  struct Accesses {
    double of_a_thread = 0;
    double share = 0;      // of its instructions
    bool in_loops = true;  // of which nobody knows the rounds: the number is a guess
  };
  struct Launch {
    recording::Dim3 grid;
    recording::Dim3 block;
    std::string parameters = {};  // each at its offset; empty: not known
  };
  // The most in any of the modules that define it; 0, and a guess, when its code cannot be found.
  virtual Accesses AccessesOf(std::string_view kernel, const Launch& launch) = 0;
};

// Time, and a short rest between two questions to the device.
class Clock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  virtual ~Clock() = default;
  virtual TimePoint Now() = 0;
  virtual void Rest(std::chrono::microseconds duration) = 0;
};

}  // namespace coalcheck::agent
