# toml++ 3.3 reaches code that it calls unreachable on some malformed files, and
# UndefinedBehaviorSanitizer ends there: replayed without it only.
if(COALCHECK_SANITIZE)
  return()
endif()
coalcheck_add_fuzzer(policy_fuzzer SOURCE policy_fuzzer.cpp CORPUS policy_corpus
  LIBRARIES coalcheck_analysis)
