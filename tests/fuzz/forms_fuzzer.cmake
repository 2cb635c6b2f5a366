# Ten forms of a report for each input, and a sanitizer slows that down some thirty times.
set(mutants 3000)
if(COALCHECK_SANITIZE)
  set(mutants 200)
endif()
coalcheck_add_fuzzer(forms_fuzzer SOURCE forms_fuzzer.cpp CORPUS forms_corpus MUTANTS ${mutants}
  LIBRARIES coalcheck_analysis nlohmann_json::nlohmann_json)
