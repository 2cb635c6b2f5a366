// SPDX-License-Identifier: Apache-2.0
//
// Where each parameter lies is asked of the driver: at every launch that is counted, and once for
// each function that is launched without.
#include "injection/cupti/parameter_reader.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>

namespace coalcheck::cupti {
namespace {

using recording::kMostArgumentBytes;

// No kernel takes more parameters than bytes: a bound on what a driver that errs can cause.
constexpr std::size_t kMostParameters = 32'768;

// Copies what lies below kMostArgumentBytes; `size` grows as needed.
void Place(const void* from, std::size_t offset, std::size_t size,
           recording::LaunchArguments& arguments) {
  arguments.size = std::max(arguments.size, Bytes(offset + size));
  const std::size_t end = std::min(offset + size, kMostArgumentBytes);
  if (offset >= end) return;
  if (arguments.bytes.size() < end) arguments.bytes.resize(end);
  std::memcpy(arguments.bytes.data() + offset, from, end - offset);
}

// False: it names something that is not known here.
bool ReadExtra(void* const* extra, agent::CalledWith& with) {
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      with.block = static_cast<const char*>(extra[1]);
    } else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      with.block_size = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

void ParameterReader::Load(void* libcuda) {
  func_param_ = reinterpret_cast<decltype(func_param_)>(dlsym(libcuda, "cuFuncGetParamInfo"));
  kernel_param_ = reinterpret_cast<decltype(kernel_param_)>(dlsym(libcuda, "cuKernelGetParamInfo"));
}

// A launch takes a CUfunction or a CUkernel; each call refuses the other's handle.
CUresult ParameterReader::PlaceOf(CUfunction function, std::size_t index, std::size_t& offset,
                                  std::size_t& size) const {
  const CUresult as_function = func_param_(function, index, &offset, &size);
  if (as_function == CUDA_SUCCESS) return CUDA_SUCCESS;
  const CUresult as_kernel =
      kernel_param_(reinterpret_cast<CUkernel>(function), index, &offset, &size);
  return as_kernel == CUDA_ERROR_INVALID_HANDLE ? as_function : as_kernel;
}

void ParameterReader::ReadPointers(CUfunction function, void* const* pointers,
                                   recording::LaunchArguments& arguments) const {
  CUresult result = CUDA_SUCCESS;
  for (std::size_t i = 0; i < kMostParameters && result == CUDA_SUCCESS; ++i) {
    std::size_t offset = 0;
    std::size_t size = 0;
    result = PlaceOf(function, i, offset, size);
    if (result == CUDA_SUCCESS) Place(pointers[i], offset, size, arguments);
  }
  if (result != CUDA_ERROR_INVALID_VALUE) {
    arguments.missing = "the driver does not tell where they lie";
  }
}

void ParameterReader::Read(CUfunction function, const Parameters& parameters,
                           recording::LaunchArguments& arguments) const {
  agent::CalledWith with;
  if (!Locate(parameters, with)) {
    arguments.missing = "they were passed in a way that is not known here";
    return;
  }
  if (with.block != nullptr) return Place(with.block, 0, with.block_size, arguments);
  if (with.pointers == nullptr) return;  // the kernel has none
  if (func_param_ == nullptr || kernel_param_ == nullptr) {
    arguments.missing = "a driver before CUDA 12.4 does not tell where they lie";
    return;
  }
  ReadPointers(function, parameters.pointers, arguments);
}

std::optional<agent::ParameterLayout> ParameterReader::LayoutOf(CUfunction function) const {
  if (func_param_ == nullptr || kernel_param_ == nullptr) return std::nullopt;
  agent::ParameterLayout layout;
  CUresult result = CUDA_SUCCESS;
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    std::size_t offset = 0;
    std::size_t size = 0;
    result = PlaceOf(function, i, offset, size);
    if (result != CUDA_SUCCESS) break;
    layout.size = std::max<std::uint64_t>(layout.size, offset + size);
    const std::size_t begin = std::min(offset, kMostArgumentBytes);
    const std::size_t end = std::min(offset + size, kMostArgumentBytes);
    layout.parameters.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)});
  }
  if (result != CUDA_ERROR_INVALID_VALUE) return std::nullopt;
  return layout;
}

bool ParameterReader::Locate(const Parameters& parameters, agent::CalledWith& with) {
  if (parameters.extra != nullptr) return ReadExtra(parameters.extra, with);
  with.pointers = parameters.pointers;
  return true;
}

}  // namespace coalcheck::cupti
