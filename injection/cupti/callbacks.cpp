// SPDX-License-Identifier: Apache-2.0
//
// Subscription, and the resource callbacks: contexts, streams, modules.
#include "injection/cupti/callbacks.h"

#include <fmt/format.h>

#include <initializer_list>
#include <memory>
#include <string_view>

#include "injection/cupti/driver_callbacks.h"
#include "libcoalcheck/base/ids.h"

namespace coalcheck::cupti {
namespace {

using agent::ContextHandle;
using agent::StreamHandle;

// MODULE_PROFILED is not acted upon, but without it CUPTI patches a kernel in the first window of a
// thread only: every later window comes back empty.
constexpr CUpti_CallbackId kResourceCallbacks[] = {
    CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
    CUPTI_CBID_RESOURCE_STREAM_CREATED,  CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING,
    CUPTI_CBID_RESOURCE_MODULE_LOADED,   CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING,
    CUPTI_CBID_RESOURCE_MODULE_PROFILED,
};

ContextHandle ToHandle(CUcontext context) {
  return ContextHandle(reinterpret_cast<std::uintptr_t>(context));
}

StreamHandle ToHandle(CUstream stream) {
  return StreamHandle(reinterpret_cast<std::uintptr_t>(stream));
}

void OnContextCreated(Listener& listener, CUcontext context) {
  std::uint32_t index = 0;
  if (listener.functions.cuptiGetDeviceId(context, &index) != CUPTI_SUCCESS) return;
  recording::Device device = listener.device.DescribeDevice(DeviceIndex(index));
  CUpti_Device_GetChipName_Params chip{};
  chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  chip.deviceIndex = index;
  if (listener.functions.cuptiDeviceGetChipName(&chip) == CUPTI_SUCCESS)
    device.chip = chip.pChipName;
  listener.functions.cuptiGetVersion(&device.cupti_version);
  listener.agent.ContextCreated(ToHandle(context), device,
                                listener.device.IsCurrent(ToHandle(context)));
  // The legacy default stream, which no call creates, shows whether blocking streams are idle.
  listener.agent.StreamCreated(ToHandle(context), ToHandle(CU_STREAM_LEGACY));
}

void OnModuleLoaded(Listener& listener, const CUpti_ResourceData& data) {
  const auto* module = static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
  if (module == nullptr || module->pCubin == nullptr) return;
  listener.agent.ModuleLoaded(ToHandle(data.context),
                              std::string_view(module->pCubin, module->cubinSize));
}

void OnResource(Listener& listener, CUpti_CallbackId id, const CUpti_ResourceData& data) {
  switch (id) {
    case CUPTI_CBID_RESOURCE_CONTEXT_CREATED:
      return OnContextCreated(listener, data.context);
    case CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING:
      return listener.agent.ContextEnds(ToHandle(data.context));
    case CUPTI_CBID_RESOURCE_STREAM_CREATED:
      return listener.agent.StreamCreated(ToHandle(data.context),
                                          ToHandle(data.resourceHandle.stream));
    case CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING:
      return listener.agent.StreamEnds(ToHandle(data.context),
                                       ToHandle(data.resourceHandle.stream));
    case CUPTI_CBID_RESOURCE_MODULE_LOADED:
      return OnModuleLoaded(listener, data);
    case CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING:
      return listener.agent.ModuleUnloads();
    default:
      return;
  }
}

void OnDriverCall(const Listener& listener, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const DriverCallback* call = FindDriverCallback(id);
  if (call != nullptr) call->handle({listener, call->default_stream, data});
}

void CUPTIAPI OnCallback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* data) {
  Listener& listener = *static_cast<Listener*>(user);
  listener.agent.Guard([&] {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      OnDriverCall(listener, id, *static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      OnResource(listener, id, *static_cast<const CUpti_ResourceData*>(data));
    }
  });
}

// CUPTI's own crc reads some 30 bytes of a cubin; two builds of one kernel can share it.
void CUPTIAPI HashWholeCubin(const void* cubin, size_t size, uint64_t* crc) {
  *crc = HashCubin(std::string_view(static_cast<const char*>(cubin), size)).value();
}

CUptiResult Register(const Functions& functions, Listener& listener,
                     CUpti_SubscriberHandle& subscriber, std::string& other_client) {
  if (functions.cuptiSubscribe_v2 == nullptr) {
    return functions.cuptiSubscribe(&subscriber, OnCallback, &listener);
  }
  char other[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1] = {};
  CUpti_SubscriberParams params{};
  params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  params.subscriberName = "coalcheck";
  params.oldSubscriberName = other;
  params.oldSubscriberSize = CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN;
  const CUptiResult result =
      functions.cuptiSubscribe_v2(&subscriber, OnCallback, &listener, &params);
  other_client = other;
  return result;
}

// Returns how many driver functions this CUPTI does not know; they are passed over.
Result<std::uint64_t> EnableCallbacks(const Functions& functions,
                                      CUpti_SubscriberHandle subscriber) {
  CUptiResult result = functions.cuptiRegisterComputeCrcCallback(HashWholeCubin);
  if (result != CUPTI_SUCCESS) {
    return Error{Describe(functions, "cuptiRegisterComputeCrcCallback", result)};
  }
  for (const CUpti_CallbackId id : kResourceCallbacks) {
    result = functions.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id);
    if (result != CUPTI_SUCCESS) return Error{Describe(functions, "cuptiEnableCallback", result)};
  }
  std::uint64_t unknown = 0;
  for (const DriverCallback& call : DriverCallbacks()) {
    result = functions.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call.id);
    if (result == CUPTI_ERROR_INVALID_PARAMETER) {
      ++unknown;
    } else if (result != CUPTI_SUCCESS) {
      return Error{Describe(functions, "cuptiEnableCallback", result)};
    }
  }
  if (unknown < DriverCallbacks().size()) return unknown;
  return Error{Describe(functions, "cuptiEnableCallback", result)};
}

}  // namespace

void Subscription::Release(const Functions& functions) {
  if (!active()) return;
  if (functions.cuptiUnsubscribe != nullptr) functions.cuptiUnsubscribe(subscriber_);
  subscriber_ = nullptr;
}

Result<Subscription> Subscribe(const Functions& functions, const DriverDevice& device,
                               agent::Agent& agent) {
  auto listener = std::make_unique<Listener>(Listener{functions, device, agent});
  CUpti_SubscriberHandle subscriber = nullptr;
  std::string other_client;
  const CUptiResult result = Register(functions, *listener, subscriber, other_client);
  if (result != CUPTI_SUCCESS) {
    const std::string what = Describe(functions, "cuptiSubscribe", result);
    if (other_client.empty()) return Error{what};
    return Error{fmt::format("{} (it is held by: {})", what, other_client)};
  }
  static_cast<void>(listener.release());  // from here on CUPTI may call it, in whichever thread
  const Result<std::uint64_t> unknown = EnableCallbacks(functions, subscriber);
  if (unknown.ok()) return Subscription(subscriber, unknown.value());
  if (functions.cuptiUnsubscribe != nullptr) functions.cuptiUnsubscribe(subscriber);
  return Error{unknown.error()};
}

}  // namespace coalcheck::cupti
