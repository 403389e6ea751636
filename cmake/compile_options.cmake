# Generated code is left alone. Warnings are errors for who develops: a newer
# compiler that warns of something else must not keep a user from building.
add_library(vernier_warnings INTERFACE)
target_compile_options(
  vernier_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(VERNIER_WARNINGS_ARE_ERRORS)
  target_compile_options(vernier_warnings INTERFACE -Werror)
endif()
if(VERNIER_UNITY)
  # A local variable may have the name of a neighbour's constant, and a class of
  # one file may have members of a type that no other file knows.
  target_compile_options(
    vernier_warnings
    INTERFACE -Wno-shadow
              $<$<CXX_COMPILER_ID:GNU>:-Wno-error=subobject-linkage>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(vernier_warnings INTERFACE -Wthread-safety)
elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms in "text" + std::string at -O2 (GCC bug 105651).
  target_compile_options(vernier_warnings INTERFACE -Wno-restrict)
endif()

add_compile_options(-fstack-protector-strong -fno-omit-frame-pointer)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # As on x86-64, where the tests run: elsewhere `char` may be unsigned, and a
  # product and a sum may become one instruction, which rounds once.
  add_compile_options(-fsigned-char -ffp-contract=off)
endif()
if(NOT VERNIER_SANITIZE)
  add_compile_options($<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)

# vernier_where_nothing_computes(target): a quarter of a compiler's time is saved
# on what reads flags, prints, converts messages and wires parts together.
function(vernier_where_nothing_computes target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# A release says nothing of the folder in which it was built, so that it is the same
# wherever it is. With ccache paths are relative to the build's folder.
file(RELATIVE_PATH vernier_above ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
foreach(folder ${CMAKE_SOURCE_DIR} ${vernier_above})
  string(REGEX REPLACE "/$" "" folder ${folder})
  add_compile_options($<$<CONFIG:Release>:-ffile-prefix-map=${folder}=.>)
endforeach()

if(VERNIER_SANITIZE)
  string(REPLACE ";" "," sanitizers "${VERNIER_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${sanitizers})
endif()

# What is fuzzed is instrumented, and the tests of the asan gate are linked with
# the same code. Generated code is left out: a fuzzer would collect the ways
# through it.
if(VERNIER_FUZZ)
  target_compile_options(
    vernier_warnings INTERFACE -fsanitize=fuzzer-no-link,address,undefined
                               -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(VERNIER_CCACHE ccache)
if(VERNIER_CCACHE)
  # Paths relative to the checkout, so that a fresh clone and another build
  # folder find what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${VERNIER_CCACHE})
endif()
find_program(VERNIER_MOLD mold)
# A cross compiler looks for a linker of its own.
if(VERNIER_MOLD AND NOT VERNIER_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()
