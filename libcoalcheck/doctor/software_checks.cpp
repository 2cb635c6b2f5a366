// SPDX-License-Identifier: Apache-2.0
//
// Judgements on libraries, permissions and variables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "libcoalcheck/doctor/checks.h"

namespace coalcheck::doctor {
namespace {

constexpr std::uint32_t kFirstUsableCupti = 130000;
constexpr int kSysAdmin = 21;  // CAP_SYS_ADMIN
constexpr int kPerfmon = 38;   // CAP_PERFMON
constexpr int kFirstReleaseWithPerfmon = 565;
constexpr Bytes kEnoughRoom{std::uint64_t{256} << 20};

bool Has(std::uint64_t capabilities, int bit) { return (capabilities >> bit & 1U) != 0; }

// "580.159.04" → 580; 0 when it is no number.
int MajorRelease(const std::string& release) {
  int major = 0;
  for (const char digit : release) {
    if (digit < '0' || digit > '9' || major > 100000) break;
    major = major * 10 + (digit - '0');
  }
  return major;
}

bool MayUseCounters(const Facts& facts) {
  const std::uint64_t capabilities = facts.permissions.effective_capabilities.value_or(0);
  if (Has(capabilities, kSysAdmin)) return true;
  return Has(capabilities, kPerfmon) &&
         MajorRelease(facts.driver.release) >= kFirstReleaseWithPerfmon;
}

std::string CuptiVersion(std::uint32_t version) {
  if (version < kFirstUsableCupti) return fmt::format("API version {}", version);
  return fmt::format("CUDA {}.{} (API version {})", version / 10000, version % 10000 / 100,
                     version);
}

}  // namespace

Check CheckCupti(const Facts& facts) {
  const CuptiFacts& cupti = facts.cupti;
  Check check{"cupti", "libcupti", State::kOk, {}, {}};
  if (!cupti.found || !cupti.error.empty() || cupti.version < kFirstUsableCupti) {
    check.state = State::kProblem;
    check.message = cupti.error.empty()
                        ? fmt::format("{} is too old: {}", cupti.path, CuptiVersion(cupti.version))
                        : cupti.error;
    check.remedies = {
        "install CUDA 13.0 or newer, or its CUPTI alone: pip install nvidia-cuda-cupti",
        "name it: COALCHECK_CUPTI_PATH=/path/to/libcupti.so.13"};
    return check;
  }
  check.message = fmt::format("{}, {}", CuptiVersion(cupti.version), cupti.path);
  if (cupti.profiler_refusal != 0) {
    check.state = State::kWarning;
    check.message += fmt::format(
        "; this GPU refuses cuptiProfilerInitialize ({}): counting begins without it, and whether "
        "that works the self-test says",
        cupti.profiler_refusal);
  }
  if (!facts.driver.cuda) return check;
  const int major = static_cast<int>(cupti.version / 10000);
  const int minor = static_cast<int>(cupti.version % 10000 / 100);
  const CudaVersion driver = *facts.driver.cuda;
  if (driver.Major() > major || (driver.Major() == major && driver.Minor() >= minor)) return check;
  check.state = driver.Major() < major ? State::kProblem : State::kWarning;
  check.message += fmt::format("; newer than the driver, which is for CUDA {}.{}", driver.Major(),
                               driver.Minor());
  check.remedies = {fmt::format("update the driver to one for CUDA {}.{} or newer", major, minor)};
  return check;
}

Check CheckNvperf(const Facts& facts) {
  Check check{"nvperf", "nvperf", State::kOk, {}, {}};
  if (!facts.cupti.found) {
    check.state = State::kUnknown;
    check.message = "it is looked for beside libcupti, which was not found";
  } else if (facts.cupti.nvperf_path.empty()) {
    check.state = State::kWarning;
    check.message = "libnvperf_host.so is not beside libcupti, nor where the linker looks";
    check.remedies = {"install the whole of CUPTI: libnvperf_host.so belongs to it"};
  } else {
    check.message = fmt::format(
        "{}{}", facts.cupti.nvperf_version.empty() ? "" : facts.cupti.nvperf_version + ", ",
        facts.cupti.nvperf_path);
  }
  return check;
}

Check CheckAgent(const Facts& facts) {
  if (facts.permissions.raised_rights) {
    return {
        "agent",
        "libcoalcheck.so",
        State::kProblem,
        "this process has more rights than whoever started it (set-user-id, file capabilities): "
        "in such a program the library does nothing",
        {"start the program with its rights, as sudo does, or take them off the file"}};
  }
  if (!facts.agent.path.empty()) {
    return {"agent", "libcoalcheck.so", State::kOk, facts.agent.path, {}};
  }
  return {"agent",
          "libcoalcheck.so",
          State::kProblem,
          fmt::format("not found; looked at {}", fmt::join(facts.agent.looked, ", ")),
          {"keep the command in bin and the library in lib of one folder, as installed"}};
}

std::vector<std::string> PermissionRemedies(const Surroundings& surroundings) {
  std::vector<std::string> remedies;
  if (surroundings.github_actions) {
    remedies.push_back(
        "GitHub Actions, in the job: container: { options: --gpus all --cap-add=SYS_ADMIN }");
  }
  if (surroundings.gitlab) {
    remedies.push_back(
        "GitLab, in the runner's config.toml under [runners.docker]: cap_add = [\"SYS_ADMIN\"]");
  }
  if (surroundings.container && remedies.empty()) {
    remedies.push_back("docker run --gpus all --cap-add=SYS_ADMIN …");
  }
  remedies.push_back(
      fmt::format("{}: put \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" into "
                  "/etc/modprobe.d/nvidia-profiling.conf, run update-initramfs -u, restart",
                  remedies.empty() ? "as an administrator" : "or for all, on the host"));
  if (remedies.size() == 1) remedies.push_back("or run the program as root");
  return remedies;
}

Check CheckPermission(const Facts& facts) {
  Check check{"permission", "permission", State::kOk, {}, {}};
  if (!facts.permissions.admin_only) {
    check.state = State::kUnknown;
    check.message = "/proc/driver/nvidia/params does not say who may use the counters";
  } else if (!*facts.permissions.admin_only) {
    check.message = "every user may use the counters (RmProfilingAdminOnly: 0)";
  } else if (MayUseCounters(facts)) {
    check.message = "the counters are reserved to administrators, and this process counts as one";
  } else {
    check.state = State::kWarning;
    check.message =
        "the counters are reserved to administrators (RmProfilingAdminOnly: 1), and this process "
        "has neither CAP_SYS_ADMIN nor, from driver 565 on, CAP_PERFMON";
    check.remedies = PermissionRemedies(facts.surroundings);
  }
  return check;
}

Check CheckOtherClients(const Facts& facts) {
  Check check{"other_client", "other profilers", State::kOk, "none seen around this command", {}};
  if (facts.clients.empty()) return check;
  check.state = State::kWarning;
  check.message.clear();
  for (const ClientSign& sign : facts.clients) {
    check.message +=
        fmt::format("{}{}: {}", check.message.empty() ? "" : "; ", sign.client, sign.evidence);
  }
  check.remedies = {"run the program without it: CUPTI serves one client in a process"};
  return check;
}

Check CheckInjection(const Facts& facts) {
  Check check{"injection_variables", "injection variables", State::kOk, {}, {}};
  const auto add = [&check](State state, const std::string& sentence, std::string remedy) {
    check.state = std::max(check.state, state);
    check.message += (check.message.empty() ? "" : "; ") + sentence;
    if (!remedy.empty()) check.remedies.push_back(std::move(remedy));
  };
  for (const InjectionVariable& variable : facts.injection) {
    const std::string what = fmt::format("{}={}", variable.name, variable.value);
    if (!variable.exists) {
      add(State::kWarning, what + " names no file that can be read: CUDA ignores it silently",
          fmt::format("correct it or unset {}", variable.name));
    } else if (!variable.is_library) {
      add(State::kWarning, what + " is not a library that CUDA can call: CUDA ignores it silently",
          fmt::format("correct it or unset {}", variable.name));
    } else if (!variable.is_ours) {
      add(State::kWarning, what + " is another tool's",
          fmt::format("unset {} to use coalcheck", variable.name));
    } else {
      add(State::kOk, what + " is coalcheck's", {});
    }
  }
  if (facts.injection.empty()) check.message = "none set";
  return check;
}

Check CheckOwnVariables(const Facts& facts) {
  Check check{"own_variables", "coalcheck's variables", State::kOk, {}, {}};
  const auto warn = [&check](const std::string& sentence, std::string remedy) {
    check.state = State::kWarning;
    check.message += (check.message.empty() ? "" : "; ") + sentence;
    check.remedies.push_back(std::move(remedy));
  };
  if (!facts.options.error.empty()) {
    warn("COALCHECK_OPTIONS cannot be used: " + facts.options.error,
         "correct it; coalcheck options lists what it takes");
  }
  if (!facts.cupti_path.value.empty() && !facts.cupti_path.usable) {
    warn(fmt::format("COALCHECK_CUPTI_PATH={} is neither a libcupti nor a folder with one: it is "
                     "looked for elsewhere",
                     facts.cupti_path.value),
         "correct COALCHECK_CUPTI_PATH or unset it");
  }
  if (!check.message.empty()) return check;
  const bool any = !facts.options.value.empty() || !facts.cupti_path.value.empty();
  check.message = any ? "those that are set can be used" : "none set";
  return check;
}

Check CheckTemporaryFolder(const Facts& facts) {
  const TemporaryFolder& folder = facts.temporary;
  Check check{"temporary_folder", "temporary folder", State::kOk, {}, {}};
  const std::uint64_t free_mib = folder.free.count() >> 20;
  check.message = fmt::format("{}, {} MiB free", folder.path, free_mib);
  if (!folder.writable) {
    check.state = State::kProblem;
    check.message = fmt::format("{} is not writable", folder.path);
    check.remedies = {
        "set TMPDIR to a writable folder, or keep recordings elsewhere (--recording)"};
  } else if (folder.free < kEnoughRoom) {
    check.state = State::kWarning;
    check.message += "; a recording holds the program's machine code, 100 MB with PyTorch";
    check.remedies = {"set TMPDIR to a folder with more room"};
  }
  return check;
}

}  // namespace coalcheck::doctor
