#ifndef VERNIER_CLUSTER_LOCAL_ATTEMPT_INSPECTION_H_
#define VERNIER_CLUSTER_LOCAL_ATTEMPT_INSPECTION_H_

#include <string>

#include "cluster/local/claim_file.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The state of an attempt, as far as its folder proves it.
struct AttemptInspection {
  enum class Kind {
    kAlive,         ///< A supervisor holds the claim.
    kEnded,         ///< The supervisor is dead and has left an exit record.
    kOrphaned,      ///< It is dead and left no record: sweep, then lost.
    kLost,          ///< The machine was restarted since then.
    kNeverStarted,  ///< The claim is revoked, now or before.
    kTampered,      ///< It ran, and its program has overwritten what it left:
                    ///< sweep, then it has ended by the program's fault.
    kUnknown,       ///< The directory cannot be read or written now; try again.
  };
  Kind kind = Kind::kUnknown;
  ClaimContent claim;              ///< kAlive; may still be empty.
  AttemptObservation observation;  ///< kEnded.
  std::string damage;              ///< kTampered: what is wrong, for people.
};

/// Finds the state of an attempt for which this process has no supervisor. An
/// attempt that was never claimed is revoked: after that no supervisor can
/// start it.
///
///   claim's lock | exit record | contents       | answer
///   held         | any         | any            | alive
///   free         | ours        | any            | ended
///   free         | unreadable  | any            | unknown
///   free         | none, other | our nonce      | orphaned, or lost if the
///                |             |                | boot is another one
///   free         | none, other | cut off        | orphaned (1)
///   free         | none, other | none           | revoked: never started (1)
///   free         | none, other | another nonce  | never started (1)
///   free         | damaged     | our nonce      | tampered
///
/// (1) Tampered if the attempt is known to have run: a claim is complete and on
/// disk before anything is started, so only the program can have changed it.
AttemptInspection InspectAttempt(const LiveAttempt& attempt,
                                 const std::string& boot_id);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_ATTEMPT_INSPECTION_H_
