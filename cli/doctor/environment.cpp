// SPDX-License-Identifier: Apache-2.0
//
// Looks at variables and at the files they name; loads nothing.
#include "cli/doctor/environment.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <string_view>

#include "cli/doctor/machine_files.h"
#include "cli/launch/library.h"
#include "libcoalcheck/base/open_file.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::cli::doctor {
namespace {

namespace fs = std::filesystem;
using coalcheck::doctor::ClientSign;
using coalcheck::doctor::InjectionVariable;

constexpr const char* kNsys = "Nsight Systems (nsys)";
constexpr const char* kNcu = "Nsight Compute (ncu)";
constexpr const char* kSanitizer = "compute-sanitizer";
constexpr const char* kDebugger = "cuda-gdb";

struct Mark {
  const char* text;
  const char* client;
};
// Variables that these tools set for the programs they start.
constexpr Mark kVariables[] = {{"NSYS_PROFILING_SESSION_ID", kNsys},
                               {"NV_COMPUTE_PROFILER_PERFWORKS_DIR", kNcu},
                               {"NV_NSIGHT_INJECTION_PORT_BASE", kNcu},
                               {"NV_SANITIZER_INJECTION_PORT_BASE", kSanitizer},
                               {"NV_SANITIZER_INJECTION_PORT_RANGE_BEGIN", kSanitizer}};
// How the names of their processes begin; the kernel cuts names after 15 characters.
constexpr Mark kProcesses[] = {
    {"nsys", kNsys}, {"ncu", kNcu}, {"compute-sanit", kSanitizer}, {"cuda-gdb", kDebugger}};

const char* ClientOf(std::string_view process) {
  for (const Mark& mark : kProcesses) {
    if (process.starts_with(mark.text)) return mark.client;
  }
  return nullptr;
}

InjectionVariable Describe(const std::string& name, const std::string& value) {
  InjectionVariable variable{name, value, false, false, false};
  variable.is_ours = fs::path(value).filename() == kLibraryName;
  if (value.find('/') == std::string::npos) {  // the dynamic linker searches for it
    variable.exists = variable.is_library = true;
    return variable;
  }
  std::error_code ignored;
  variable.exists = OpenFile(value).error() == 0;
  variable.is_library = variable.exists && IsInjectionLibrary(value);
  return variable;
}

}  // namespace

coalcheck::doctor::Surroundings ReadSurroundings(const Lookup& lookup, const std::string& root) {
  return {IsInContainer(root), !lookup("GITHUB_ACTIONS").empty(), !lookup("GITLAB_CI").empty(),
          IsInWsl(root)};
}

std::vector<ClientSign> FindClients(const Lookup& lookup, const std::string& root) {
  std::vector<ClientSign> signs;
  for (const Mark& mark : kVariables) {
    if (!lookup(mark.text).empty())
      signs.push_back({mark.client, fmt::format("{} is set", mark.text)});
  }
  if (lookup("LD_PRELOAD").find("libToolsInjection") != std::string::npos) {
    signs.push_back({kNsys, "LD_PRELOAD names its library"});
  }
  for (const std::string& process : ReadAncestors(root)) {
    if (const char* client = ClientOf(process)) {
      signs.push_back({client, fmt::format("{} started this command", process)});
    }
  }
  if (const std::string tracer = ReadTracer(root); !tracer.empty()) {
    const char* client = ClientOf(tracer);
    signs.push_back(
        {client == nullptr ? "a debugger" : client, fmt::format("{} traces this command", tracer)});
  }
  return signs;
}

std::vector<InjectionVariable> ReadInjection(const Lookup& lookup) {
  std::vector<InjectionVariable> variables;
  for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    if (const std::string value = lookup(name); !value.empty()) {
      variables.push_back(Describe(name, value));
    }
  }
  return variables;
}

coalcheck::doctor::AgentFacts FindAgent(const std::string& executable) {
  coalcheck::doctor::AgentFacts facts;
  facts.looked = LibraryPlaces(executable);
  facts.path = FirstReadable(facts.looked);
  return facts;
}

// With options that cannot be read nothing is counted, and the agent says so only when it starts.
coalcheck::doctor::OptionsVariable ReadOptionsVariable(const Lookup& lookup) {
  coalcheck::doctor::OptionsVariable variable;
  variable.value = lookup("COALCHECK_OPTIONS");
  const auto parsed = options::ParseAgentOptions(variable.value);
  if (!parsed.ok()) variable.error = parsed.error();
  return variable;
}

coalcheck::doctor::CuptiVariable ReadCuptiVariable(const Lookup& lookup) {
  coalcheck::doctor::CuptiVariable variable;
  variable.value = lookup("COALCHECK_CUPTI_PATH");
  std::error_code ignored;
  const fs::path path = variable.value;
  if (fs::is_directory(path, ignored)) {
    for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      variable.usable |= entry->path().filename().string().starts_with("libcupti.so");
    }
  } else {
    variable.usable = OpenFile(path.string()).error() == 0;
  }
  return variable;
}

coalcheck::doctor::TemporaryFolder ReadTemporaryFolder(const Lookup& lookup) {
  coalcheck::doctor::TemporaryFolder folder;
  folder.path = lookup("TMPDIR");
  if (folder.path.empty()) folder.path = "/tmp";
  std::string name = folder.path + "/coalcheck-doctor-XXXXXX";
  folder.writable = mkdtemp(name.data()) != nullptr;
  std::error_code ignored;
  if (folder.writable) fs::remove(name, ignored);
  struct statvfs space {};
  if (statvfs(folder.path.c_str(), &space) == 0) {
    folder.free = Bytes(std::uint64_t{space.f_bavail} * space.f_frsize);
  }
  return folder;
}

}  // namespace coalcheck::cli::doctor
