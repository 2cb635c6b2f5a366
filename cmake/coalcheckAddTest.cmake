# SPDX-License-Identifier: Apache-2.0
#
# coalcheck_add_test(): a program under coalcheck as a test of ctest's.
#
#   coalcheck_add_test(NAME name COMMAND target-or-program [argument…]
#                      [OPTIONS option…] [KERNEL name…] [NVTX range…] [BASELINE file]
#                      [ALLOW_UNAVAILABLE] [SKIP_RETURN_CODE code]
#                      [LABELS label…] [RESOURCE_LOCK name…] [WORKING_DIRECTORY folder])
#
# The test passes when the program succeeds and coalcheck finds nothing in it: exit code 0 of
# `coalcheck run`. Findings, nothing checked, and counters that could not be had all fail it, and so
# does the program itself.
#
#   OPTIONS            options of `coalcheck run`; they win over what this function sets
#   KERNEL, NVTX       check only these kernels, only launches in these ranges
#   BASELINE           findings that are known; a relative path is one of the source folder
#   ALLOW_UNAVAILABLE  where the counters cannot be had the test is skipped, and fails only if the
#                      program does
#   SKIP_RETURN_CODE   with which the program itself says that it cannot run here, say without a GPU
#   LABELS             besides the label "coalcheck"
#   RESOURCE_LOCK      instead of "gpu": tests that share one never run at the same time
#
# The program's own sources are taken to be those under CMAKE_SOURCE_DIR.

function(coalcheck_add_test)
  set(flags ALLOW_UNAVAILABLE)
  set(single NAME BASELINE SKIP_RETURN_CODE WORKING_DIRECTORY)
  set(several COMMAND OPTIONS KERNEL NVTX LABELS RESOURCE_LOCK)
  cmake_parse_arguments(PARSE_ARGV 0 arg "${flags}" "${single}" "${several}")
  _coalcheck_refuse_unknown_arguments(coalcheck_add_test COMMAND)
  _coalcheck_refuse_without_agent()

  set(options --quiet --source-root ${CMAKE_SOURCE_DIR})
  foreach(kernel IN LISTS arg_KERNEL)
    list(APPEND options --kernel ${kernel})
  endforeach()
  foreach(range IN LISTS arg_NVTX)
    list(APPEND options --nvtx-include ${range})
  endforeach()
  if(DEFINED arg_BASELINE)
    get_filename_component(baseline ${arg_BASELINE} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND options --baseline ${baseline})
  endif()
  if(arg_ALLOW_UNAVAILABLE)
    list(APPEND options --allow-unavailable)
  endif()

  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${arg_NAME}
    COMMAND coalcheck::coalcheck run ${options} ${arg_OPTIONS} -- ${program} ${arg_COMMAND})
  _coalcheck_set_test_properties()
endfunction()

# Says what is wrong with the arguments of the caller's call of FUNCTION, which needs NAME and NEEDED.
macro(_coalcheck_refuse_unknown_arguments function needed)
  if(NOT DEFINED arg_NAME OR NOT DEFINED arg_${needed})
    message(FATAL_ERROR "${function}: needs NAME and ${needed}")
  endif()
  if(DEFINED arg_UNPARSED_ARGUMENTS OR DEFINED arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    list(JOIN arg_KEYWORDS_MISSING_VALUES " " empty)
    message(FATAL_ERROR "${function}: ${arg_NAME}: not understood: ${unknown} ${empty}")
  endif()
endmacro()

macro(_coalcheck_refuse_without_agent)
  if(NOT TARGET coalcheck::agent)
    message(FATAL_ERROR "coalcheck_add_test: ${arg_NAME}: this coalcheck was built without "
      "libcoalcheck.so (COALCHECK_BUILD_AGENT=OFF), so no program can be run under it")
  endif()
endmacro()

macro(_coalcheck_set_test_properties)
  if(NOT DEFINED arg_RESOURCE_LOCK)
    set(arg_RESOURCE_LOCK gpu)
  endif()
  list(PREPEND arg_LABELS coalcheck)
  set_tests_properties(${arg_NAME} PROPERTIES RESOURCE_LOCK "${arg_RESOURCE_LOCK}"
    LABELS "${arg_LABELS}")
  if(DEFINED arg_WORKING_DIRECTORY)
    set_tests_properties(${arg_NAME} PROPERTIES WORKING_DIRECTORY ${arg_WORKING_DIRECTORY})
  endif()
  if(DEFINED arg_SKIP_RETURN_CODE)
    set_tests_properties(${arg_NAME} PROPERTIES SKIP_RETURN_CODE ${arg_SKIP_RETURN_CODE})
  endif()
  if(arg_ALLOW_UNAVAILABLE)
    # The end of the last line, which it has only when the program itself succeeded: a pass that
    # looked at nothing must not look like one that did. The dots stand for (, ) and the semicolon,
    # which would end the expression.
    set_tests_properties(${arg_NAME} PROPERTIES
      SKIP_REGULAR_EXPRESSION "allowed .--allow-unavailable.. exit code 0 is the verdict")
  endif()
endmacro()
