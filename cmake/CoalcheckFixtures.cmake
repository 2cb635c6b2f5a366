# What nvcc compiles for the tests.

set(COALCHECK_KEPT_FIXTURES "" CACHE PATH "Where what nvcc compiled for the tests is kept for other builds")

# The architectures of fixtures: what both coalcheck and this nvcc know. Without nvcc there are none, and the tests
# that need them skip and say so.
set(COALCHECK_FIXTURE_SMS "")
if(CMAKE_CUDA_COMPILER)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE _known_codes)
  foreach(_sm 75 80 86 89 90 100 120)
    if(_known_codes MATCHES "sm_${_sm}[^0-9]")
      list(APPEND COALCHECK_FIXTURE_SMS ${_sm})
    endif()
  endforeach()
endif()

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

# coalcheck_compile_cubins(CUBINS NAME [FROM n] [ONE_PTX] SOURCES file… FLAGS word…): the first of SOURCES compiled for
# each architecture, or each from FROM on, to fixtures/NAME_ARCHITECTURE.cubin. The PTX that ptxas read is beside it,
# with .ptx behind the name. Appends the cubins' paths to the variable CUBINS.
# nvcc takes seconds to make PTX and ptxas a twentieth of one to make a cubin of it, so architectures of one generation
# share their PTX; with ONE_PTX, for code that asks no architecture what it can, all do.
function(coalcheck_compile_cubins cubins name)
  cmake_parse_arguments(arg "ONE_PTX" "FROM" "SOURCES;FLAGS" ${ARGN})
  list(GET arg_SOURCES 0 source)
  # What ptxas has to know, too.
  set(kind ${arg_FLAGS})
  list(FILTER kind INCLUDE REGEX "^-(lineinfo|rdc=true)$")
  set(written)
  foreach(sm IN LISTS COALCHECK_FIXTURE_SMS)
    if(arg_FROM AND sm LESS arg_FROM)
      continue()
    endif()
    string(REGEX REPLACE "^8[0-9]$" 80 generation ${sm})
    string(REGEX REPLACE "^12[0-9]$" 100 generation ${generation})
    if(arg_ONE_PTX)
      list(GET COALCHECK_FIXTURE_SMS 0 generation)
    endif()
    set(ptx fixtures/${name}_compute_${generation}.ptx)
    if(NOT generation IN_LIST written)
      list(APPEND written ${generation})
      coalcheck_compile_fixture(OUTPUT ${ptx} SOURCES ${arg_SOURCES}
        FLAGS -std=c++17 -ptx -arch=compute_${generation} ${arg_FLAGS} -o ${ptx} ${source})
    endif()
    set(cubin fixtures/${name}_${sm}.cubin)
    coalcheck_compile_fixture(OUTPUT ${cubin} SOURCES ${ptx}
      FLAGS -cubin -arch=sm_${sm} ${kind} -o ${cubin} ${ptx}
      THEN ${CMAKE_COMMAND} -E copy_if_different ${ptx} ${cubin}.ptx)
    list(APPEND ${cubins} ${CMAKE_CURRENT_BINARY_DIR}/${cubin})
  endforeach()
  set(${cubins} ${${cubins}} PARENT_SCOPE)
endfunction()

# coalcheck_link_cubins(CUBINS NAME PART…): for each architecture the PARTs, which were compiled with -rdc=true, linked into
# fixtures/NAME_ARCHITECTURE.cubin, whose path is appended to CUBINS.
function(coalcheck_link_cubins cubins name)
  foreach(sm IN LISTS COALCHECK_FIXTURE_SMS)
    set(parts ${ARGN})
    list(TRANSFORM parts REPLACE "(.+)" "fixtures/\\1_${sm}.cubin")
    coalcheck_compile_fixture(OUTPUT fixtures/${name}_${sm}.cubin SOURCES ${parts}
      FLAGS -dlink -cubin -arch=sm_${sm} -o fixtures/${name}_${sm}.cubin ${parts})
    list(APPEND ${cubins} ${CMAKE_CURRENT_BINARY_DIR}/fixtures/${name}_${sm}.cubin)
  endforeach()
  set(${cubins} ${${cubins}} PARENT_SCOPE)
endfunction()
