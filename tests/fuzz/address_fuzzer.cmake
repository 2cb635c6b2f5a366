coalcheck_add_fuzzer(address_fuzzer SOURCE address_fuzzer.cpp CORPUS ptx_corpus MUTANTS 10000
  LIBRARIES coalcheck_analysis)
