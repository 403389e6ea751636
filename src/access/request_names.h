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

/// The names of jobs, studies and projects in a request, which are the fields
/// marked by the option `names` in their .proto file. Pure.

/// Replaces plain names by whole ones of `project`, and fills in the project
/// where none is given. `project` empty: only writes each id in its one form
/// ("digits@default" is "digits").
void CompleteNames(const std::string& project,
                   google::protobuf::Message* request);

/// Completes a caller's request and checks that everything it names belongs to
/// the caller's project. This is the one rule of ownership, for every method.
///
/// Errors: NOT_FOUND for what belongs to another project, whether it exists or
/// not. PERMISSION_DENIED, except for an administrator, if the request has no
/// such field; so a method that forgets to mark its names discloses nothing.
absl::Status NameInFull(const Principal& caller,
                        google::protobuf::Message* request);

/// What a message is about, for the log: the first job or study that it names
/// (of an answer, its `job_id`), and its `trial_id`; "" and 0: nothing.
struct MessageSubject {
  std::string job;
  std::int64_t trial = 0;
};
MessageSubject SubjectOf(const google::protobuf::Message& message);

/// The project that a request names, or the default one if it names none.
std::string ProjectOrDefault(const std::string& named);

}  // namespace vernier

#endif  // VERNIER_ACCESS_REQUEST_NAMES_H_
