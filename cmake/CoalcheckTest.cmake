# coalcheck_add_test_program(NAME SOURCES … LIBRARIES … [LABEL …]): a GoogleTest executable whose tests
# ctest runs one by one under their own names. `concurrency` is the label of what the preset tsan runs.
find_package(GTest REQUIRED)
include(GoogleTest)

# A test's own code need not be fast, and compiles in less time; what it tests is optimised.
add_library(coalcheck_test_flags INTERFACE)
target_link_libraries(coalcheck_test_flags INTERFACE coalcheck_warnings)
target_compile_options(coalcheck_test_flags INTERFACE $<$<CONFIG:RelWithDebInfo>:-Og>)

# A program of nothing but what all test programs read; as a library it would have other flags.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "int main() {}\n")
add_executable(coalcheck_test_headers ${PROJECT_BINARY_DIR}/test_headers.cpp)
target_link_libraries(coalcheck_test_headers PRIVATE coalcheck_test_flags GTest::gmock)
coalcheck_precompile(coalcheck_test_headers HEADERS <absl/status/statusor.h> <fmt/format.h>
  <gmock/gmock.h> <gtest/gtest.h>)

function(coalcheck_add_test_program name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE coalcheck_test_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE COALCHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    COALCHECK_BINARY_DIR="${PROJECT_BINARY_DIR}")
  coalcheck_precompile(${name} LIKE coalcheck_test_headers)
  coalcheck_compile_together(${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 120 LABELS "${arg_LABEL}")
endfunction()

# pyenv and others put a shell script before the interpreter, which takes half as long again to start.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE COALCHECK_PYTHON OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# coalcheck_add_python_tests(FILE): one ctest test for each test function, under its own name; and of a file that asks
# for programs that not every machine has, one in which they are hidden.
function(coalcheck_add_python_tests file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  file(STRINGS ${file} lines REGEX "^class |^    def test_")
  foreach(line IN LISTS lines)
    if(line MATCHES "^class ([A-Za-z0-9]+)")
      set(class ${CMAKE_MATCH_1})
    elseif(line MATCHES "def (test_([a-z0-9_]+))")
      set(name ${class}.${CMAKE_MATCH_2})
      add_test(NAME ${name} COMMAND ${COALCHECK_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/support/run_by_ctest.py
                                    ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${class}.${CMAKE_MATCH_1})
      set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
        ENVIRONMENT COALCHECK_BINARY_DIR=${PROJECT_BINARY_DIR})
    endif()
  endforeach()
  file(STRINGS ${file} asks REGEX "tools\\.(need|module)\\(|^from installed import" LIMIT_COUNT 1)
  if(asks AND NOT COALCHECK_SANITIZE)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    string(REGEX REPLACE "\\.py$" "" name WithoutTools.${name})
    add_test(NAME ${name} COMMAND ${COALCHECK_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/rules/without_tools.py
                                  ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    set_tests_properties(${name} PROPERTIES TIMEOUT 120 ENVIRONMENT COALCHECK_BINARY_DIR=${PROJECT_BINARY_DIR})
  endif()
endfunction()
