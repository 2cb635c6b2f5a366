# Run by cpack on the tree of a Debian package before it is packed: what Debian has elsewhere, or
# compressed.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(_usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
if(EXISTS ${_usr}/share/zsh/site-functions)
  file(RENAME ${_usr}/share/zsh/site-functions ${_usr}/share/zsh/vendor-completions)
endif()
file(RENAME ${_usr}/share/doc/coalcheck/LICENSE ${_usr}/share/doc/coalcheck/copyright)
file(GLOB _compressed ${_usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9n ${_compressed} COMMAND_ERROR_IS_FATAL ANY)
