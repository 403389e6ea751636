#ifndef VERNIER_ACCESS_REQUEST_NAMES_H_
#define VERNIER_ACCESS_REQUEST_NAMES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "access/principal.h"

namespace google::protobuf {
class Message;
}

namespace vernier {

/// Functions for the names of jobs, studies and projects in a request, which
/// are the fields marked by the option `names` in their .proto file. Pure.

/// Replaces plain names by complete ones of `project`, and fills in the project
/// where none is given. If `project` is empty, only writes each id in its one
/// form ("digits@default" becomes "digits").
void CompleteNames(const std::string& project,
                   google::protobuf::Message* request);

/// Completes a caller's request and checks that everything it names belongs to
/// the caller's project. This is the only rule of ownership, for every method.
///
/// Errors: NOT_FOUND for a name of another project, whether it exists or not.
/// PERMISSION_DENIED, except for an administrator, if the request has no such
/// field; so a method that forgets to mark its names discloses nothing.
absl::Status NameInFull(const Principal& caller,
                        google::protobuf::Message* request);

/// The subject of a message, for the log: the first job or study that it names
/// (in an answer, its `job_id`), and its `trial_id`; "" and 0 if there is none.
struct MessageSubject {
  std::string job;
  std::int64_t trial = 0;
};
MessageSubject SubjectOf(const google::protobuf::Message& message);

/// Returns the project that a request names, or the default one if it names
/// none.
std::string ProjectOrDefault(const std::string& named);

}  // namespace vernier

#endif  // VERNIER_ACCESS_REQUEST_NAMES_H_
