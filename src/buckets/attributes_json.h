#ifndef VERNIER_BUCKETS_ATTRIBUTES_JSON_H_
#define VERNIER_BUCKETS_ATTRIBUTES_JSON_H_

#include "base/json.h"
#include "buckets/object_metadata.h"

namespace vernier {

/// Returns the attributes that are set, under their names in the storage API.
Json AttributesToJson(const ObjectAttributes& attributes);

/// Reads the known members of an object; others are ignored. Throws
/// Json::exception if one has the wrong type.
ObjectAttributes AttributesFromJson(const Json& json);

/// Changes the attributes that `patch` names: a null clears, anything else
/// sets; `metadata` is merged key by key. Throws Json::exception if one has the
/// wrong type.
void PatchAttributes(const Json& patch, ObjectAttributes* attributes);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_ATTRIBUTES_JSON_H_
