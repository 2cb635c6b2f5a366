# coalcheck_add_test_program(NAME SOURCES … LIBRARIES …): a GoogleTest executable whose tests ctest
# runs one by one under their own names.
find_package(GTest REQUIRED)
include(GoogleTest)

function(coalcheck_add_test_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE coalcheck_warnings ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE COALCHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    COALCHECK_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
endfunction()
