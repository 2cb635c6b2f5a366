# Kernels that wait for others and kernels that do not, and kernels that stall, compiled while the tests are built, for every
# architecture that both coalcheck and this nvcc know. Without nvcc the tests skip and say so.
set(COALCHECK_WAITING_DIR ${CMAKE_CURRENT_BINARY_DIR}/fixtures)
set(COALCHECK_WAITING_SMS "")
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()

execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE _known_codes)
set(_waiting_fixtures "")
set(_sources ${CMAKE_CURRENT_SOURCE_DIR}/fixtures)

# coalcheck_waiting_fixture(OUTPUT flags and inputs…)
function(coalcheck_waiting_fixture output)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.(cu|o)$")
  coalcheck_compile_fixture(OUTPUT fixtures/${output} SOURCES ${sources}
    FLAGS ${ARGN} -o fixtures/${output})
  set(_waiting_fixtures ${_waiting_fixtures} ${COALCHECK_WAITING_DIR}/${output} PARENT_SCOPE)
endfunction()

foreach(_sm 75 80 86 89 90 100 120)
  if(NOT _known_codes MATCHES "sm_${_sm}[^0-9]")
    continue()
  endif()
  list(APPEND COALCHECK_WAITING_SMS ${_sm})
  foreach(_name waiting working libraries stalls masks)
    coalcheck_waiting_fixture(${_name}_${_sm}.cubin -std=c++17 -cubin -arch=sm_${_sm}
      ${_sources}/${_name}.cu)
  endforeach()
  # Relocatable device code, linked into one cubin.
  foreach(_name linked_wait linked_kernels)
    coalcheck_waiting_fixture(${_name}_${_sm}.o -std=c++17 -rdc=true -c -arch=sm_${_sm}
      ${_sources}/${_name}.cu)
  endforeach()
  coalcheck_waiting_fixture(linked_${_sm}.cubin -dlink -cubin -arch=sm_${_sm}
    fixtures/linked_wait_${_sm}.o fixtures/linked_kernels_${_sm}.o)
endforeach()

add_custom_target(waiting_fixtures DEPENDS ${_waiting_fixtures})
