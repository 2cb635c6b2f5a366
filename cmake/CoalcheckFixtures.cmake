# What nvcc compiles for the tests.

set(COALCHECK_KEPT_FIXTURES "" CACHE PATH "Where what nvcc compiled for the tests is kept for other builds")

# coalcheck_compile_fixture(OUTPUT file… SOURCES file… FLAGS word… [THEN command…]): nvcc FLAGS makes the
# OUTPUTs, whose names are relative to the current binary directory, of SOURCES. THEN is done behind it.
function(coalcheck_compile_fixture)
  cmake_parse_arguments(arg "" "" "OUTPUT;SOURCES;FLAGS;THEN" ${ARGN})
  list(GET arg_OUTPUT 0 name)
  if(arg_THEN)
    list(PREPEND arg_THEN COMMAND)
  endif()
  foreach(output IN LISTS arg_OUTPUT)
    get_filename_component(folder ${CMAKE_CURRENT_BINARY_DIR}/${output} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
  endforeach()
  add_custom_command(OUTPUT ${arg_OUTPUT}
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/compile-once "${COALCHECK_KEPT_FIXTURES}" ${arg_OUTPUT}
            : ${arg_SOURCES} -- ${CMAKE_CUDA_COMPILER} ${arg_FLAGS}
    ${arg_THEN}
    DEPENDS ${arg_SOURCES} COMMENT "Compiling the fixture ${name}" VERBATIM)
endfunction()
