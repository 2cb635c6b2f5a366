// SPDX-License-Identifier: Apache-2.0
//
// Questions to the driver that neither wait nor disturb a stream capture.
#include "injection/cupti/driver_device.h"

#include <fmt/format.h>

#include "injection/cupti/driver_calls.h"

namespace coalcheck::cupti {
namespace {

// Whether every later call on the context fails, too.
bool EndsContext(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<DriverDevice> DriverDevice::Open() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return Error{"libcuda.so.1 is not loaded in this process"};
  DriverDevice device;
  const bool complete =
      Load(library, "cuStreamQuery", device.stream_query_) &&
      Load(library, "cuStreamGetCaptureInfo_v2", device.stream_get_capture_info_) &&
      Load(library, "cuThreadExchangeStreamCaptureMode", device.thread_exchange_capture_mode_) &&
      Load(library, "cuCtxGetCurrent", device.context_get_current_) &&
      Load(library, "cuCtxPushCurrent_v2", device.context_push_current_) &&
      Load(library, "cuCtxPopCurrent_v2", device.context_pop_current_) &&
      Load(library, "cuCtxGetDevice", device.context_get_device_) &&
      Load(library, "cuDeviceGetPCIBusId", device.device_get_bus_id_) &&
      Load(library, "cuDeviceGet", device.device_get_) &&
      Load(library, "cuDeviceGetName", device.device_get_name_) &&
      Load(library, "cuDeviceGetAttribute", device.device_get_attribute_) &&
      Load(library, "cuDriverGetVersion", device.driver_get_version_);
  if (!complete) return Error{"this driver is too old: CUDA 11.3 or later is needed"};
  device.LoadGraphs(library);
  device.LoadInstances(library);
  device.parameters_.Load(library);
  Load(library, "cuMemGetInfo_v2", device.mem_get_info_);
  Load(library, "cuFuncLoad", device.func_load_);
  Load(library, "cuDeviceGetUuid", device.device_get_uuid_);
  Load(library, "cuKernelGetFunction", device.kernel_get_function_);
  return device;
}

template <typename Call>
CUresult DriverDevice::InContext(agent::ContextHandle context, const Call& call) const {
  if (IsCurrent(context)) return call();
  const CUresult pushed = context_push_current_(reinterpret_cast<CUcontext>(context.value()));
  if (pushed != CUDA_SUCCESS) return CUDA_ERROR_NOT_READY;
  const CUresult result = call();
  CUcontext popped = nullptr;
  context_pop_current_(&popped);
  return result;
}

// A default stream belongs to the context that is current: asked in another one, it would answer
// for that one's work.
CUresult DriverDevice::QueryInContext(agent::ContextHandle context,
                                      agent::StreamHandle stream) const {
  return InContext(context, [&] { return stream_query_(ToCuda(stream)); });
}

std::optional<Bytes> DriverDevice::FreeMemory(agent::ContextHandle context) const {
  if (mem_get_info_ == nullptr) return std::nullopt;
  std::size_t free = 0;
  std::size_t total = 0;
  const CUresult result = InContext(context, [&] { return mem_get_info_(&free, &total); });
  if (result != CUDA_SUCCESS) return std::nullopt;
  return Bytes(free);
}

std::optional<std::string> DriverDevice::BusId(agent::ContextHandle context) const {
  CUdevice device = 0;
  std::array<char, 32> text{};
  const CUresult found = InContext(context, [&] { return context_get_device_(&device); });
  if (found != CUDA_SUCCESS) return std::nullopt;
  const CUresult named = device_get_bus_id_(text.data(), static_cast<int>(text.size() - 1), device);
  if (named != CUDA_SUCCESS) return std::nullopt;
  return text.data();
}

agent::StreamState DriverDevice::Query(agent::ContextHandle context, agent::StreamHandle stream) {
  // In relaxed mode a query does not break a capture that another thread makes in global mode.
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  thread_exchange_capture_mode_(&mode);
  const CUresult result = QueryInContext(context, stream);
  thread_exchange_capture_mode_(&mode);
  switch (result) {
    case CUDA_SUCCESS:
      return agent::StreamState::kIdle;
    case CUDA_ERROR_INVALID_HANDLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return agent::StreamState::kUnknown;
    default:
      return EndsContext(result) ? agent::StreamState::kFailed : agent::StreamState::kBusy;
  }
}

bool DriverDevice::IsCapturing(agent::StreamHandle stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUresult result =
      stream_get_capture_info_(ToCuda(stream), &status, nullptr, nullptr, nullptr, nullptr);
  return result == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

std::optional<agent::CapturedNode> DriverDevice::LastCaptured(agent::StreamHandle stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  const CUgraphNode* nodes = nullptr;
  std::size_t count = 0;
  const CUresult result =
      stream_get_capture_info_(ToCuda(stream), &status, nullptr, &graph, &nodes, &count);
  // The next operation in the stream depends on the last node alone.
  if (result != CUDA_SUCCESS || graph == nullptr || nodes == nullptr || count != 1) return {};
  return agent::CapturedNode{agent::GraphHandle(reinterpret_cast<std::uintptr_t>(graph)),
                             agent::GraphNodeHandle(reinterpret_cast<std::uintptr_t>(nodes[0]))};
}

void DriverDevice::LoadCode(agent::FunctionHandle function) {
  if (func_load_ == nullptr || kernel_get_function_ == nullptr) return;
  // In relaxed mode, so that another thread's capture in global mode does not forbid it.
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  thread_exchange_capture_mode_(&mode);
  // A launch takes a CUfunction or a CUkernel; each call refuses the other's handle.
  CUfunction loaded = reinterpret_cast<CUfunction>(function.value());
  if (func_load_(loaded) != CUDA_SUCCESS &&
      kernel_get_function_(&loaded, reinterpret_cast<CUkernel>(function.value())) == CUDA_SUCCESS) {
    func_load_(loaded);
  }
  thread_exchange_capture_mode_(&mode);
}

bool DriverDevice::IsCurrent(agent::ContextHandle context) const {
  CUcontext current = nullptr;
  return context_get_current_(&current) == CUDA_SUCCESS &&
         reinterpret_cast<std::uintptr_t>(current) == context.value();
}

// As nvidia-smi writes it; empty when the driver does not tell.
std::string DriverDevice::UuidOf(CUdevice device) const {
  CUuuid uuid{};
  if (device_get_uuid_ == nullptr || device_get_uuid_(&uuid, device) != CUDA_SUCCESS) return {};
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    const bool begins_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text +=
        fmt::format("{}{:02x}", begins_group ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

recording::Device DriverDevice::DescribeDevice(DeviceIndex index) const {
  recording::Device described;
  described.device = index;
  CUdevice device = 0;
  char name[256] = {};
  int major = 0;
  int minor = 0;
  int version = 0;
  if (device_get_(&device, static_cast<int>(index.value())) == CUDA_SUCCESS) {
    device_get_name_(name, sizeof name - 1, device);
    described.uuid = UuidOf(device);
    device_get_attribute_(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    device_get_attribute_(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  }
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    const bool known = device_get_attribute_(&value, which, device) == CUDA_SUCCESS && value > 0;
    return known ? static_cast<std::uint32_t>(value) : 0;
  };
  described.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  described.clock_khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  described.memory_clock_khz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  described.memory_bus_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  driver_get_version_(&version);
  described.name = name;
  described.compute_major = static_cast<std::uint32_t>(major);
  described.compute_minor = static_cast<std::uint32_t>(minor);
  described.driver_version = static_cast<std::uint32_t>(version);
  return described;
}

}  // namespace coalcheck::cupti
