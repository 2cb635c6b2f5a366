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
  set(keep keep/${output})
  get_filename_component(stem ${source} NAME_WE)
  coalcheck_compile_fixture(OUTPUT fixtures/${output} ${keep}/${stem}.ptx
    SOURCES ${_sources}/${source} ${_sources}/inlined.cuh
    FLAGS -std=c++17 --keep --keep-dir ${keep} ${ARGN} -o fixtures/${output} ${_sources}/${source}
    THEN ${CMAKE_COMMAND} -E copy_if_different ${keep}/${stem}.ptx fixtures/${output}.ptx
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${keep}/*.ii ${keep}/*.gpu ${keep}/*.cpp)
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
  if(_sm GREATER_EQUAL 90)
    coalcheck_fixture(bulk_${_sm}.cubin bulk.cu -cubin -lineinfo -arch=sm_${_sm})
  endif()
  coalcheck_fixture(widths_nolines_${_sm}.cubin widths.cu -cubin -arch=sm_${_sm})

  # Relocatable device code, linked into one cubin.
  foreach(_part a b)
    coalcheck_fixture(linked_${_part}_${_sm}.o linked_${_part}.cu -rdc=true -lineinfo -arch=sm_${_sm} -c)
  endforeach()
  set(_parts fixtures/linked_a_${_sm}.o fixtures/linked_b_${_sm}.o)
  coalcheck_compile_fixture(OUTPUT fixtures/linked_${_sm}.cubin SOURCES ${_parts}
    FLAGS -dlink -cubin -arch=sm_${_sm} -o fixtures/linked_${_sm}.cubin ${_parts})
  list(APPEND _fixtures ${COALCHECK_FIXTURE_DIR}/linked_${_sm}.cubin)
endforeach()

# The same two images and PTX as a program, packed in every way that nvcc offers.
function(coalcheck_packed_fixture output)
  coalcheck_compile_fixture(OUTPUT fixtures/${output}
    SOURCES ${_sources}/inlined.cu ${_sources}/inlined.cuh
    FLAGS -lineinfo -gencode arch=compute_80,code=sm_80 -gencode "arch=compute_90,code=[sm_90,compute_90]"
          ${ARGN} -o fixtures/${output} ${_sources}/inlined.cu)
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
coalcheck_compile_fixture(OUTPUT fixtures/ptx_only.fatbin
  SOURCES ${_sources}/inlined.cu ${_sources}/inlined.cuh
  FLAGS -arch=compute_90 -code=compute_90 -fatbin -o fixtures/ptx_only.fatbin ${_sources}/inlined.cu)
list(APPEND _fixtures ${COALCHECK_FIXTURE_DIR}/ptx_only.fatbin)

add_custom_target(cubin_fixtures DEPENDS ${_fixtures})
