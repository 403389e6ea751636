#ifndef VERNIER_CLUSTER_ATTEMPT_INSPECTION_H_
#define VERNIER_CLUSTER_ATTEMPT_INSPECTION_H_

#include <string>

#include "cluster/claim_file.h"
#include "trials/launcher.h"

namespace vernier {

/// What an attempt's directory proves about it.
struct AttemptInspection {
  enum class Kind {
    kAlive,         ///< A supervisor holds the claim.
    kEnded,         ///< The supervisor is dead and has left an exit record.
    kOrphaned,      ///< Likewise, without a record: sweep, then it is lost.
    kLost,          ///< The machine was restarted since.
    kNeverStarted,  ///< The claim is revoked, now or before.
    kUnknown,       ///< The directory cannot be read or written now; try again.
  };
  Kind kind = Kind::kUnknown;
  ClaimContent claim;              ///< kAlive; may still be empty.
  AttemptObservation observation;  ///< kEnded.
};

/// Finds out how an attempt is that this process knows nothing of. An attempt
/// that was never claimed is revoked: afterwards no supervisor can start it.
///
///   claim's lock | contents       | exit record | answer
///   held         | any            | any         | alive
///   free         | our nonce      | yes         | ended
///   free         | our nonce      | no          | orphaned, or lost if the
///                |                |             | boot is another one
///   free         | none           | any         | revoked: never started
///   free         | another nonce  | any         | never started
AttemptInspection InspectAttempt(const LiveAttempt& attempt,
                                 const std::string& boot_id);

/// The observation that an exit record stands for.
struct ExitRecord;
AttemptObservation ObservationOf(const AttemptKey& attempt,
                                 const ExitRecord& record);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_INSPECTION_H_
