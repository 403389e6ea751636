# Generated code lives in its own library, so that a change of ours never
# recompiles it, and without our warnings.
file(GLOB_RECURSE proto_files CONFIGURE_DEPENDS
     RELATIVE ${CMAKE_SOURCE_DIR}/proto ${CMAKE_SOURCE_DIR}/proto/*.proto)
find_program(VERNIER_PROTOC protoc REQUIRED)
find_program(VERNIER_GRPC_PLUGIN grpc_cpp_plugin REQUIRED)

set(proto_out ${CMAKE_BINARY_DIR}/proto)
file(MAKE_DIRECTORY ${proto_out})
set(proto_sources)
foreach(proto IN LISTS proto_files)
  string(REGEX REPLACE "\\.proto$" "" stem ${proto})
  set(outputs
      ${proto_out}/${stem}.pb.cc ${proto_out}/${stem}.pb.h
      ${proto_out}/${stem}.grpc.pb.cc ${proto_out}/${stem}.grpc.pb.h)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND
      ${VERNIER_PROTOC} -I${CMAKE_SOURCE_DIR}/proto --cpp_out=${proto_out}
      --grpc_out=${proto_out} --plugin=protoc-gen-grpc=${VERNIER_GRPC_PLUGIN}
      ${CMAKE_SOURCE_DIR}/proto/${proto}
    DEPENDS ${CMAKE_SOURCE_DIR}/proto/${proto}
    VERBATIM)
  list(APPEND proto_sources ${outputs})
endforeach()

# For what reads our sources without compiling them.
add_custom_target(vernier_proto_sources DEPENDS ${proto_sources})
if(proto_sources)
  add_library(vernier_proto STATIC ${proto_sources})
  target_include_directories(vernier_proto SYSTEM PUBLIC ${proto_out})
  target_link_libraries(vernier_proto PUBLIC vernier::grpc)
  vernier_where_nothing_computes(vernier_proto)
  if(VERNIER_UNITY)
    # Each generated file has constants of these names.
    set(unique
        "#undef VERNIER_JOIN_NOW
#undef VERNIER_JOIN
#undef file_default_instances
#undef schemas
#define VERNIER_JOIN_NOW(a, b) a##b
#define VERNIER_JOIN(a, b) VERNIER_JOIN_NOW(a, b)
#define file_default_instances VERNIER_JOIN(instances_, VERNIER_UNITY_ID)
#define schemas VERNIER_JOIN(schemas_, VERNIER_UNITY_ID)")
    set_target_properties(
      vernier_proto PROPERTIES UNITY_BUILD ON UNITY_BUILD_UNIQUE_ID VERNIER_UNITY_ID
                               UNITY_BUILD_CODE_BEFORE_INCLUDE "${unique}")
  endif()
else()
  add_library(vernier_proto INTERFACE)
endif()
