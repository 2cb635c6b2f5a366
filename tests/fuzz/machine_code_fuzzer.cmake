coalcheck_add_fuzzer(machine_code_fuzzer SOURCE machine_code_fuzzer.cpp CORPUS corpus/machine_code
  LIBRARIES coalcheck_core)
