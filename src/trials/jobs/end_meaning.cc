#include "trials/jobs/end_meaning.h"

namespace vernier {

std::string_view MeaningOf(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kNone:
      return "";
    case TrialEndCause::kSuccess:
      return "its program ended well";
    case TrialEndCause::kNoMetric:
      return "its program ended well, but reported no value of the metric";
    case TrialEndCause::kNotFinite:
      return "its program reported nothing but NaN or infinities; its "
             "parameters are taken as infeasible";
    case TrialEndCause::kInfeasible:
      return "its parameters cannot be evaluated, and others like them are "
             "avoided";
    case TrialEndCause::kOutOfMemory:
      return "its parameters need more memory than there is, and others like "
             "them are avoided";
    case TrialEndCause::kUserError:
      return "its program failed, which counts as a failed trial";
    case TrialEndCause::kInfrastructure:
      return "the machine failed it, which counts as no failed trial";
    case TrialEndCause::kTimeLimit:
      return "it ran for longer than it may, which counts as a failed trial";
    case TrialEndCause::kCancelled:
      return "a user stopped it, or its job ended";
    case TrialEndCause::kStoppedEarly:
      return "a stopping rule or a limit of its job ended it before its "
             "training was over";
    case TrialEndCause::kLaunchFailed:
      return "its program could not be started, which counts as a failed trial";
    case TrialEndCause::kPreempted:
      return "it made room, and starts again";
    case TrialEndCause::kTransient:
      return "the fault may not occur again, so it is tried again";
  }
  return "";
}

}  // namespace vernier
