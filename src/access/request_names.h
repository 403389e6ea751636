#ifndef VERNIER_ACCESS_REQUEST_NAMES_H_
#define VERNIER_ACCESS_REQUEST_NAMES_H_

#include <string>

#include "absl/status/status.h"
#include "access/principal.h"

namespace google::protobuf {
class Message;
}

namespace vernier {

/// Jobs, studies and projects that a request names, in the fields that say so
/// in their .proto file (the option `names`). Pure.

/// Puts whole names where somebody who works in `project` said plain ones, and
/// the project where none is said. `project` empty: only writes each id in its
/// one form ("digits@default" is "digits").
void CompleteNames(const std::string& project,
                   google::protobuf::Message* request);

/// Completes a caller's request and checks that all it names is the caller's.
/// The one rule of which things are whose, for every method.
///
/// Errors: NOT_FOUND for what is another project's, whether it is there or not;
/// for all but an administrator PERMISSION_DENIED if the request has no such
/// field, so that a method that forgets to say whose things it is about tells
/// nobody anything.
absl::Status NameInFull(const Principal& caller,
                        google::protobuf::Message* request);

/// The project that a request names, or the default one if it names none.
std::string ProjectOrDefault(const std::string& named);

}  // namespace vernier

#endif  // VERNIER_ACCESS_REQUEST_NAMES_H_
