#ifndef VERNIER_BUCKETS_ATTRIBUTES_JSON_H_
#define VERNIER_BUCKETS_ATTRIBUTES_JSON_H_

#include "base/json.h"
#include "buckets/object_metadata.h"

namespace vernier {

/// The attributes under their names in the storage API, those that are set.
Json AttributesToJson(const ObjectAttributes& attributes);

/// Takes those members of an object that it knows; others are passed over.
/// Throws Json::exception if one has the wrong type.
ObjectAttributes AttributesFromJson(const Json& json);

/// Changes what `patch` names: a null clears, anything else sets; `metadata` is
/// merged key by key. Throws Json::exception if one has the wrong type.
void PatchAttributes(const Json& patch, ObjectAttributes* attributes);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_ATTRIBUTES_JSON_H_
