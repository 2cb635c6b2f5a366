coalcheck_add_fuzzer(name_fuzzer SOURCE name_fuzzer.cpp CORPUS name_corpus
  LIBRARIES coalcheck_core)
