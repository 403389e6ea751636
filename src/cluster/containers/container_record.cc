#include "cluster/containers/container_record.h"

#include "base/json.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

std::string PathOf(const std::string& attempt_dir) {
  return attempt_dir + "/containers.json";
}

}  // namespace

absl::Status WriteContainerRecord(const std::string& attempt_dir,
                                  const ContainerRecord& record) {
  Json json = Json::object();
  json["version"] = 1;
  json["kind"] = static_cast<int>(record.engine.kind);
  json["path"] = record.engine.path;
  json["global_options"] = record.engine.global_options;
  json["create_options"] = record.engine.create_options;
  json["names"] = record.names;
  json["images"] = record.images;
  return ReplaceFile(PathOf(attempt_dir), DumpJson(json) + "\n",
                     Durability::kSynced);
}

absl::StatusOr<ContainerRecord> ReadContainerRecord(
    const std::string& attempt_dir) {
  const std::string path = PathOf(attempt_dir);
  VERNIER_ASSIGN_OR_RETURN(const std::string text, ReadSmallFile(path));
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) {
    return absl::DataLossError(path + ": " +
                               std::string(json.status().message()));
  }
  try {
    using Strings = std::vector<std::string>;
    ContainerRecord record;
    record.engine.kind = static_cast<EngineKind>(json->at("kind").get<int>());
    record.engine.path = json->at("path").get<std::string>();
    record.engine.global_options = json->at("global_options").get<Strings>();
    record.names = json->at("names").get<Strings>();
    record.engine.create_options = json->value("create_options", Strings());
    record.images = json->value("images", Strings());
    return record;
  } catch (const Json::exception& error) {
    return absl::DataLossError(path + ": " + error.what());
  }
}

}  // namespace vernier
