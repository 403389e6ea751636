# The dashboard's page, built by npm and made part of the binary. Node.js is
# needed at build time only; without it the service says that it has no page.
option(VERNIER_WEB "Build the dashboard's page (needs Node.js 18 and npm)" ON)

set(page_source ${CMAKE_BINARY_DIR}/web/page_files_embedded.cc)
find_program(VERNIER_NODE node)
find_program(VERNIER_NPM npm)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/web/src/* ${CMAKE_SOURCE_DIR}/web/styles/*)
if(VERNIER_WEB AND VERNIER_NODE AND VERNIER_NPM AND web_sources)
  set(web ${CMAKE_SOURCE_DIR}/web)
  # npm writes this file last, so it tells whether the packages are those that
  # the lock names.
  set(web_packages ${web}/node_modules/.package-lock.json)
  add_custom_command(
    OUTPUT ${web_packages}
    COMMAND ${VERNIER_NPM} ci --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${web_packages}
    DEPENDS ${web}/package.json ${web}/package-lock.json
    WORKING_DIRECTORY ${web}
    COMMENT "Installing the page's packages"
    VERBATIM)
  add_custom_command(
    OUTPUT ${page_source}
    COMMAND ${VERNIER_NODE} ${web}/build.mjs ${CMAKE_BINARY_DIR}/web/page
    COMMAND ${VERNIER_NODE} ${CMAKE_SOURCE_DIR}/cmake/embed_page.mjs
            ${CMAKE_BINARY_DIR}/web/page ${page_source}
    DEPENDS ${web_packages} ${web_sources} ${web}/build.mjs
            ${CMAKE_SOURCE_DIR}/cmake/embed_page.mjs
    COMMENT "Building the dashboard's page"
    VERBATIM)
else()
  if(VERNIER_WEB)
    message(WARNING "There is no node or no npm: the dashboard has no page")
  endif()
  file(WRITE ${page_source}.in
       "#include \"faces/dashboard/page_files.h\"\n\nnamespace vernier {\n\n"
       "const std::vector<PageFile>& PageFiles() {\n"
       "  static const auto* const kFiles = new std::vector<PageFile>();\n"
       "  return *kFiles;\n}\n\n}  // namespace vernier\n")
  configure_file(${page_source}.in ${page_source} COPYONLY)
endif()
target_sources(vernier_faces PRIVATE ${page_source})
