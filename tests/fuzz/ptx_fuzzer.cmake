coalcheck_add_fuzzer(ptx_fuzzer SOURCE ptx_fuzzer.cpp CORPUS ptx_corpus
  LIBRARIES coalcheck_analysis)
