# The suggestion engine is compiled a second time for processors with AVX2 and
# FMA (x86-64-v3), where it is about twice as fast; which one runs is decided at
# run time. Inline functions and templates of the second copy must not replace
# those of the rest of the program, as the linker is free to do with equal
# names: its object files are joined into one, in which only the factory's name
# stays visible.
include_guard()
include(cmake/unity.cmake)

set(VERNIER_HAS_X86_64_V3 OFF)
if(VERNIER_X86_64_V3 AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64"
   AND NOT VERNIER_SANITIZE AND NOT VERNIER_FUZZ AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(VERNIER_LD_BFD ld.bfd)
  if(VERNIER_LD_BFD AND CMAKE_OBJCOPY)
    set(VERNIER_HAS_X86_64_V3 ON)
  endif()
endif()

function(vernier_add_x86_64_v3_engine target)
  if(NOT VERNIER_HAS_X86_64_V3)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  add_library(${target}_x86_64_v3 OBJECT ${sources}
              ${CMAKE_SOURCE_DIR}/src/suggest/x86_64_v3/factory.cc)
  vernier_unity(${target}_x86_64_v3)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  target_link_libraries(${target}_x86_64_v3 PRIVATE ${libraries})
  target_include_directories(${target}_x86_64_v3 PRIVATE src)
  get_target_property(options ${target} COMPILE_OPTIONS)
  target_compile_options(${target}_x86_64_v3 PRIVATE
                         ${options} -march=x86-64-v3 -fno-gnu-unique)
  target_compile_definitions(${target}_x86_64_v3 PRIVATE VERNIER_X86_64_V3)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/${target}_x86_64_v3_joined.o)
  set(sealed ${CMAKE_CURRENT_BINARY_DIR}/${target}_x86_64_v3.o)
  add_custom_command(
    OUTPUT ${sealed}
    COMMAND ${VERNIER_LD_BFD} -r --force-group-allocation -o ${joined}
            $<TARGET_OBJECTS:${target}_x86_64_v3>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=VernierMakeSuggesterX8664V3
            ${joined} ${sealed}
    DEPENDS $<TARGET_OBJECTS:${target}_x86_64_v3>
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${sealed} PROPERTIES EXTERNAL_OBJECT ON
                                                   GENERATED ON)
  target_sources(${target} PRIVATE ${sealed})
  target_compile_definitions(${target} PRIVATE VERNIER_HAS_X86_64_V3)
endfunction()
