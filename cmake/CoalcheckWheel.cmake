# What the Python wheel holds beside python/coalcheck: the component `wheel`, which no other installation
# has. The folders are those of an installed tree, so that command and library find each other.
if(NOT TARGET libcoalcheck)
  return()
endif()
find_package(Python3 3.9 COMPONENTS Interpreter)
set(_wheel COMPONENT wheel EXCLUDE_FROM_ALL)
install(TARGETS coalcheck RUNTIME DESTINATION coalcheck/bin ${_wheel})
install(TARGETS libcoalcheck LIBRARY DESTINATION coalcheck/lib ${_wheel})
coalcheck_install_notices(coalcheck/third-party ${_wheel})

# The types of the report come from its schema, whose version is the command's.
set(_types ${PROJECT_BINARY_DIR}/python/report_types.py)
set(_schema ${PROJECT_SOURCE_DIR}/docs/report.schema.json)
set(_make_types ${PROJECT_SOURCE_DIR}/scripts/make-report-types)
install(CODE "file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${_make_types} --schema ${_schema} ${_types} COMMAND_ERROR_IS_FATAL ANY)"
  ${_wheel})
install(FILES ${_types} DESTINATION coalcheck ${_wheel})
