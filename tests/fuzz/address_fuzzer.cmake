# A sanitizer slows the evaluation down some fifty times.
set(mutants 10000)
if(COALCHECK_SANITIZE)
  set(mutants 500)
endif()
coalcheck_add_fuzzer(address_fuzzer SOURCE address_fuzzer.cpp CORPUS ptx_corpus
  LIBRARIES coalcheck_analysis MUTANTS ${mutants})
