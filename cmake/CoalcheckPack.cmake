# `cpack`: an archive to unpack anywhere and, where Debian's tools are, a Debian package. Both hold
# what `cmake --install` puts down, stripped.
set(COALCHECK_PACKAGE_CONTACT "coalcheck maintainers <maintainers@coalcheck.invalid>" CACHE STRING
  "Who answers for the packages, as a Debian control file has it")
set(CPACK_PACKAGE_NAME coalcheck)
set(CPACK_PACKAGE_VENDOR coalcheck)
set(CPACK_PACKAGE_CONTACT ${COALCHECK_PACKAGE_CONTACT})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "coalcheck runs a CUDA program as it is and names each source line whose \
warps fetch or write more memory than they use. It counts with CUPTI of CUDA 13.0 or newer, which it \
finds where the toolkit, the linker or Python's packages have it.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_SYSTEM_NAME Linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR TGZ)

find_program(COALCHECK_SHLIBDEPS dpkg-shlibdeps)
find_program(COALCHECK_FILE file)
mark_as_advanced(COALCHECK_SHLIBDEPS COALCHECK_FILE)
if(COALCHECK_SHLIBDEPS AND COALCHECK_FILE)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, cuda-cupti-13-0")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/CoalcheckDebianTree.cmake)

include(CPack)
