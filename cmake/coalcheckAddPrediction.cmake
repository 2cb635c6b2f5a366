# SPDX-License-Identifier: Apache-2.0
#
# coalcheck_add_prediction(): a verdict on compiled code as a test of ctest's; no GPU is needed.
#
#   coalcheck_add_prediction(NAME name FILES target-or-file…
#                            [LAUNCHES recording…] [BASELINE file] [MAX_UNKNOWN percent]
#                            [OPTIONS option…] [LABELS label…])
#
# The test passes when `coalcheck predict` ends with 0: no access is wasteful that the baseline does
# not know, and not more is unknown than MAX_UNKNOWN allows.
#
#   FILES        targets (libraries and object libraries, too), or programs, objects and cubins
#   LAUNCHES     recordings whose launches are taken as given
#   BASELINE     findings that are known; relative paths are of the source folder
#   OPTIONS      further options of `coalcheck predict`
#   LABELS       besides the label "coalcheck"

function(coalcheck_add_prediction)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;BASELINE;MAX_UNKNOWN" "FILES;LAUNCHES;OPTIONS;LABELS")
  _coalcheck_refuse_unknown_arguments(coalcheck_add_prediction FILES)
  set(words --source-root ${CMAKE_SOURCE_DIR})
  foreach(recording IN LISTS arg_LAUNCHES)
    get_filename_component(recording ${recording} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND words --launches ${recording})
  endforeach()
  if(DEFINED arg_BASELINE)
    get_filename_component(baseline ${arg_BASELINE} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND words --baseline ${baseline})
  endif()
  if(DEFINED arg_MAX_UNKNOWN)
    list(APPEND words --max-unknown ${arg_MAX_UNKNOWN})
  endif()
  set(files "")
  foreach(file IN LISTS arg_FILES)
    if(TARGET ${file})
      get_target_property(type ${file} TYPE)
      if(type STREQUAL OBJECT_LIBRARY)
        list(APPEND files $<TARGET_OBJECTS:${file}>)
      else()
        list(APPEND files $<TARGET_FILE:${file}>)
      endif()
    else()
      get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND files ${file})
    endif()
  endforeach()
  add_test(NAME ${arg_NAME} COMMAND coalcheck::coalcheck predict ${words} ${arg_OPTIONS} ${files}
           COMMAND_EXPAND_LISTS)
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "coalcheck;${arg_LABELS}")
endfunction()
