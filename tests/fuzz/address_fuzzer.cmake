coalcheck_add_fuzzer(address_fuzzer SOURCE address_fuzzer.cpp CORPUS ptx_corpus
  LIBRARIES coalcheck_analysis)
