#ifndef VERNIER_ACCESS_METHOD_PERMISSION_H_
#define VERNIER_ACCESS_METHOD_PERMISSION_H_

#include <vernier/v1/permission.pb.h>

namespace google::protobuf {
class Descriptor;
}

namespace vernier {

/// Returns the permission that the method with this request needs, as its
/// .proto file states; each method of this service has its own request type.
/// PERMISSION_UNSPECIFIED if no method has it.
v1::Permission PermissionOfRequest(const google::protobuf::Descriptor* request);

}  // namespace vernier

#endif  // VERNIER_ACCESS_METHOD_PERMISSION_H_
