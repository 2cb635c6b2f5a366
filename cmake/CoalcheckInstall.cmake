# What `cmake --install` puts where. The agent looks for the command in ../bin from itself, and the
# command for the agent in ../lib, so the library's folder is lib on every distribution.
set(CMAKE_INSTALL_MESSAGE LAZY)
install(TARGETS coalcheck EXPORT coalcheckTargets RUNTIME DESTINATION bin)
if(TARGET libcoalcheck)
  install(TARGETS libcoalcheck EXPORT coalcheckTargets LIBRARY DESTINATION lib)
endif()
install(TARGETS coalcheck_api EXPORT coalcheckTargets)
install(FILES ${PROJECT_SOURCE_DIR}/include/coalcheck.h ${PROJECT_SOURCE_DIR}/include/coalcheck_gtest.h
        DESTINATION include)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION share/doc/coalcheck)
if(NOT COALCHECK_SANITIZE)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION share)  # manual pages, completion
endif()
# coalcheck_install_notices(FOLDER …): what is linked into the binaries asks for its notice beside them.
function(coalcheck_install_notices folder)
  foreach(package libfmt-dev libabsl-dev nlohmann-json3-dev rapidjson-dev libcli11-dev libzstd-dev
                  liblz4-dev libxxhash-dev libpugixml-dev libtomlplusplus-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${folder} RENAME ${package} ${ARGN})
    endif()
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/third_party/llvm_demangle/LICENSE.TXT
          DESTINATION ${folder} RENAME llvm-demangle ${ARGN})
endfunction()
coalcheck_install_notices(share/doc/coalcheck/third-party)

include(CoalcheckWheel)
include(CoalcheckExport)
include(CoalcheckPack)
