# Kernels that wait for others and kernels that do not, and kernels that stall, compiled while the tests are built.
set(COALCHECK_WAITING_DIR ${CMAKE_CURRENT_BINARY_DIR}/fixtures)
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()

set(_waiting_fixtures "")
set(_sources ${CMAKE_CURRENT_SOURCE_DIR}/fixtures)
foreach(_name waiting working loops libraries stalls masks)
  coalcheck_compile_cubins(_waiting_fixtures ${_name} SOURCES ${_sources}/${_name}.cu)
endforeach()
# Relocatable device code, linked into one cubin.
foreach(_name linked_wait linked_kernels)
  coalcheck_compile_cubins(_waiting_fixtures ${_name} ONE_PTX SOURCES ${_sources}/${_name}.cu FLAGS -rdc=true)
endforeach()
coalcheck_link_cubins(_waiting_fixtures linked linked_wait linked_kernels)

add_custom_target(waiting_fixtures DEPENDS ${_waiting_fixtures})
