# With VERNIER_TIDY each file is also read by clang-tidy when it is compiled,
# with Clang's thread-safety analysis, which g++ lacks. Our own files only:
# there is no reason to read generated code or tests.
include_guard()

option(VERNIER_TIDY "Run clang-tidy over src/ while compiling" OFF)
if(VERNIER_TIDY)
  find_program(VERNIER_CLANG_TIDY NAMES clang-tidy clang-tidy-14 REQUIRED)
endif()

function(vernier_tidy target)
  if(VERNIER_TIDY)
    set_target_properties(
      ${target}
      PROPERTIES CXX_CLANG_TIDY
                 "${VERNIER_CLANG_TIDY};--quiet;--extra-arg=-Wthread-safety;--extra-arg=-Wno-unknown-warning-option")
  endif()
endfunction()
