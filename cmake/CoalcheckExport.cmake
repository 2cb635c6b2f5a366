# find_package(coalcheck) for other projects, from an installation and from this build folder alike:
# both have lib/cmake/coalcheck, so either is a folder for CMAKE_PREFIX_PATH.
include(CMakePackageConfigHelpers)
set(_installed lib/cmake/coalcheck)
set(_built ${PROJECT_BINARY_DIR}/lib/cmake/coalcheck)

if(TARGET libcoalcheck)
  set_target_properties(libcoalcheck PROPERTIES EXPORT_NAME agent)
endif()
set_target_properties(coalcheck_api PROPERTIES EXPORT_NAME api)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/coalcheckConfig.cmake.in
  ${_built}/coalcheckConfig.cmake INSTALL_DESTINATION ${_installed}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change what options mean.
write_basic_package_version_file(${_built}/coalcheckConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
foreach(_module coalcheckAddTest coalcheckAddPrediction)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${_module}.cmake ${_built}/${_module}.cmake COPYONLY)
endforeach()
export(EXPORT coalcheckTargets NAMESPACE coalcheck:: FILE ${_built}/coalcheckTargets.cmake)

install(FILES ${_built}/coalcheckConfig.cmake ${_built}/coalcheckConfigVersion.cmake
              ${_built}/coalcheckAddTest.cmake ${_built}/coalcheckAddPrediction.cmake
        DESTINATION ${_installed})
install(EXPORT coalcheckTargets NAMESPACE coalcheck:: DESTINATION ${_installed})
