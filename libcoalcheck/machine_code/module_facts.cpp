// SPDX-License-Identifier: Apache-2.0
//
// Reads names only.
#include "libcoalcheck/machine_code/module_facts.h"

#include <algorithm>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/machine_code/waiting_signs.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::string_view kLineTable = ".debug_line";
// __cudaCDP2LaunchDeviceV2 in libcudadevrt, cudaLaunchDevice before CUDA 12.
constexpr std::string_view kDeviceLaunches[] = {"__cudaCDP2LaunchDevice", "cudaLaunchDevice"};

}  // namespace

ModuleFacts DescribeModule(std::string_view cubin) {
  ModuleFacts facts;
  const Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(cubin);
  if (!elf.ok()) return facts;
  facts.kernels = KernelNames(cubin);
  facts.has_lines = elf.value().FindSection(kLineTable) != nullptr;
  facts.launches_from_device =
      std::ranges::any_of(elf.value().symbols(), [](const cubin::ElfSymbol& symbol) {
        return std::ranges::any_of(kDeviceLaunches, [&symbol](std::string_view launch) {
          return symbol.name.substr(0, launch.size()) == launch;
        });
      });
  return facts;
}

}  // namespace coalcheck::machine_code
