#ifndef VERNIER_BUCKETS_OBJECT_METADATA_H_
#define VERNIER_BUCKETS_OBJECT_METADATA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "buckets/object_hash.h"

namespace vernier {

/// The attributes of an object that clients set. An empty one was not given.
struct ObjectAttributes {
  std::string content_type;
  std::string content_encoding;
  std::string content_disposition;
  std::string content_language;
  std::string cache_control;
  std::map<std::string, std::string> custom;

  friend bool operator==(const ObjectAttributes&,
                         const ObjectAttributes&) = default;
};

/// Checks attributes, which are sent as headers to readers of the object and so
/// must be valid ones. INVALID_ARGUMENT for a text of more than 1,024 bytes or
/// with a control character, and for custom metadata of more than 8 KiB, which
/// is Cloud Storage's limit. Pure.
absl::Status CheckAttributes(const ObjectAttributes& attributes);

/// Clears the attributes that CheckAttributes refuses. They may be older than
/// the check, or come from another program. Pure.
void ClearBadAttributes(ObjectAttributes* attributes);

/// The metadata of an object.
struct ObjectMetadata {
  std::string name;
  std::int64_t size = 0;        ///< Bytes.
  std::int64_t generation = 0;  ///< Of the bytes; grows with each replacement.
  std::int64_t metageneration = 1;  ///< Of the rest; begins anew with those.
  Timestamp created;                ///< Of this generation.
  Timestamp updated;                ///< When the metadata changed last.
  /// Unset for a file that was not uploaded and that nobody has read yet.
  std::optional<ObjectHashes> hashes;
  ObjectAttributes attributes;
};

/// Conditions on the current object. Generation 0 stands for an object that
/// does not exist.
struct Preconditions {
  std::optional<std::int64_t> generation_match;
  std::optional<std::int64_t> generation_not_match;
  std::optional<std::int64_t> metageneration_match;
  std::optional<std::int64_t> metageneration_not_match;
};

/// The name and metadata for staged bytes.
struct ObjectWrite {
  std::string name;
  ObjectAttributes attributes;
  Preconditions preconditions;
  ObjectHashes expected;  ///< As the sender says; empty: unknown.
};

/// Returns ABORTED, naming the condition that does not hold. `current` is null
/// if there is no such object. Pure.
absl::Status CheckPreconditions(const Preconditions& preconditions,
                                const ObjectMetadata* current);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_OBJECT_METADATA_H_
