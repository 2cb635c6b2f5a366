# Every package coalcheck builds with, found where the distribution puts it.
find_package(fmt REQUIRED)
find_package(absl REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)

find_library(COALCHECK_ZSTD NAMES libzstd.a zstd REQUIRED)
find_library(COALCHECK_LZ4 NAMES liblz4.a lz4 REQUIRED)
find_library(COALCHECK_PUGIXML NAMES libpugixml.a pugixml REQUIRED)
find_path(COALCHECK_PUGIXML_INCLUDE pugixml.hpp REQUIRED)
find_path(COALCHECK_RAPIDJSON_INCLUDE rapidjson/document.h REQUIRED)
find_path(COALCHECK_XXHASH_INCLUDE xxhash.h REQUIRED)
find_path(COALCHECK_TOML_INCLUDE toml++/toml.h REQUIRED)

# Debian's absl package names shared libraries only, which would tie a build to the machine it was
# made on. Its static twins lie beside them and go into executables well.
file(READ ${absl_DIR}/abslTargets.cmake _absl_text)
string(REGEX MATCHALL "absl::[a-z0-9_]+" _absl_targets "${_absl_text}")
list(REMOVE_DUPLICATES _absl_targets)
foreach(_target IN LISTS _absl_targets)
  if(TARGET ${_target})
    get_target_property(_location ${_target} IMPORTED_LOCATION_NONE)
    if(_location)
      string(REGEX REPLACE "\\.so[.0-9]*$" ".a" _archive "${_location}")
      if(EXISTS ${_archive})
        set_target_properties(${_target} PROPERTIES IMPORTED_LOCATION_NONE ${_archive})
      endif()
    endif()
  endif()
endforeach()

# CUDA: nvcc compiles samples and fixtures, the CUPTI headers compile the agent. Both optional: the
# analysis and the command need neither.
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU architectures of the samples")
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know yet that nvcc speaks C++20.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
endif()
# FindCUDAToolkit is not used: CMake 3.25's stops at a CUDA 13 that has no nvToolsExt, and nothing but
# the headers is wanted. Toolkits keep CUPTI's apart or with the others.
set(_toolkit_includes ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} $ENV{CUDAToolkit_ROOT}/include
  $ENV{CUDA_HOME}/include /usr/local/cuda/include)
list(TRANSFORM _toolkit_includes APPEND /../extras/CUPTI/include OUTPUT_VARIABLE _cupti_includes)
find_path(COALCHECK_CUPTI_INCLUDE cupti_sass_metrics.h HINTS ${_toolkit_includes} ${_cupti_includes})
find_path(COALCHECK_CUDA_INCLUDE cuda.h HINTS ${_toolkit_includes})
find_path(COALCHECK_NVTX_INCLUDE nvtx3/nvToolsExtPayload.h HINTS ${_toolkit_includes})
if(COALCHECK_BUILD_AGENT AND
   NOT (COALCHECK_CUPTI_INCLUDE AND COALCHECK_CUDA_INCLUDE AND COALCHECK_NVTX_INCLUDE))
  message(FATAL_ERROR "The agent needs the headers of CUDA, CUPTI and NVTX 13.0 or newer: run scripts/setup "
    "and '. .toolchain/env', or set COALCHECK_BUILD_AGENT to OFF")
endif()
