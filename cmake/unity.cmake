# With VERNIER_UNITY, the files of one folder are compiled together, since most
# of a file's time goes into the headers that its neighbours read, too. So names
# in unnamed namespaces are unique in their folder, which
# tests/architecture_test.cc checks. Without it each file is compiled by itself,
# which is what the preset dev does: a change of one file is linked in seconds,
# and each file proves that it includes what it uses.
include_guard()
option(VERNIER_UNITY "Compile the files of a folder together" OFF)

# How many files one compiler reads at most, for memory and for the last core.
set(VERNIER_UNITY_FILES 20)

# vernier_unity(target): groups the target's sources by their folder.
function(vernier_unity target)
  if(NOT VERNIER_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON
                                             UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    # Not of the absolute path: the name gets into the binary's build id.
    file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${folder})
    string(MD5 room "${room}")
    if(NOT DEFINED count_${room})
      set(count_${room} 0)
    endif()
    math(EXPR part "${count_${room}} / ${VERNIER_UNITY_FILES}")
    math(EXPR count_${room} "${count_${room}} + 1")
    cmake_path(GET folder FILENAME name)
    string(SUBSTRING ${room} 0 6 room)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP
                                                     ${name}_${room}_${part})
  endforeach()
endfunction()
