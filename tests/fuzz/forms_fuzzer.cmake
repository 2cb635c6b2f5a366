# Ten forms of a report for each input.
coalcheck_add_fuzzer(forms_fuzzer SOURCE forms_fuzzer.cpp CORPUS forms_corpus MUTANTS 3000
  LIBRARIES coalcheck_analysis nlohmann_json::nlohmann_json)
