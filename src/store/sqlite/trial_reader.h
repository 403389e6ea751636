#ifndef VERNIER_STORE_SQLITE_TRIAL_READER_H_
#define VERNIER_STORE_SQLITE_TRIAL_READER_H_

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/study_reader.h"
#include "store/store.h"

namespace vernier {

/// Metadata by study and trial; trial 0 means the study itself.
using MetadataByOwner = std::map<std::pair<StudyId, TrialId>, Metadata>;

/// Puts all trials with their attempts into their studies, each with its part
/// of `metadata` (moved out), and the leases of attempts that have not ended
/// into `leases`. DATA_LOSS names the row that cannot be read.
absl::Status ReadTrials(SqliteDatabase& database, const Studies& studies,
                        MetadataByOwner* metadata,
                        std::map<DeviceId, AttemptKey>* leases);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_TRIAL_READER_H_
