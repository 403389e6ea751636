# The dashboard's page, made part of the binary: the committed files of web/page/.
# They are what web/ builds, so that the service itself needs no Node.js.
find_program(VERNIER_GZIP gzip REQUIRED)
set(web ${CMAKE_SOURCE_DIR}/web)
set(embedded ${CMAKE_BINARY_DIR}/web)

# Fails if web/page/ is older than what it is made of.
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/* ${web}/styles/*
     ${web}/page/*)
set(page_checked ${embedded}/page_checked)
add_custom_command(
  OUTPUT ${page_checked}
  COMMAND ${CMAKE_COMMAND} -D WEB=${web} -P
          ${CMAKE_SOURCE_DIR}/cmake/check_page.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${page_checked}
  DEPENDS ${web_sources} ${web}/page.sha256 ${web}/build.mjs
          ${web}/package.json ${web}/package-lock.json ${web}/tsconfig.json
          ${CMAKE_SOURCE_DIR}/cmake/check_page.cmake
  COMMENT "Looking whether the dashboard's page is current"
  VERBATIM)

# Each file is packed, and taken in by the assembler (.incbin), which needs no
# program that would write arrays of numbers.
file(GLOB_RECURSE page_files CONFIGURE_DEPENDS RELATIVE ${web}/page
     ${web}/page/*)
list(SORT page_files)
set(packed_files "")
set(PAGE_BYTES "")
set(PAGE_ENTRIES "")
foreach(name IN LISTS page_files)
  list(LENGTH packed_files number)
  set(packed ${embedded}/page/${name}.gz)
  get_filename_component(folder ${packed} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${packed}
    COMMAND ${VERNIER_GZIP} -9nc ${web}/page/${name} > ${packed}
    DEPENDS ${web}/page/${name} ${page_checked}
    VERBATIM)
  list(APPEND packed_files ${packed})
  string(APPEND PAGE_BYTES "VERNIER_PAGE_BYTES(${number}, \"${packed}\")\n")
  string(APPEND PAGE_ENTRIES
         "      {\"${name}\", Between(page_file_${number}_begin, "
         "page_file_${number}_end)},\n")
endforeach()
if(NOT "index.html" IN_LIST page_files)
  message(FATAL_ERROR "web/page/ has no index.html: scripts/page builds it")
endif()
set(page_source ${embedded}/page_files_embedded.cc)
configure_file(${CMAKE_SOURCE_DIR}/cmake/page_files_embedded.cc.in
               ${page_source} @ONLY)
# By itself: it alone has to follow the bytes, and it includes next to nothing.
set_source_files_properties(
  ${page_source} PROPERTIES OBJECT_DEPENDS "${packed_files}"
                            SKIP_UNITY_BUILD_INCLUSION ON
                            SKIP_PRECOMPILE_HEADERS ON)
target_sources(vernier_faces PRIVATE ${page_source})
