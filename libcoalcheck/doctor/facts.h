// SPDX-License-Identifier: Apache-2.0
//
// What the doctor's probes found out about a machine, as plain values. The judgement in diagnosis.h
// depends on nothing else, so that tests can describe machines that are not at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/base/units.h"

namespace coalcheck::doctor {

// A CUDA version as the driver encodes it: 13000 is 13.0.
struct CudaVersion {
  int encoded = 0;
  int Major() const { return encoded / 1000; }
  int Minor() const { return encoded % 1000 / 10; }
};

struct Gpu {
  int ordinal = 0;  // CUDA's
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
};

struct DriverFacts {
  bool library_found = false;  // libcuda.so.1
  std::string path;
  std::string error;    // why it could not be opened or started; empty when it works
  std::string release;  // "580.159.04"; empty when unknown
  std::optional<CudaVersion> cuda;
  std::vector<Gpu> gpus;
};

// What the driver's management library says; empty where it was not found or does not know.
struct ManagementFacts {
  std::optional<int> mig_gpus;   // GPUs in MIG mode
  std::optional<int> vgpu_gpus;  // GPUs that are a virtual GPU of a hypervisor
  std::optional<bool> confidential_computing;
  bool confidential_developer_tools = false;  // that mode's exception for profilers
};

struct CuptiFacts {
  bool found = false;
  std::string path;
  std::string error;           // why it was not found, or what it lacks
  std::uint32_t version = 0;   // 130001
  std::string nvperf_path;     // empty: not loaded
  std::string nvperf_version;  // "2025.3.0"; empty when it does not say
  int profiler_refusal = 0;    // with which error cuptiProfilerInitialize is refused; 0: it is not
};

struct AgentFacts {
  std::string path;                 // of libcoalcheck.so; empty: not found
  std::vector<std::string> looked;  // where
};

// Where the command runs, as far as the remedies differ.
struct Surroundings {
  bool container = false;  // Docker or a relative
  bool github_actions = false;
  bool gitlab = false;
  bool wsl = false;
};

struct PermissionFacts {
  std::optional<bool> admin_only;                       // RmProfilingAdminOnly
  std::optional<std::uint64_t> effective_capabilities;  // CapEff
  bool raised_rights =
      false;  // raised rights: more than those of the user who started it (AT_SECURE)
};

// A sign that another profiler or debugger is at work on this process.
struct ClientSign {
  std::string client;    // "Nsight Systems (nsys)"
  std::string evidence;  // "NSYS_PROFILING_SESSION_ID is set"
};

// One injection variable that was set when the doctor was called.
struct InjectionVariable {
  std::string name;
  std::string value;
  bool exists = false;      // it names a file that can be read
  bool is_library = false;  // which is a shared library with the entry point that CUDA calls
  bool is_ours = false;     // and is coalcheck's
};

// COALCHECK_OPTIONS, and what the agent would say against it.
struct OptionsVariable {
  std::string value;
  std::string error;
};

// COALCHECK_CUPTI_PATH, and whether there is a libcupti.
struct CuptiVariable {
  std::string value;
  bool usable = false;
};

struct TemporaryFolder {
  std::string path;
  bool writable = false;
  Bytes free;
};

// Counts of one kernel's one load or store.
struct SelfTestCounts {
  std::string kernel;
  bool is_store = false;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;
  bool has_line = false;
};

// The built-in kernels, run on one GPU under the agent.
struct SelfTestFacts {
  int gpu = 0;
  bool timed_out = false;
  int deadline_seconds = 0;
  int exit_code = 0;  // -1 with a signal
  int signal = 0;
  std::string failure;     // of the kernels themselves: a driver call that failed, wrong results
  std::string agent_said;  // the agent's lines on stderr, and what it recorded as a loss
  std::string unreadable;  // why the recording could not be read; empty when it was
  std::vector<SelfTestCounts> counts;
};

struct Facts {
  DriverFacts driver;
  ManagementFacts management;
  CuptiFacts cupti;
  AgentFacts agent;
  Surroundings surroundings;
  PermissionFacts permissions;
  std::vector<ClientSign> clients;
  std::vector<InjectionVariable> injection;
  OptionsVariable options;
  CuptiVariable cupti_path;
  TemporaryFolder temporary;
  bool self_test_wanted = true;
  std::vector<SelfTestFacts> self_tests;
};

}  // namespace coalcheck::doctor
