# One interface target carries the language level, the warnings and the sanitizers. Warnings are errors but in
# Release, which users compile with compilers that nobody has tried here.
add_library(coalcheck_warnings INTERFACE)
target_compile_features(coalcheck_warnings INTERFACE cxx_std_20)
target_compile_options(coalcheck_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Wnon-virtual-dtor>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Release>>>:-Werror>)
# GCC 12 sees overlap in std::string's operator+ where there is none (GCC bug 105329), copies beyond a
# string's end, and members of std::string uninitialised in aggregates that initialise them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(coalcheck_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-maybe-uninitialized>)
endif()
# Clang's -Wconversion minds a sign that changes, and its -Wshadow what two files of one compilation name alike.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(coalcheck_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-sign-conversion;-Wno-shadow>)
endif()
target_include_directories(coalcheck_warnings INTERFACE ${PROJECT_SOURCE_DIR})
# Three checks of GCC's UndefinedBehaviorSanitizer are left out. They take a third of the time to compile, and
# AddressSanitizer stops at accesses through a null pointer, too. The preset fuzz, which compiles with clang, has them
# all.
if(COALCHECK_SANITIZE)
  target_compile_options(coalcheck_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${COALCHECK_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-sanitize=null,alignment,vptr>)
  target_link_options(coalcheck_warnings INTERFACE -fsanitize=${COALCHECK_SANITIZE})
endif()
