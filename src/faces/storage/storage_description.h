#ifndef VERNIER_FACES_STORAGE_STORAGE_DESCRIPTION_H_
#define VERNIER_FACES_STORAGE_STORAGE_DESCRIPTION_H_

#include "base/json.h"

namespace vernier {

/// Returns the storage API in OpenAPI 3.1: path items by path, made from the
/// routing table. Errors are "#/components/schemas/Error". Pure.
Json StoragePaths();

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_DESCRIPTION_H_
