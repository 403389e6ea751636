#include "cluster/kubernetes/gang_conclusion.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cluster/attempt/gang_verdict.h"
#include "cluster/kubernetes/object_names.h"

namespace vernier {
namespace {

// Evidence is weighed from the most to the least specific: a request to stop, a
// second pod of one replica, the end of a program that decides, trouble of
// single pods, and finally the state of the whole object. An end of a program
// counts as its own only if nothing else caused it (WasInterrupted).

using Kind = AttemptObservation::Kind;
using Stage = GangView::Stage;

constexpr int kSignalStatus = 128;
constexpr int kMostSignal = 64;

// The pod of each replica, or null if it has none yet. If a replica has two,
// `extra` is one of its further ones.
struct PodsByReplica {
  std::vector<const ObservedPod*> pods;
  const ObservedPod* extra = nullptr;
};

PodsByReplica Sort(const GangEvidence& evidence) {
  PodsByReplica sorted;
  sorted.pods.resize(evidence.replicas.size());
  for (const ObservedPod& pod : evidence.view.pods) {
    const std::optional<ReplicaId> replica =
        ReplicaOfJob(evidence.name, pod.job);
    const auto found = replica.has_value()
                           ? std::find(evidence.replicas.begin(),
                                       evidence.replicas.end(), *replica)
                           : evidence.replicas.end();
    if (found == evidence.replicas.end()) continue;
    const ObservedPod*& place =
        sorted
            .pods[static_cast<std::size_t>(found - evidence.replicas.begin())];
    if (place != nullptr) sorted.extra = &pod;
    if (place == nullptr) place = &pod;
  }
  return sorted;
}

// Returns, for instance, "pod vernier-...-master-0-0-x7k2p on node-3".
std::string Describe(const ObservedPod& pod) {
  return absl::StrCat("pod ", pod.name, pod.node.empty() ? "" : " on ",
                      pod.node);
}

bool IsStartError(const ObservedPod& pod) {
  return pod.end.has_value() && !pod.has_started;
}

// Returns whether something other than the program caused its end, by times of
// the cluster, which have whole seconds.
bool WasInterrupted(const ObservedPod& pod) {
  const auto came_first = [&](const std::optional<Timestamp>& cause) {
    return cause.has_value() &&
           (!pod.end.has_value() || !pod.end->at.has_value() ||
            *cause <= *pod.end->at);
  };
  return pod.reason == "Evicted" || pod.reason == "DeadlineExceeded" ||
         pod.reason == "NodeLost" || pod.reason == "NodeShutdown" ||
         pod.reason == "Terminated" || pod.reason == "Preempting" ||
         came_first(pod.deletion_asked_at) ||
         (!pod.disruption.empty() && came_first(pod.disrupted_at));
}

struct Interruption {
  EngineEnd end = EngineEnd::kUnknown;
  std::string words;
};

EngineEnd EndOfDisruption(const std::string& reason) {
  if (reason == "PreemptionByScheduler") return EngineEnd::kPreempted;
  if (reason == "EvictionByEvictionAPI" || reason == "TerminationByKubelet") {
    return EngineEnd::kEvicted;
  }
  if (reason == "DeletionByTaintManager" || reason == "DeletionByPodGC") {
    return EngineEnd::kNodeFailed;
  }
  return EngineEnd::kUnknown;
}

// Returns why an interrupted pod ended.
Interruption InterruptionOf(const ObservedPod& pod) {
  Interruption found;
  if (pod.reason == "DeadlineExceeded") {
    found.end = EngineEnd::kTimeLimit;
  } else if (pod.reason == "NodeLost") {
    found.end = EngineEnd::kNodeFailed;
  } else if (pod.reason == "Preempting") {
    found.end = EngineEnd::kPreempted;  // By the node, for a system's pod.
  } else if (pod.reason == "Evicted" || pod.reason == "NodeShutdown" ||
             pod.reason == "Terminated") {
    found.end = EngineEnd::kEvicted;
  } else {
    found.end = EndOfDisruption(pod.disruption);
  }
  const std::string& reason = pod.reason.empty() ? pod.disruption : pod.reason;
  const std::string& message =
      pod.message.empty() ? pod.disruption_message : pod.message;
  found.words = absl::StrCat(
      "Kubernetes ended ", Describe(pod),
      reason.empty() ? ", which somebody deleted" : " as " + reason,
      message.empty() ? "" : " (" + message + ")", ".");
  return found;
}

GangConclusion Lost(EngineEnd end, std::string message) {
  GangConclusion conclusion;
  conclusion.kind = Kind::kLost;
  conclusion.must_end = true;
  conclusion.must_delete = true;
  conclusion.engine_end = end;
  conclusion.message = std::move(message);
  return conclusion;
}

GangConclusion FailedLaunchOf(std::string message) {
  GangConclusion conclusion;
  conclusion.kind = Kind::kEnded;
  conclusion.launch_failed = true;
  conclusion.message = std::move(message);
  return conclusion;
}

std::vector<ReplicaEnd> EndsOf(const PodsByReplica& sorted) {
  std::vector<ReplicaEnd> ends;
  for (const ObservedPod* pod : sorted.pods) {
    const bool is_known = pod != nullptr && pod->end.has_value();
    ends.push_back(is_known ? EndFromExitCode(pod->end->exit_code)
                            : ReplicaEnd{});
  }
  return ends;
}

GangConclusion Stopped(const PodsByReplica& sorted) {
  GangConclusion conclusion;
  conclusion.kind = Kind::kEnded;
  conclusion.stopped_by_request = true;
  conclusion.ends = EndsOf(sorted);
  const bool ran = !sorted.pods.empty() && sorted.pods.front() != nullptr &&
                   sorted.pods.front()->end.has_value();
  if (ran) conclusion.deciding = 0;
  return conclusion;
}

// Concludes from the end of a program, if that ends the gang.
std::optional<GangConclusion> ConcludeExit(const PodsByReplica& sorted) {
  std::vector<std::optional<ReplicaEnd>> own;
  for (const ObservedPod* pod : sorted.pods) {
    own.emplace_back();
    if (pod == nullptr || !pod->end.has_value() || WasInterrupted(*pod)) {
      continue;
    }
    own.back() = EndFromExitCode(pod->end->exit_code);
  }
  const std::optional<std::size_t> deciding = DecidingReplica(own);
  if (!deciding.has_value()) return std::nullopt;
  GangConclusion conclusion;
  conclusion.kind = Kind::kEnded;
  conclusion.deciding = deciding;
  conclusion.ends = EndsOf(sorted);
  conclusion.out_of_memory = sorted.pods[*deciding]->end->reason == "OOMKilled";
  // This is also needed if nothing else runs, since a pod may be about to be
  // made.
  conclusion.must_end = true;
  return conclusion;
}

bool IsOverdue(const ObservedPod& pod, const GangEvidence& evidence) {
  return pod.deletion_due_at.has_value() && !pod.is_over() &&
         evidence.now > *pod.deletion_due_at + evidence.node_patience;
}

// Concludes from trouble of one pod that its program did not cause.
std::optional<GangConclusion> ConcludeTrouble(const GangEvidence& evidence,
                                              const ObservedPod& pod) {
  if (IsStartError(pod)) {
    const std::optional<ReplicaId> replica =
        ReplicaOfJob(evidence.name, pod.job);
    GangConclusion conclusion = FailedLaunchOf(absl::StrCat(
        "The replica ", ReplicaTitle(replica.value_or(ReplicaId{})),
        " could not be started: ", pod.end->message));
    conclusion.must_end = conclusion.must_delete = true;
    return conclusion;
  }
  if (pod.waiting_reason == "InvalidImageName") {
    GangConclusion conclusion = FailedLaunchOf(
        absl::StrCat("Kubernetes cannot get the image: InvalidImageName: ",
                     pod.waiting_message));
    conclusion.must_end = conclusion.must_delete = true;
    return conclusion;
  }
  const bool is_overdue = IsOverdue(pod, evidence);
  if ((pod.is_over() || is_overdue) && WasInterrupted(pod)) {
    Interruption found = InterruptionOf(pod);
    if (is_overdue) {
      found.end = EngineEnd::kNodeFailed;
      absl::StrAppend(&found.words, " Its node does not answer.");
    }
    return Lost(found.end, std::move(found.words));
  }
  if (pod.is_over() && !pod.end.has_value()) {
    return Lost(
        EngineEnd::kUnknown,
        absl::StrCat("Kubernetes does not say how ", Describe(pod), " ended",
                     pod.reason.empty() ? "" : ": " + pod.reason,
                     pod.message.empty() ? "" : ": " + pod.message, "."));
  }
  if (MissesImage(pod) &&
      evidence.image_missing_for >= evidence.image_patience) {
    return Lost(EngineEnd::kImagePull,
                absl::StrCat("Kubernetes cannot get the image: ",
                             pod.waiting_reason, ": ", pod.waiting_message));
  }
  return std::nullopt;
}

// Concludes from the object itself that the gang is over, if no pod shows why.
std::optional<GangConclusion> ConcludeObject(const GangView& view) {
  if (view.primary.has_value() && view.primary->is_failed) {
    const bool is_deadline = view.primary->failure_reason == "DeadlineExceeded";
    return Lost(is_deadline ? EngineEnd::kTimeLimit : EngineEnd::kUnknown,
                absl::StrCat("Kubernetes ended ", view.primary->name, " as ",
                             view.primary->failure_reason, ": ",
                             view.primary->failure_message));
  }
  if (view.is_gone || (view.primary.has_value() && view.primary->is_deleting)) {
    return Lost(EngineEnd::kUnknown,
                "Somebody deleted its objects in Kubernetes.");
  }
  if (view.primary.has_value() && view.primary->is_complete) {
    return Lost(EngineEnd::kUnknown,
                "Kubernetes has no pod any more that says how it ended.");
  }
  return std::nullopt;
}

// Returns whether all pods of a gang under deletion that still run are on nodes
// that do not answer.
bool IsLostWhileEnding(const GangEvidence& evidence) {
  const GangView& view = evidence.view;
  return view.primary.has_value() && view.primary->is_deleting &&
         std::any_of(view.pods.begin(), view.pods.end(),
                     [](const auto& pod) { return !pod.is_over(); }) &&
         std::all_of(view.pods.begin(), view.pods.end(), [&](const auto& pod) {
           return pod.is_over() || IsOverdue(pod, evidence);
         });
}

GangConclusion ConcludeInCluster(const GangEvidence& evidence) {
  const GangView& view = evidence.view;
  const PodsByReplica sorted = Sort(evidence);
  if (evidence.is_killed) {
    if (view.is_gone || IsLostWhileEnding(evidence)) return Stopped(sorted);
    GangConclusion conclusion;
    conclusion.kind = evidence.gang_ran ? Kind::kRunning : Kind::kStarting;
    return conclusion;
  }
  if (sorted.extra != nullptr) {
    return Lost(EngineEnd::kUnknown,
                absl::StrCat("Something in Kubernetes made a further ",
                             Describe(*sorted.extra), "."));
  }
  const bool is_unstartable =
      std::any_of(sorted.pods.begin(), sorted.pods.end(),
                  [](const auto* pod) { return pod && IsStartError(*pod); });
  if (!is_unstartable) {
    if (auto exit = ConcludeExit(sorted)) return *std::move(exit);
  }
  std::optional<GangConclusion> trouble;
  for (const ObservedPod* pod : sorted.pods) {
    if (pod == nullptr) continue;
    auto found = ConcludeTrouble(evidence, *pod);
    // A trouble whose reason is known explains more than one without.
    if (found && (!trouble || (trouble->engine_end == EngineEnd::kUnknown &&
                               found->engine_end != EngineEnd::kUnknown))) {
      trouble = std::move(found);
    }
  }
  if (trouble.has_value()) return *std::move(trouble);
  if (auto object = ConcludeObject(view)) return *std::move(object);
  GangConclusion conclusion;
  const bool all_started =
      std::all_of(sorted.pods.begin(), sorted.pods.end(),
                  [](const auto* pod) { return pod && pod->has_started; });
  conclusion.kind =
      all_started || evidence.gang_ran ? Kind::kRunning : Kind::kStarting;
  return conclusion;
}

std::string DescribePodWait(const ObservedPod& pod) {
  if (!pod.unscheduled_reason.empty()) {
    return absl::StrCat("waiting for a node: ", pod.unscheduled_reason, " (",
                        pod.unscheduled_message, ")");
  }
  if (MissesImage(pod)) {
    return absl::StrCat("waiting for its image: ", pod.waiting_reason, " (",
                        pod.waiting_message, ")");
  }
  if (!pod.waiting_reason.empty()) {
    return absl::StrCat("being started on ", pod.node, ": ", pod.waiting_reason,
                        pod.waiting_message.empty() ? "" : " (",
                        pod.waiting_message,
                        pod.waiting_message.empty() ? "" : ")");
  }
  return pod.has_started || pod.is_over() ? "" : "being started by Kubernetes";
}

}  // namespace

ReplicaEnd EndFromExitCode(int exit_code) {
  ReplicaEnd end;
  if (exit_code > kSignalStatus && exit_code <= kSignalStatus + kMostSignal) {
    end.signal = exit_code - kSignalStatus;
  } else {
    end.exit_code = exit_code;
  }
  return end;
}

bool MissesImage(const ObservedPod& pod) {
  constexpr const char* kReasons[] = {
      "ErrImagePull",      "ImagePullBackOff",    "ImageInspectError",
      "ErrImageNeverPull", "RegistryUnavailable", "SignatureValidationFailed"};
  return std::any_of(
      std::begin(kReasons), std::end(kReasons),
      [&](const char* reason) { return pod.waiting_reason == reason; });
}

GangConclusion ConcludeGang(const GangEvidence& evidence) {
  GangConclusion conclusion;
  switch (evidence.view.stage) {
    case Stage::kWaiting:
    case Stage::kCreating:
      return conclusion;
    case Stage::kRefused:
      return FailedLaunchOf(
          absl::StrCat("Kubernetes refused its job: ", evidence.view.words));
    case Stage::kRevoked:
      conclusion.kind = Kind::kNeverStarted;
      if (evidence.is_killed) {
        conclusion.kind = Kind::kEnded;
        conclusion.stopped_by_request = true;
      }
      return conclusion;
    case Stage::kInCluster:
      break;
  }
  return ConcludeInCluster(evidence);
}

std::string DescribeGangWait(const GangView& view) {
  std::string text;
  switch (view.stage) {
    case Stage::kWaiting:
    case Stage::kCreating:
      text = "waiting to be sent to Kubernetes";
      if (!view.words.empty()) absl::StrAppend(&text, ": ", view.words);
      return text;
    case Stage::kRefused:
    case Stage::kRevoked:
      return "";
    case Stage::kInCluster:
      break;
  }
  for (const ObservedPod& pod : view.pods) {
    text = DescribePodWait(pod);
    if (!text.empty() && !view.words.empty()) {
      absl::StrAppend(&text, "; ", view.words);
    }
    if (!text.empty()) return text;
  }
  if (view.primary.has_value() && view.primary->is_suspended) {
    return absl::StrCat("in Kubernetes as ", view.primary->name,
                        ", suspended: its queue has no room yet");
  }
  text = "in Kubernetes, which makes its pods";
  if (!view.warning.empty()) absl::StrAppend(&text, ": ", view.warning);
  if (!view.words.empty()) absl::StrAppend(&text, ": ", view.words);
  return text;
}

}  // namespace vernier
