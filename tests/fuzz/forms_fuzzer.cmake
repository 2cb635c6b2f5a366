coalcheck_add_fuzzer(forms_fuzzer SOURCE forms_fuzzer.cpp CORPUS forms_corpus
  LIBRARIES coalcheck_sample_reports nlohmann_json::nlohmann_json)
