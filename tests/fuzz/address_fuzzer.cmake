coalcheck_add_fuzzer(address_fuzzer SOURCE address_fuzzer.cpp CORPUS corpus/machine_code
  LIBRARIES coalcheck_analysis)
