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
# What is linked into the binaries asks for its notice beside them.
foreach(_package libfmt-dev libabsl-dev nlohmann-json3-dev rapidjson-dev libcli11-dev libzstd-dev
                 liblz4-dev libxxhash-dev libpugixml-dev libtomlplusplus-dev)
  if(EXISTS /usr/share/doc/${_package}/copyright)
    install(FILES /usr/share/doc/${_package}/copyright
            DESTINATION share/doc/coalcheck/third-party RENAME ${_package})
  endif()
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/third_party/llvm_demangle/LICENSE.TXT
        DESTINATION share/doc/coalcheck/third-party RENAME llvm-demangle)

include(CoalcheckExport)
include(CoalcheckPack)
