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

/// What a client says of an object. Empty: not given.
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

/// Attributes are sent as headers, to whoever reads the object: they may not
/// be what a header cannot be. INVALID_ARGUMENT for a text of more than 1,024
/// bytes or with a control character in it, and for custom metadata of more
/// than 8 KiB, as Cloud Storage has it. Pure.
absl::Status CheckAttributes(const ObjectAttributes& attributes);

/// Clears those that CheckAttributes refuses. For what was stored before they
/// were checked, or by somebody else's hand. Pure.
void ClearBadAttributes(ObjectAttributes* attributes);

/// All that is known of an object.
struct ObjectMetadata {
  std::string name;
  std::int64_t size = 0;        ///< Bytes.
  std::int64_t generation = 0;  ///< Of the bytes; grows with each replacement.
  std::int64_t metageneration = 1;  ///< Of the rest; begins anew with those.
  Timestamp created;                ///< Of this generation.
  Timestamp updated;                ///< When the metadata changed last.
  /// Unset where nobody has read a file that was not uploaded.
  std::optional<ObjectHashes> hashes;
  ObjectAttributes attributes;
};

/// What an operation asks of the object as it is. Generation 0 stands for an
/// object that does not exist.
struct Preconditions {
  std::optional<std::int64_t> generation_match;
  std::optional<std::int64_t> generation_not_match;
  std::optional<std::int64_t> metageneration_match;
  std::optional<std::int64_t> metageneration_not_match;
};

/// What is to become of staged bytes.
struct ObjectWrite {
  std::string name;
  ObjectAttributes attributes;
  Preconditions preconditions;
  ObjectHashes expected;  ///< What the sender says; empty: nothing.
};

/// ABORTED, naming the one that does not hold. `current` is null if there is no
/// such object. Pure.
absl::Status CheckPreconditions(const Preconditions& preconditions,
                                const ObjectMetadata* current);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_OBJECT_METADATA_H_
