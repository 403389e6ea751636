# Fails if the committed page is not of the files beside it.
#
#   cmake -D WEB=web -P check_page.cmake
#
# WEB/page.sha256 names each file of the page and each file that it is made of,
# with its digest; build.mjs writes it along with the page.
cmake_minimum_required(VERSION 3.25)

set(stale "")
file(STRINGS ${WEB}/page.sha256 lines)
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([0-9a-f]+)  (.+)$")
    message(FATAL_ERROR "web/page.sha256 has a line that is no digest: ${line}")
  endif()
  set(wanted ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(found "")
  if(EXISTS ${WEB}/${name})
    file(SHA256 ${WEB}/${name} found)
  endif()
  if(NOT found STREQUAL wanted)
    list(APPEND stale ${name})
  endif()
endforeach()
# A merge may leave two pages.
file(GLOB_RECURSE files RELATIVE ${WEB} ${WEB}/page/*)
foreach(name IN LISTS files)
  if(NOT ";${lines};" MATCHES "  ${name};")
    list(APPEND stale ${name})
  endif()
endforeach()
if(stale OR NOT lines)
  list(JOIN stale ", web/" names)
  message(
    FATAL_ERROR
      "The dashboard's page, web/page/, does not belong to what it is made of: "
      "web/${names} changed. Build it and commit it with the change: "
      "scripts/page (or npm run build in web/).")
endif()
