# Cubins compiled while the tests are built, for every architecture that both coalcheck and this
# nvcc know. Without nvcc there are none, and the tests that need them skip and say so.
set(COALCHECK_FIXTURE_DIR ${CMAKE_CURRENT_BINARY_DIR}/fixtures)
set(COALCHECK_FIXTURE_SMS "")
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()

execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE _known_codes)
set(_fixtures "")
set(_sources ${CMAKE_CURRENT_SOURCE_DIR}/fixtures)

# coalcheck_fixture(OUTPUT SOURCE flags…): SOURCE compiled to OUTPUT, and the PTX beside it. The PTX
# is what ptxas read, so its line numbers are those that the cubin names.
function(coalcheck_fixture output source)
  set(keep ${COALCHECK_FIXTURE_DIR}/keep/${output})
  get_filename_component(stem ${source} NAME_WE)
  file(MAKE_DIRECTORY ${keep})
  add_custom_command(OUTPUT ${COALCHECK_FIXTURE_DIR}/${output}
    COMMAND ${CMAKE_CUDA_COMPILER} -std=c++17 --keep --keep-dir ${keep} ${ARGN}
            -o ${COALCHECK_FIXTURE_DIR}/${output} ${_sources}/${source}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${keep}/${stem}.ptx
            ${COALCHECK_FIXTURE_DIR}/${output}.ptx
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${keep}/*.ii ${keep}/*.gpu ${keep}/*.cpp
    DEPENDS ${_sources}/${source} ${_sources}/inlined.cuh
    COMMENT "Compiling the fixture ${output}" VERBATIM)
  set(_fixtures ${_fixtures} ${COALCHECK_FIXTURE_DIR}/${output} PARENT_SCOPE)
endfunction()

foreach(_sm 75 80 86 89 90 100 120)
  if(NOT _known_codes MATCHES "sm_${_sm}[^0-9]")
    continue()
  endif()
  list(APPEND COALCHECK_FIXTURE_SMS ${_sm})
  foreach(_name inlined local widths templates calls)
    coalcheck_fixture(${_name}_${_sm}.cubin ${_name}.cu -cubin -lineinfo -arch=sm_${_sm})
  endforeach()
  coalcheck_fixture(widths_nolines_${_sm}.cubin widths.cu -cubin -arch=sm_${_sm})

  # Relocatable device code, linked into one cubin.
  foreach(_part a b)
    set(_keep ${COALCHECK_FIXTURE_DIR}/keep/linked_${_part}_${_sm})
    file(MAKE_DIRECTORY ${_keep})
    add_custom_command(OUTPUT ${COALCHECK_FIXTURE_DIR}/linked_${_part}_${_sm}.o
                              ${COALCHECK_FIXTURE_DIR}/linked_${_part}_${_sm}.ptx
      COMMAND ${CMAKE_CUDA_COMPILER} -std=c++17 -rdc=true -lineinfo -arch=sm_${_sm} -c
              --keep --keep-dir ${_keep}
              -o ${COALCHECK_FIXTURE_DIR}/linked_${_part}_${_sm}.o ${_sources}/linked_${_part}.cu
      COMMAND ${CMAKE_COMMAND} -E copy ${_keep}/linked_${_part}.ptx
              ${COALCHECK_FIXTURE_DIR}/linked_${_part}_${_sm}.ptx
      DEPENDS ${_sources}/linked_${_part}.cu ${_sources}/inlined.cuh VERBATIM)
  endforeach()
  add_custom_command(OUTPUT ${COALCHECK_FIXTURE_DIR}/linked_${_sm}.cubin
    COMMAND ${CMAKE_CUDA_COMPILER} -dlink -cubin -arch=sm_${_sm}
            -o ${COALCHECK_FIXTURE_DIR}/linked_${_sm}.cubin
            ${COALCHECK_FIXTURE_DIR}/linked_a_${_sm}.o ${COALCHECK_FIXTURE_DIR}/linked_b_${_sm}.o
    DEPENDS ${COALCHECK_FIXTURE_DIR}/linked_a_${_sm}.o ${COALCHECK_FIXTURE_DIR}/linked_b_${_sm}.o
    COMMENT "Linking the fixture linked_${_sm}.cubin" VERBATIM)
  list(APPEND _fixtures ${COALCHECK_FIXTURE_DIR}/linked_${_sm}.cubin)
endforeach()

# The same two images and PTX as a program, packed in every way that nvcc offers.
function(coalcheck_packed_fixture output)
  add_custom_command(OUTPUT ${COALCHECK_FIXTURE_DIR}/${output}
    COMMAND ${CMAKE_CUDA_COMPILER} -lineinfo -gencode arch=compute_80,code=sm_80
            -gencode "arch=compute_90,code=[sm_90,compute_90]" ${ARGN}
            -o ${COALCHECK_FIXTURE_DIR}/${output} ${_sources}/inlined.cu
    DEPENDS ${_sources}/inlined.cu ${_sources}/inlined.cuh
    COMMENT "Compiling the fixture ${output}" VERBATIM)
  set(_fixtures ${_fixtures} ${COALCHECK_FIXTURE_DIR}/${output} PARENT_SCOPE)
endfunction()
coalcheck_packed_fixture(plain.fatbin -fatbin -no-compress)
coalcheck_packed_fixture(all.fatbin -fatbin -Xfatbin -compress-all)
coalcheck_packed_fixture(object.o -c)
coalcheck_packed_fixture(program.so -shared -Xcompiler -fPIC)
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --help OUTPUT_VARIABLE _nvcc_help)
if(_nvcc_help MATCHES "compress-mode")
  coalcheck_packed_fixture(size.fatbin -fatbin -compress-mode=size)
  coalcheck_packed_fixture(speed.fatbin -fatbin -compress-mode=speed -Xfatbin -compress-all)
  coalcheck_packed_fixture(balance.fatbin -fatbin -compress-mode=balance)
  coalcheck_packed_fixture(none.fatbin -fatbin -compress-mode=none)
endif()
add_custom_command(OUTPUT ${COALCHECK_FIXTURE_DIR}/ptx_only.fatbin
  COMMAND ${CMAKE_CUDA_COMPILER} -arch=compute_90 -code=compute_90 -fatbin
          -o ${COALCHECK_FIXTURE_DIR}/ptx_only.fatbin ${_sources}/inlined.cu
  DEPENDS ${_sources}/inlined.cu ${_sources}/inlined.cuh VERBATIM)
list(APPEND _fixtures ${COALCHECK_FIXTURE_DIR}/ptx_only.fatbin)

add_custom_target(cubin_fixtures DEPENDS ${_fixtures})
