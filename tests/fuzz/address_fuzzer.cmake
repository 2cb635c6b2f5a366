# A sanitizer slows the search through the code down some thirty times.
set(mutants 20000)
if(COALCHECK_SANITIZE)
  set(mutants 1500)
endif()
coalcheck_add_fuzzer(address_fuzzer SOURCE address_fuzzer.cpp CORPUS corpus/machine_code
  LIBRARIES coalcheck_analysis MUTANTS ${mutants})
