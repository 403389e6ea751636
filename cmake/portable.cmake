# A program that is linked here runs with any glibc from this release on: it asks
# for no newer version of a name, and src/glibc/ supplies what that release
# lacks. docs/dependencies.md says why, and tests/packages/portable_test.py checks
# it.
set(VERNIER_GLIBC 2.28)

vernier_library(glibc)
set(names src/glibc/newer_functions.cc src/glibc/process_start.cc)
get_target_property(sources vernier_glibc SOURCES)
list(TRANSFORM names PREPEND ${CMAKE_SOURCE_DIR}/)
list(REMOVE_ITEM sources ${names})
set_target_properties(vernier_glibc PROPERTIES SOURCES "${sources}")

set(compiler ${CMAKE_CXX_COMPILER})
if(CMAKE_SYSROOT)
  list(APPEND compiler --sysroot=${CMAKE_SYSROOT})
endif()
execute_process(
  COMMAND ${compiler} -print-file-name=libc.so.6
  OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT VERNIER_STATIC OR VERNIER_SANITIZE OR VERNIER_FUZZ OR NOT EXISTS ${libc})
  # Sanitizers look for the versions that this machine has.
  function(vernier_link_portably target)
  endfunction()
  return()
endif()

set(VERNIER_GLIBC_STUBS ${CMAKE_BINARY_DIR}/glibc)
add_custom_command(
  OUTPUT ${VERNIER_GLIBC_STUBS}/libc.so
  COMMAND ${CMAKE_SOURCE_DIR}/cmake/make_glibc_stubs ${VERNIER_GLIBC_STUBS}
          ${VERNIER_GLIBC} ${compiler}
  DEPENDS ${CMAKE_SOURCE_DIR}/cmake/make_glibc_stubs ${libc}
  COMMENT "Making stubs of glibc ${VERNIER_GLIBC}"
  VERBATIM)
add_custom_target(vernier_glibc_stubs DEPENDS ${VERNIER_GLIBC_STUBS}/libc.so)

# Objects, since no archive is searched for names that the linker has found.
add_library(vernier_glibc_names OBJECT ${names})
target_link_libraries(vernier_glibc_names PUBLIC vernier_glibc
                                          PRIVATE vernier_warnings)

function(vernier_link_portably target)
  target_link_options(${target} PRIVATE -L${VERNIER_GLIBC_STUBS}
                      LINKER:--wrap=__libc_start_main)
  # Threads and dlopen moved into libc.so.6 with 2.34.
  target_link_libraries(
    ${target} PRIVATE vernier_glibc_names
                      -Wl,--push-state,--no-as-needed -lpthread -ldl
                      -Wl,--pop-state)
  add_dependencies(${target} vernier_glibc_stubs)
  set_property(TARGET ${target} APPEND
               PROPERTY LINK_DEPENDS ${VERNIER_GLIBC_STUBS}/libc.so)
endfunction()
