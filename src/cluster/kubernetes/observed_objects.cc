#include "cluster/kubernetes/observed_objects.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "cluster/kubernetes/object_names.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxWords = 1000;
constexpr int kGone = 410;

// Returns the member, or a null value if there is none.
const Json& At(const Json& json, const char* key) {
  static const Json& none = *new Json();
  if (!json.is_object()) return none;
  const auto found = json.find(key);
  return found == json.end() ? none : *found;
}

std::string WordsAt(const Json& json, const char* key) {
  return TextAt(json, key).substr(0, kMaxWords);
}

std::int64_t NumberAt(const Json& json, const char* key) {
  return WholeAt(json, key).value_or(0);
}

bool IsTrueAt(const Json& json, const char* key) {
  const Json& value = At(json, key);
  return value.is_boolean() && value.get<bool>();
}

std::optional<Timestamp> TimeAt(const Json& json, const char* key) {
  return ParseTimestamp(WordsAt(json, key));
}

// Returns the condition of this type if it holds, else a null value.
const Json& ConditionOf(const Json& status, const char* type,
                        const char* value = "True") {
  const Json& conditions = At(status, "conditions");
  if (conditions.is_array()) {
    for (const Json& condition : conditions) {
      if (WordsAt(condition, "type") == type &&
          WordsAt(condition, "status") == value) {
        return condition;
      }
    }
  }
  return At(Json(), "");
}

void ReadContainer(const Json& status, ObservedPod* pod) {
  const Json& containers = At(status, "containerStatuses");
  if (!containers.is_array() || containers.empty()) return;
  const Json& state = At(containers.front(), "state");
  const Json& waiting = At(state, "waiting");
  pod->waiting_reason = WordsAt(waiting, "reason");
  pod->waiting_message = WordsAt(waiting, "message");
  const Json& running = At(state, "running");
  if (running.is_object()) {
    pod->has_started = true;
    pod->started_at = TimeAt(running, "startedAt");
  }
  const Json& terminated = At(state, "terminated");
  if (!terminated.is_object()) return;
  ProgramEnd end;
  end.exit_code = static_cast<int>(NumberAt(terminated, "exitCode"));
  end.reason = WordsAt(terminated, "reason");
  end.message = WordsAt(terminated, "message");
  end.at = TimeAt(terminated, "finishedAt");
  pod->started_at = TimeAt(terminated, "startedAt");
  pod->has_started = end.reason != "StartError" &&
                     end.reason != "ContainerCannotRun" &&
                     end.reason != "ContainerStatusUnknown";
  // With this reason the node has lost track of the container, so its end is
  // unknown.
  if (end.reason != "ContainerStatusUnknown") pod->end = std::move(end);
}

ObservedPod PodFrom(const Json& json) {
  ObservedPod pod;
  const Json& metadata = At(json, "metadata");
  const Json& labels = At(metadata, "labels");
  const Json& status = At(json, "status");
  pod.name = WordsAt(metadata, "name");
  pod.uid = WordsAt(metadata, "uid");
  pod.nonce = WordsAt(labels, kAttemptLabel);
  pod.job = WordsAt(labels, "batch.kubernetes.io/job-name");
  if (pod.job.empty()) pod.job = WordsAt(labels, "job-name");
  pod.node = WordsAt(At(json, "spec"), "nodeName");
  pod.phase = WordsAt(status, "phase");
  pod.reason = WordsAt(status, "reason");
  pod.message = WordsAt(status, "message");
  const Json& unscheduled = ConditionOf(status, "PodScheduled", "False");
  pod.unscheduled_reason = WordsAt(unscheduled, "reason");
  pod.unscheduled_message = WordsAt(unscheduled, "message");
  const Json& disruption = ConditionOf(status, "DisruptionTarget");
  pod.disruption = WordsAt(disruption, "reason");
  pod.disruption_message = WordsAt(disruption, "message");
  pod.disrupted_at = TimeAt(disruption, "lastTransitionTime");
  pod.deletion_due_at = TimeAt(metadata, "deletionTimestamp");
  if (pod.deletion_due_at.has_value()) {
    constexpr std::int64_t kMost = std::int64_t{365} * 24 * 3600;
    std::int64_t grace = NumberAt(metadata, "deletionGracePeriodSeconds");
    if (grace < 0 || grace > kMost) grace = 0;
    pod.deletion_asked_at = *pod.deletion_due_at - std::chrono::seconds(grace);
  }
  ReadContainer(status, &pod);
  return pod;
}

