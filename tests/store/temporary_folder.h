#ifndef VERNIER_TESTS_STORE_TEMPORARY_FOLDER_H_
#define VERNIER_TESTS_STORE_TEMPORARY_FOLDER_H_

#include <string>

#include "tests/support/scratch_folder.h"

namespace vernier {

/// A scratch folder for a database.
class TemporaryFolder : public ScratchFolder {
 public:
  TemporaryFolder() : ScratchFolder(Place::kMemory) {}

  std::string database() const { return *this / "vernier.db"; }
};

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_TEMPORARY_FOLDER_H_
