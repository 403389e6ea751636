#ifndef VERNIER_FACES_STORAGE_STORAGE_JSON_H_
#define VERNIER_FACES_STORAGE_STORAGE_JSON_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/json.h"
#include "buckets/bucket.h"
#include "buckets/object_metadata.h"
#include "http/http_message.h"

namespace vernier {

/// `base_url` below is "http://HOST:PORT" and the prefix before the API's own
/// paths, without '/' at the end.

/// Returns a storage#object. 64-bit numbers are strings, as everywhere in the
/// API.
Json ObjectToJson(const std::string& bucket, const ObjectMetadata& metadata,
                  const std::string& base_url);

/// Returns a storage#bucket.
Json BucketToJson(const Bucket& bucket, const std::string& base_url);

/// Returns the entity tag of an object's present state, in quotes.
std::string ObjectTag(const ObjectMetadata& metadata);

HttpResponse JsonResponse(int status, const Json& json);

/// Returns Google's JSON form of an error; `error` is never OK.
HttpResponse ErrorResponse(const absl::Status& error);
/// As above, for an HTTP status of its own, e.g. 416
/// "requestedRangeNotSatisfiable".
HttpResponse ErrorResponse(int status, const std::string& reason,
                           const std::string& message);

/// Returns the preconditions in the query, e.g. ifGenerationMatch, or with
/// `of_source` those of the source, e.g. ifSourceGenerationMatch.
/// INVALID_ARGUMENT for a value that is no number.
absl::StatusOr<Preconditions> PreconditionsFrom(const HttpRequest& request,
                                                bool of_source = false);

/// Returns a whole number in the query. INVALID_ARGUMENT.
absl::StatusOr<std::optional<std::int64_t>> NumberFrom(
    const HttpRequest& request, const std::string& parameter);

/// The largest number of values in the JSON of a call; the longest list is that
/// of the objects to compose.
inline constexpr std::int64_t kMaxStorageValues = 20'000;

/// Parses a JSON object; an empty text counts as {}. INVALID_ARGUMENT, also for
/// too many values.
absl::StatusOr<Json> ParseObject(const std::string& text);

/// Parses the JSON of an uploaded object: name, attributes and checksums.
/// INVALID_ARGUMENT.
absl::StatusOr<ObjectWrite> WriteFromJson(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_JSON_H_
