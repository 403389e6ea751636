#ifndef VERNIER_FACES_LOGGING_RESOURCE_FIELDS_H_
#define VERNIER_FACES_LOGGING_RESOURCE_FIELDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// The resources that calls return.
enum class Resource {
  kJob,
  kTrial,
  kMeasurement,
  kStudy,
  kProject,
  kToken,
  kServiceInfo,
  kInsights,
};

/// The kind of field at the end of a path of keys.
enum class FieldKind {
  kField,      ///< A field that the API has.
  kParameter,  ///< A key that is the name of a parameter.
  kFreeKey,    ///< A key that the user chose, or something below it.
};

/// Finds a path of JSON keys, such as {"finalMeasurement", "value"}, in the
/// API's description of a resource; lists are transparent. Pure.
///
/// INVALID_ARGUMENT names the unknown key, the nearest known one, and all known
/// ones.
absl::StatusOr<FieldKind> FindField(Resource resource,
                                    const std::vector<std::string>& keys);

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_RESOURCE_FIELDS_H_
