#ifndef VERNIER_STORE_CHECK_STORE_CHECK_H_
#define VERNIER_STORE_CHECK_STORE_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/check/database_check.h"
#include "study/attempt_state.h"

namespace vernier {

/// The data with which the folders of a job's files are compared.
struct StoredJob {
  struct Attempt {
    std::int64_t trial = 0;
    std::int64_t number = 0;
    AttemptState state = AttemptState::kIntended;
  };

  std::int64_t study = 0;
  std::string job_id;
  std::string code_dir;
  std::vector<Attempt> attempts;  ///< By trial and number.
};

struct StoredJobs {
  std::int64_t last_study = 0;  ///< The highest id ever given.
  std::vector<StoredJob> jobs;  ///< By study.
};

/// Checks the database of the studies for damage: DatabaseUnderCheck's
/// findings, rows of different tables that contradict one another, and whether
/// the service could load it. It works on a copy and writes nothing beside it.
/// The caller holds the folder's StoreLock.
///
/// Fills `jobs`, unless it is null, if the tables can be read. Errors: those of
/// DatabaseUnderCheck::Look.
absl::StatusOr<DatabaseReport> CheckStudies(const std::string& path,
                                            StoredJobs* jobs);

}  // namespace vernier

#endif  // VERNIER_STORE_CHECK_STORE_CHECK_H_
