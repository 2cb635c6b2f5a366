coalcheck_add_fuzzer(cubin_fuzzer SOURCE cubin_fuzzer.cpp CORPUS corpus/cubin
  LIBRARIES coalcheck_analysis)
