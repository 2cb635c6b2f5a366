// SPDX-License-Identifier: Apache-2.0
//
// Libraries that a host uses where they are: found by the dynamic linker, or in one of the folders
// of COALCHECK_TEST_LIBRARIES. Without them the host cannot run here.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <sstream>

#include "host.h"

namespace hosts {

class Library {
 public:
  explicit Library(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (handle_ == nullptr) Open(name);
    }
    if (handle_ == nullptr) Skip(std::string("there is no ") + *names.begin() + " here");
  }

  template <typename Function>
  Function Find(const char* name) const {
    void* found = dlsym(handle_, name);
    if (found == nullptr) Fail(name, "not in this library");
    return reinterpret_cast<Function>(found);
  }

 private:
  void Open(const std::string& name) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* folders = std::getenv("COALCHECK_TEST_LIBRARIES");
    std::istringstream stream(folders == nullptr ? "" : folders);
    for (std::string folder; handle_ == nullptr && std::getline(stream, folder, ':');) {
      handle_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
  }

  void* handle_ = nullptr;
};

}  // namespace hosts
