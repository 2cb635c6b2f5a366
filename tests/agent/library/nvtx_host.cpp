// SPDX-License-Identifier: Apache-2.0
//
// A program without CUDA that uses NVTX in every way there is: nvtx_host SCENARIO PLUGIN. It prints
// what the tool that NVTX found says is open, and what NVTX's functions return.
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

const char* plugin_path = nullptr;

template <typename Function>
Function* Symbol(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

void* Tool() {
  const char* path = std::getenv("NVTX_INJECTION64_PATH");
  return path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
}

void Show() {
  auto* open_now = Symbol<const char*()>(Tool(), "OpenRangesNow");
  std::puts(open_now == nullptr ? "nobody listens" : open_now());
}

void Show(const char* what, int value) { std::printf("%s %d\n", what, value); }

nvtxEventAttributes_t Event(nvtxMessageType_t type) {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = type;
  return event;
}

nvtxEventAttributes_t Named(const char* name) {
  nvtxEventAttributes_t event = Event(NVTX_MESSAGE_TYPE_ASCII);
  event.message.ascii = name;
  return event;
}

nvtxEventAttributes_t Named(const wchar_t* name) {
  nvtxEventAttributes_t event = Event(NVTX_MESSAGE_TYPE_UNICODE);
  event.message.unicode = name;
  return event;
}

nvtxEventAttributes_t Named(nvtxStringHandle_t name) {
  nvtxEventAttributes_t event = Event(NVTX_MESSAGE_TYPE_REGISTERED);
  event.message.registered = name;
  return event;
}

void Nested() {
  Show("push", nvtxRangePushA("step"));
  Show("push", nvtxRangePushW(L"gr\u00f6\u00dfe \u6f22 \U0001f600"));
  const nvtxEventAttributes_t event = Named("inner");
  Show("push", nvtxRangePushEx(&event));
  Show();
  Show("pop", nvtxRangePop());
  Show("pop", nvtxRangePop());
  Show();
  Show("pop", nvtxRangePop());
  Show("pop", nvtxRangePop());
  Show();
}

void Started() {
  const nvtxEventAttributes_t event = Named(L"epoch");
  const nvtxRangeId_t epoch = nvtxRangeStartEx(&event);
  const nvtxRangeId_t run = nvtxRangeStartA("run");
  const nvtxRangeId_t wide = nvtxRangeStartW(L"wide");
  Show("differ", epoch != run && run != wide && epoch != 0);
  Show();
  nvtxRangeEnd(run);
  nvtxRangeEnd(wide);
  nvtxRangeEnd(wide);
  Show();
  nvtxRangeEnd(epoch);
  Show();
}

void Domains() {
  nvtxDomainHandle_t solver = nvtxDomainCreateA("solver");
  nvtxDomainHandle_t io = nvtxDomainCreateW(L"io");
  Show("same", solver == nvtxDomainCreateA("solver"));
  nvtxStringHandle_t narrow = nvtxDomainRegisterStringA(solver, "registered");
  nvtxStringHandle_t wide = nvtxDomainRegisterStringW(io, L"registered \u00e9");
  const nvtxEventAttributes_t events[] = {Named(narrow), Named(wide), Named(L"wide")};
  Show("push", nvtxDomainRangePushEx(solver, &events[0]));
  Show("push", nvtxDomainRangePushEx(io, &events[1]));
  Show("push", nvtxRangePushEx(&events[2]));
  const nvtxRangeId_t range = nvtxDomainRangeStartEx(io, &events[0]);
  Show();
  Show("pop", nvtxDomainRangePop(solver));
  nvtxDomainRangeEnd(io, range);
  Show();
  nvtxDomainDestroy(io);
  Show("pop", nvtxDomainRangePop(io));
  Show("pop", nvtxDomainRangePop(io));
  Show();
}

void Threads() {
  nvtxRangePushA("mine");
  nvtxRangeId_t range = 0;
  std::thread([&] {
    range = nvtxRangeStartA("everybody's");
    nvtxRangePushA("its own");
    Show();
    nvtxRangePop();
  }).join();
  Show();
  std::thread([&] { nvtxRangeEnd(range); }).join();
  Show();
}

void Plugin() {
  nvtxRangePushA("host");
  void* plugin = dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) std::exit(121);
  Show("push", Symbol<int(const char*)>(plugin, "PluginPush")("plugin"));
  Show();
  const nvtxRangeId_t range = nvtxRangeStartA("run");
  Symbol<void(nvtxRangeId_t)>(plugin, "PluginEnd")(range);
  auto* domain = Symbol<nvtxDomainHandle_t(const char*)>(plugin, "PluginDomain")("shared");
  Show("same", domain == nvtxDomainCreateA("shared"));
  const nvtxEventAttributes_t event = Named("inner");
  nvtxDomainRangePushEx(domain, &event);
  Show();
  Show("pop", Symbol<int(nvtxDomainHandle_t)>(plugin, "PluginPopFrom")(domain));
  Show("pop", Symbol<int()>(plugin, "PluginPop")());
  Show();
}

