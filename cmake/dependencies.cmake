# Every third-party library under one vernier:: name, so that the rest of the
# build does not care whether it is an archive, a shared object or headers.
# docs/dependencies.md says why each is here.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)

# Archives where Debian has them: the binary can then be copied to a machine
# that has only glibc, and starts without resolving thousands of symbols.
function(vernier_archives target)
  pkg_check_modules(pc QUIET ${ARGN})
  if(NOT pc_FOUND)
    message(FATAL_ERROR "pkg-config does not know ${ARGN}; run scripts/build, "
                        "which installs what is missing")
  endif()
  set(items)
  list(REMOVE_DUPLICATES pc_STATIC_LIBRARIES)
  foreach(name IN LISTS pc_STATIC_LIBRARIES)
    set(archive archive-NOTFOUND)
    if(VERNIER_STATIC)
      find_library(archive NAMES lib${name}.a NO_CACHE)
    endif()
    if(name MATCHES "^(pthread|dl|rt|m|c|atomic)$" OR NOT archive)
      list(APPEND items -l${name})
    else()
      list(APPEND items ${archive})
    endif()
  endforeach()
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE -Wl,--start-group ${items}
                                            -Wl,--end-group)
  target_include_directories(${target} SYSTEM INTERFACE ${pc_INCLUDE_DIRS})
  string(REPLACE "vernier_" "vernier::" alias ${target})
  string(REPLACE "_lib" "" alias ${alias})
  add_library(${alias} ALIAS ${target})
endfunction()

vernier_archives(vernier_absl_lib absl_status absl_statusor absl_strings
                 absl_time)
vernier_archives(vernier_yaml_lib yaml-cpp)
vernier_archives(vernier_re2_lib re2)
vernier_archives(vernier_sqlite_lib sqlite3)
vernier_archives(vernier_grpc_lib grpc++ protobuf)

# MD5, the checksum that storage clients ask for.
vernier_archives(vernier_crypto_lib libcrypto)

# Boost.Asio and Boost.Beast are headers; TLS and gzip are archives.
vernier_archives(vernier_asio_lib openssl zlib)
target_compile_definitions(vernier_asio_lib INTERFACE BOOST_ASIO_NO_DEPRECATED)

# Headers only.
add_library(vernier_json_lib INTERFACE)
add_library(vernier::json ALIAS vernier_json_lib)
add_library(vernier_cli11_lib INTERFACE)
add_library(vernier::cli11 ALIAS vernier_cli11_lib)
add_library(vernier_spdlog_lib INTERFACE)
target_compile_definitions(vernier_spdlog_lib INTERFACE SPDLOG_FMT_EXTERNAL
                                                        FMT_HEADER_ONLY)
add_library(vernier::spdlog ALIAS vernier_spdlog_lib)
add_library(vernier_eigen_lib INTERFACE)
target_link_libraries(vernier_eigen_lib INTERFACE Eigen3::Eigen)
add_library(vernier::eigen ALIAS vernier_eigen_lib)

# NLopt comes without an archive and is LGPL: it is opened when the first model
# is fitted, so the supervisor on a bare node never needs it.
add_library(vernier_nlopt_lib INTERFACE)
target_link_libraries(vernier_nlopt_lib INTERFACE ${CMAKE_DL_LIBS})
add_library(vernier::nlopt ALIAS vernier_nlopt_lib)

add_library(vernier_link_options INTERFACE)
target_link_libraries(vernier_link_options INTERFACE Threads::Threads)
if(VERNIER_STATIC AND NOT VERNIER_SANITIZE)
  # At a fixed address: a position-independent binary with gRPC in it has 43,000
  # relocations to apply at each start, and the supervisor starts per attempt.
  target_link_options(vernier_link_options INTERFACE -static-libstdc++
                      -static-libgcc -Wl,--gc-sections -Wl,-z,relro -no-pie)
endif()
