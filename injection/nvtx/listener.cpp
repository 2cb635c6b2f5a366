// SPDX-License-Identifier: Apache-2.0
//
// The functions that NVTX calls in place of its own, which do nothing. The program's pointers are
// only looked at where NVTX says what they are.
#include "injection/nvtx/listener.h"

#include <cstddef>
#include <string_view>

#include "injection/nvtx/calls.h"
#include "injection/nvtx/message_text.h"

namespace coalcheck::nvtx {
namespace {

using agent::RangeKey;

template <typename Opaque>
Handle HandleOf(Opaque* pointer) {
  return Handle{reinterpret_cast<std::uintptr_t>(pointer)};
}

template <typename Pointer>
Pointer PointerTo(Handle handle) {
  return reinterpret_cast<Pointer>(handle.value());  // NOLINT(performance-no-int-to-ptr)
}

constexpr std::size_t kWithMessage =
    offsetof(nvtxEventAttributes_t, message) + sizeof(nvtxMessageValue_t);

// Gives `use` the event's message, empty when it has none.
template <typename Use>
auto WithMessage(const nvtxEventAttributes_t* event, Use use) {
  if (event == nullptr || event->size < kWithMessage) return use(std::string_view());
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return use(Narrow(event->message.ascii));
    case NVTX_MESSAGE_TYPE_UNICODE:
      return use(Narrowed(event->message.unicode).text());
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return use(TextOf(HandleOf(event->message.registered)));
    default:
      return use(std::string_view());
  }
}

int DomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return WithMessage(event,
                     [&](std::string_view name) { return Push(HandleOf(domain), name).value(); });
}
int RangePushEx(const nvtxEventAttributes_t* event) { return DomainRangePushEx(nullptr, event); }
int RangePushA(const char* name) { return Push(kDefaultDomain, Narrow(name)).value(); }
int RangePushW(const wchar_t* name) { return Push(kDefaultDomain, Narrowed(name).text()).value(); }
int DomainRangePop(nvtxDomainHandle_t domain) { return Pop(HandleOf(domain)).value(); }
int RangePop() { return Pop(kDefaultDomain).value(); }

nvtxRangeId_t DomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return WithMessage(event,
                     [&](std::string_view name) { return Start(HandleOf(domain), name).value(); });
}
nvtxRangeId_t RangeStartEx(const nvtxEventAttributes_t* event) {
  return DomainRangeStartEx(nullptr, event);
}
nvtxRangeId_t RangeStartA(const char* name) { return Start(kDefaultDomain, Narrow(name)).value(); }
nvtxRangeId_t RangeStartW(const wchar_t* name) {
  return Start(kDefaultDomain, Narrowed(name).text()).value();
}
void RangeEnd(nvtxRangeId_t range) { End(RangeKey(range)); }
void DomainRangeEnd(nvtxDomainHandle_t /*domain*/, nvtxRangeId_t range) { End(RangeKey(range)); }

nvtxDomainHandle_t DomainCreateA(const char* name) {
  return name == nullptr ? nullptr : PointerTo<nvtxDomainHandle_t>(DomainNamed(Narrow(name)));
}
nvtxDomainHandle_t DomainCreateW(const wchar_t* name) {
  return name == nullptr ? nullptr
                         : PointerTo<nvtxDomainHandle_t>(DomainNamed(Narrowed(name).text()));
}
// A domain that was created twice is one: others may use it still.
void DomainDestroy(nvtxDomainHandle_t /*domain*/) {}

nvtxStringHandle_t DomainRegisterStringA(nvtxDomainHandle_t /*domain*/, const char* text) {
  return PointerTo<nvtxStringHandle_t>(Registered(Narrow(text)));
}
nvtxStringHandle_t DomainRegisterStringW(nvtxDomainHandle_t /*domain*/, const wchar_t* text) {
  return PointerTo<nvtxStringHandle_t>(Registered(Narrowed(text).text()));
}

// One of NVTX's tables: where its function pointers are, by callback id.
class Table {
 public:
  Table(const NvtxExportTableCallbacks& tables, NvtxCallbackModule module) {
    if (tables.GetModuleFunctionTable(module, &places_, &size_) == 0) size_ = 0;
  }
  bool empty() const { return size_ == 0 || places_ == nullptr; }
  template <typename Function>
  void Put(unsigned int id, Function* function) {
    if (empty() || id >= size_ || places_[id] == nullptr) return;  // an older NVTX
    *places_[id] = reinterpret_cast<NvtxFunctionPointer>(function);
  }

 private:
  NvtxFunctionTable places_ = nullptr;
  unsigned int size_ = 0;
};

bool Fill(const NvtxExportTableCallbacks& tables) {
  Table plain(tables, NVTX_CB_MODULE_CORE);
  Table with_domains(tables, NVTX_CB_MODULE_CORE2);
  plain.Put(NVTX_CBID_CORE_RangePushEx, RangePushEx);
  plain.Put(NVTX_CBID_CORE_RangePushA, RangePushA);
  plain.Put(NVTX_CBID_CORE_RangePushW, RangePushW);
  plain.Put(NVTX_CBID_CORE_RangePop, RangePop);
  plain.Put(NVTX_CBID_CORE_RangeStartEx, RangeStartEx);
  plain.Put(NVTX_CBID_CORE_RangeStartA, RangeStartA);
  plain.Put(NVTX_CBID_CORE_RangeStartW, RangeStartW);
  plain.Put(NVTX_CBID_CORE_RangeEnd, RangeEnd);
  with_domains.Put(NVTX_CBID_CORE2_DomainRangePushEx, DomainRangePushEx);
  with_domains.Put(NVTX_CBID_CORE2_DomainRangePop, DomainRangePop);
  with_domains.Put(NVTX_CBID_CORE2_DomainRangeStartEx, DomainRangeStartEx);
  with_domains.Put(NVTX_CBID_CORE2_DomainRangeEnd, DomainRangeEnd);
  with_domains.Put(NVTX_CBID_CORE2_DomainCreateA, DomainCreateA);
  with_domains.Put(NVTX_CBID_CORE2_DomainCreateW, DomainCreateW);
  with_domains.Put(NVTX_CBID_CORE2_DomainDestroy, DomainDestroy);
  with_domains.Put(NVTX_CBID_CORE2_DomainRegisterStringA, DomainRegisterStringA);
  with_domains.Put(NVTX_CBID_CORE2_DomainRegisterStringW, DomainRegisterStringW);
  return !plain.empty() || !with_domains.empty();
}

// The table of this kind, or null when NVTX has none or an older and smaller one.
template <typename ExportTable>
const ExportTable* Find(NvtxGetExportTableFunc_t get_table, NvtxExportTableID id) {
  const auto* table = static_cast<const ExportTable*>(get_table(id));
  return table != nullptr && table->struct_size >= sizeof *table ? table : nullptr;
}

}  // namespace

bool Attach(NvtxGetExportTableFunc_t get_table, agent::RangeBook& book) noexcept {
  if (get_table == nullptr) return false;
  const auto* tables = Find<NvtxExportTableCallbacks>(get_table, NVTX_ETID_CALLBACKS);
  if (tables == nullptr) return false;
  try {
    Listen(book);
  } catch (...) {
    return false;  // out of memory
  }
  const auto* versions = Find<NvtxExportTableVersionInfo>(get_table, NVTX_ETID_VERSIONINFO);
  if (versions != nullptr) versions->SetInjectionNvtxVersion(NVTX_VERSION);
  return Fill(*tables);
}

}  // namespace coalcheck::nvtx
