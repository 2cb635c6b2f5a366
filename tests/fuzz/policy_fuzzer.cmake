coalcheck_add_fuzzer(policy_fuzzer SOURCE policy_fuzzer.cpp CORPUS policy_corpus
  LIBRARIES coalcheck_analysis)
