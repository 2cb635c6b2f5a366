# Cubins, compiled while the tests are built.
set(COALCHECK_FIXTURE_DIR ${CMAKE_CURRENT_BINARY_DIR}/fixtures)
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()

set(_fixtures "")
set(_sources ${CMAKE_CURRENT_SOURCE_DIR}/fixtures)
foreach(_name inlined local templates calls)
  coalcheck_compile_cubins(_fixtures ${_name} ONE_PTX
    SOURCES ${_sources}/${_name}.cu ${_sources}/inlined.cuh FLAGS -lineinfo)
endforeach()
coalcheck_compile_cubins(_fixtures widths SOURCES ${_sources}/widths.cu FLAGS -lineinfo)
coalcheck_compile_cubins(_fixtures bulk FROM 90 SOURCES ${_sources}/bulk.cu FLAGS -lineinfo)
coalcheck_compile_cubins(_fixtures widths_nolines SOURCES ${_sources}/widths.cu)
# Relocatable device code, linked into one cubin.
foreach(_part linked_a linked_b)
  coalcheck_compile_cubins(_fixtures ${_part} ONE_PTX
    SOURCES ${_sources}/${_part}.cu ${_sources}/inlined.cuh FLAGS -rdc=true -lineinfo)
endforeach()
coalcheck_link_cubins(_fixtures linked linked_a linked_b)

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
