# What keeps the time to compile short.

# GCC looks for memory to free each time it has taken another 128 MB, which a precompiled header is
# already; on this code it finds little, and spends a tenth of its time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(coalcheck_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
endif()

# Files include what they use also where headers are precompiled: the preset tidy compiles without, and
# so does a compiler cache, which cannot see what of a precompiled header matters to a file.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# coalcheck_optimise_little(TARGET): in a developer's builds TARGET compiles at -O1. In the preset default that is a quarter
# quicker than at -O2, and runs some 15 % slower; under the sanitizers it takes as long as -Og, and runs 15 % quicker. What
# is installed is built as Release.
function(coalcheck_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo,Debug>:-O1>)
endfunction()

set(_standard_headers <algorithm> <array> <atomic> <cstdint> <cstring> <functional> <map> <memory>
  <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector>)

# coalcheck_precompile(TARGET LIKE target | HEADERS …): reads once what most files of TARGET read: the
# usual headers of the standard library, and others. LIKE takes what another target has, whose flags
# must be the same; -flto makes no difference.
function(coalcheck_precompile target)
  cmake_parse_arguments(arg "" "LIKE" "HEADERS" ${ARGN})
  if(arg_LIKE)
    target_precompile_headers(${target} REUSE_FROM ${arg_LIKE})
  else()
    target_precompile_headers(${target} PRIVATE ${_standard_headers} ${arg_HEADERS})
  endif()
endfunction()

# coalcheck_compile_together(TARGET [ALONE FILE…]): compiles two dozen of TARGET's files as one, as most of
# the time goes into the headers and templates that they share; so two files of one namespace may not
# give one name to two things of their own. ALONE are files with macros or include paths of their own.
# -DCOALCHECK_COMPILE_TOGETHER=OFF compiles each by itself: what is changed often is built sooner
# then, and each file has to include what it uses (the preset tidy).
option(COALCHECK_COMPILE_TOGETHER "Compile two dozen files as one" ON)
function(coalcheck_compile_together target)
  cmake_parse_arguments(arg "" "" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${COALCHECK_COMPILE_TOGETHER}
    UNITY_BUILD_BATCH_SIZE 24)
  set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
