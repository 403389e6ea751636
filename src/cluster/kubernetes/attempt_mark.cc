#include "cluster/kubernetes/attempt_mark.h"

#include "base/json.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxMarkBytes = 64 << 10;

std::string PathOf(const std::string& attempt_dir) {
  return KubernetesFolder(attempt_dir) + "/mark.json";
}

AttemptMark FromJson(const Json& json) {
  AttemptMark mark;
  mark.state = static_cast<AttemptMark::State>(json.at("state").get<int>());
  mark.kind = json.at("kind").get<std::string>() == "jobs" ? GangKind::kJobs
                                                           : GangKind::kJobSet;
  mark.name_space = json.at("namespace").get<std::string>();
  mark.gang_ran = json.at("ran").get<bool>();
  if (json.contains("verdict")) {
    const Json& verdict = json["verdict"];
    mark.verdict.emplace();
    mark.verdict->launch_failed = verdict.at("launch_failed").get<bool>();
    mark.verdict->engine_end =
        static_cast<EngineEnd>(verdict.at("engine_end").get<int>());
    mark.verdict->message = verdict.at("message").get<std::string>();
  }
  return mark;
}

}  // namespace

std::string KubernetesFolder(const std::string& attempt_dir) {
  return attempt_dir + "/kubernetes";
}

absl::Status WriteAttemptMark(const std::string& attempt_dir,
                              const AttemptMark& mark) {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(KubernetesFolder(attempt_dir)));
  Json json = Json::object();
  json["state"] = static_cast<int>(mark.state);
  json["kind"] = mark.kind == GangKind::kJobs ? "jobs" : "jobset";
  json["namespace"] = mark.name_space;
  json["ran"] = mark.gang_ran;
  if (mark.verdict.has_value()) {
    json["verdict"] = {
        {"launch_failed", mark.verdict->launch_failed},
        {"engine_end", static_cast<int>(mark.verdict->engine_end)},
        {"message", mark.verdict->message}};
  }
  return ReplaceFile(PathOf(attempt_dir), DumpJson(json) + "\n",
                     Durability::kSynced);
}

absl::StatusOr<AttemptMark> ReadAttemptMark(const std::string& attempt_dir) {
  const std::string path = PathOf(attempt_dir);
  const absl::StatusOr<std::string> text = ReadSmallFile(path, kMaxMarkBytes);
  if (absl::IsNotFound(text.status())) return AttemptMark{};
  VERNIER_RETURN_IF_ERROR(text.status());
  const absl::StatusOr<Json> json = ParseJson(*text);
  if (!json.ok()) return absl::DataLossError(path + " is damaged");
  try {
    return FromJson(*json);
  } catch (const Json::exception& error) {
    return absl::DataLossError(path + ": " + error.what());
  }
}

}  // namespace vernier
