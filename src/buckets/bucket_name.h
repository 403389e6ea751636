#ifndef VERNIER_BUCKETS_BUCKET_NAME_H_
#define VERNIER_BUCKETS_BUCKET_NAME_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// The reserved folder at the top of each bucket's folder, which holds the
/// service's own files. It contains no objects.
inline constexpr std::string_view kReservedFolder = ".vernier";

/// Returns INVALID_ARGUMENT unless `name` can be a bucket: 3 to 63 lower-case
/// letters, digits, '-', '_' and '.', with a letter or digit at either end and
/// no "..".
absl::Status CheckBucketName(std::string_view name);

/// Returns INVALID_ARGUMENT unless `name` can be an object that is a file: at
/// most 1024 bytes of UTF-8 without control characters; parts between '/' of 1
/// to 255 bytes, none of them "." or "..", the first not kReservedFolder. One
/// '/' at the end names a folder's placeholder.
absl::Status CheckObjectName(std::string_view name);

/// The parts of gs://BUCKET/OBJECT. The object may be empty.
struct ObjectUri {
  std::string bucket;
  std::string object;
};

/// Returns whether `text` begins with "gs://".
bool IsBucketUri(std::string_view text);

/// Splits gs://BUCKET[/OBJECT] and checks both parts. Errors: INVALID_ARGUMENT.
absl::StatusOr<ObjectUri> ParseObjectUri(std::string_view uri);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_NAME_H_
