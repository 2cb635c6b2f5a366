// SPDX-License-Identifier: Apache-2.0
//
// Reads names only.
#include "libcoalcheck/machine_code/module_facts.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "libcoalcheck/cubin/elf.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::string_view kLineTable = ".debug_line";
// __cudaCDP2LaunchDeviceV2 in libcudadevrt, cudaLaunchDevice before CUDA 12.
constexpr std::string_view kDeviceLaunches[] = {"__cudaCDP2LaunchDevice", "cudaLaunchDevice"};

}  // namespace

std::vector<std::string_view> KernelNames(std::string_view cubin) {
  const Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(cubin);
  if (!elf.ok() || elf.value().machine() != cubin::kMachineCuda) return {};
  const auto sections = elf.value().sections();
  std::set<std::size_t> kernels;
  for (const cubin::ElfSymbol& symbol : elf.value().symbols()) {
    if (!symbol.is_kernel() || symbol.section >= sections.size()) continue;
    const std::string_view section = sections[symbol.section].name;
    if (section.starts_with(cubin::kTextPrefix) &&
        section.substr(cubin::kTextPrefix.size()) == symbol.name) {
      kernels.insert(symbol.section);
    }
  }
  std::vector<std::string_view> names;
  for (const std::size_t section : kernels) {
    names.push_back(sections[section].name.substr(cubin::kTextPrefix.size()));
  }
  return names;
}

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