ObservedPrimary PrimaryFrom(const Json& json) {
  ObservedPrimary primary;
  const Json& metadata = At(json, "metadata");
  const Json& labels = At(metadata, "labels");
  const Json& status = At(json, "status");
  primary.name = WordsAt(metadata, "name");
  primary.uid = WordsAt(metadata, "uid");
  primary.nonce = WordsAt(labels, kAttemptLabel);
  primary.is_revoked = !WordsAt(labels, kRevokedLabel).empty();
  primary.is_suspended = IsTrueAt(At(json, "spec"), "suspend");
  primary.is_deleting = !WordsAt(metadata, "deletionTimestamp").empty();
  primary.created_at = TimeAt(metadata, "creationTimestamp");
  primary.is_complete = ConditionOf(status, "Complete").is_object() ||
                        ConditionOf(status, "Completed").is_object();
  const Json& failed = ConditionOf(status, "Failed");
  primary.is_failed = failed.is_object();
  primary.failure_reason = WordsAt(failed, "reason");
  primary.failure_message = WordsAt(failed, "message");
  return primary;
}

ObservedObject ObjectFrom(const Json& json, bool is_pods) {
  ObservedObject object;
  if (is_pods) {
    object.pod = PodFrom(json);
  } else {
    object.primary = PrimaryFrom(json);
  }
  return object;
}

std::string FirstText(std::string_view text) {
  return ShowText(std::string(text.substr(0, kMaxWords)));
}

}  // namespace

absl::StatusOr<ObservedPage> ReadListing(std::string_view text, bool is_pods) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(text, kMaxRequestValues));
  const absl::StatusOr<Json> parsed = ParseJson(text);
  const Json& json = parsed.ok() ? *parsed : At(Json(), "");
  const Json& items = At(json, "items");
  const Json& metadata = At(json, "metadata");
  ObservedPage page;
  page.resource_version = WordsAt(metadata, "resourceVersion");
  // This is not WordsAt, because a token may be long.
  const Json& next = At(metadata, "continue");
  if (next.is_string()) page.next = next.get<std::string>();
  // A listing always has a resourceVersion. Without items it has null in their
  // place.
  if (page.resource_version.empty() || !(items.is_array() || items.is_null())) {
    return absl::InvalidArgumentError("the answer is no listing: " +
                                      FirstText(text));
  }
  if (items.is_array()) {
    for (const Json& item : items) {
      page.objects.push_back(ObjectFrom(item, is_pods));
    }
  }
  return page;
}

absl::StatusOr<ObservedChange> ReadChange(std::string_view line, bool is_pods) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(line));
  const std::string type = WordsAt(json, "type");
  const Json& object = At(json, "object");
  ObservedChange change;
  change.resource_version = WordsAt(At(object, "metadata"), "resourceVersion");
  if (type == "ERROR") {
    change.kind = NumberAt(object, "code") == kGone
                      ? ObservedChange::Kind::kExpired
                      : ObservedChange::Kind::kError;
    change.words = WordsAt(object, "message");
    return change;
  }
  if (type == "BOOKMARK") {
    change.kind = ObservedChange::Kind::kBookmark;
  } else if (type == "ADDED" || type == "MODIFIED") {
    change.kind = ObservedChange::Kind::kPresent;
  } else if (type == "DELETED") {
    change.kind = ObservedChange::Kind::kDeleted;
  } else {
    return absl::InvalidArgumentError("not an event of a watch: " +
                                      FirstText(line));
  }
  change.object = ObjectFrom(object, is_pods);
  return change;
}

absl::StatusOr<ObservedPrimary> ReadPrimary(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  ObservedPrimary primary = PrimaryFrom(json);
  if (primary.name.empty() || primary.uid.empty()) {
    return absl::InvalidArgumentError("the answer is no object: " +
                                      FirstText(text));
  }
  return primary;
}

std::string WordsOfStatus(std::string_view text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  std::string words = json.ok() ? WordsAt(*json, "message") : "";
  return words.empty() ? FirstText(text) : words;
}

std::string WordsOfReply(const ApiReply& reply) {
  return absl::StrCat(WordsOfStatus(reply.body), " (", reply.status, ")");
}

std::string NewestEvent(std::string_view text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return "";
  const Json& items = At(*json, "items");
  std::string message;
  std::optional<Timestamp> newest;
  if (!items.is_array()) return message;
  for (const Json& item : items) {
    std::optional<Timestamp> at = TimeAt(item, "lastTimestamp");
    if (!at.has_value()) at = TimeAt(item, "eventTime");
    if (!message.empty() && at <= newest) continue;
    newest = at;
    message = WordsAt(item, "reason");
    absl::StrAppend(&message, message.empty() ? "" : ": ",
                    WordsAt(item, "message"));
  }
  return message;
}

}  // namespace vernier