void Mistakes() {
  nvtxRangePushA(nullptr);
  nvtxRangePushW(nullptr);
  nvtxRangePushEx(nullptr);
  nvtxEventAttributes_t small = Named("too small to have a name");
  small.size = 8;
  nvtxRangePushEx(&small);
  int nowhere = 0;
  nvtxEventAttributes_t event = Named(reinterpret_cast<nvtxStringHandle_t>(&nowhere));
  auto* foreign = reinterpret_cast<nvtxDomainHandle_t>(&nowhere);
  nvtxDomainRangePushEx(foreign, &event);
  event.messageType = 1000;
  nvtxRangePushEx(&event);
  Show();
  Show("pop", nvtxDomainRangePop(foreign));
  Show("pop", nvtxDomainRangePop(foreign));
  for (int i = 0; i < 5; ++i) nvtxRangePop();
  Show("null", nvtxDomainCreateA(nullptr) == nullptr && nvtxDomainCreateW(nullptr) == nullptr);
  nvtxDomainDestroy(nullptr);
  nvtxDomainDestroy(foreign);
  nvtxRangeEnd(0);
  nvtxRangeEnd(~nvtxRangeId_t{0});
  Show();
  Show("mistakes", Symbol<int()>(Tool(), "Mistakes")());
}

void Payloads() {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("d");
  const double value = 1.5;
  const nvtxPayloadData_t payload{NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, sizeof value, &value};
  nvtxEventAttributes_t event = Named("with payload");
  NVTX_PAYLOAD_EVTATTR_SET(&event, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, &value, sizeof value);
  Show("push", nvtxDomainRangePushEx(domain, &event));
  Show("push", nvtxRangePushPayload(domain, &payload, 1));
  const nvtxRangeId_t range = nvtxRangeStartPayload(domain, &payload, 1);
  Show("enabled", nvtxDomainIsEnabled(domain));
  Show();
  nvtxRangeEndPayload(domain, range, &payload, 1);
  Show("pop", nvtxRangePopPayload(domain, &payload, 1));
  Show("pop", nvtxRangePopPayload(domain, &payload, 1));
  Show();
}

void Forked() {
  nvtxRangePushA("parent");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    nvtxRangePushA("child");
    Show();
    std::fflush(stdout);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  Show("child", status);
  Show();
}

// What a tool that nobody asked for must not do.
void Quiet() {
  Show("push", nvtxRangePushA("step"));
  Show("push", nvtxRangePushA("inner"));
  FILE* status = std::fopen("/proc/self/status", "r");
  for (char line[256]; std::fgets(line, sizeof line, status) != nullptr;) {
    if (std::strncmp(line, "Threads:", 8) != 0) continue;
    Show("threads", static_cast<int>(std::strtol(line + 8, nullptr, 10)));
  }
  std::fclose(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 120;
  plugin_path = argv[2];
  const struct {
    const char* name;
    void (*run)();
  } scenarios[] = {{"nested", Nested},     {"started", Started}, {"domains", Domains},
                   {"threads", Threads},   {"plugin", Plugin},   {"mistakes", Mistakes},
                   {"payloads", Payloads}, {"forked", Forked},   {"quiet", Quiet}};
  for (const auto& scenario : scenarios) {
    if (std::strcmp(scenario.name, argv[1]) != 0) continue;
    scenario.run();
    return 0;
  }
  return 119;
}
