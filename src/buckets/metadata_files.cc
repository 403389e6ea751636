#include "buckets/metadata_files.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "buckets/attributes_json.h"
#include "buckets/bucket_name.h"

namespace vernier {
namespace {

// A hash names the file, since object names may be longer than file names and
// contain '/'.
std::string MetadataPath(const std::string& name) {
  const std::string digest = Md5Hex(name);
  return absl::StrCat(std::string(kReservedFolder), "/objects/",
                      digest.substr(0, 2), "/", digest.substr(2), ".json");
}

Json StampJson(const FileStamp& stamp) {
  Json json = Json::object();
  json["inode"] = stamp.inode;
  json["size"] = stamp.size;
  json["modified"] = stamp.modified;
  return json;
}

bool HasStamp(const Json& record, const FileStamp& stamp) {
  return record.at("stamp") == StampJson(stamp);
}

Json RecordJson(const ObjectMetadata& metadata, const FileStamp& stamp) {
  Json record = Json::object();
  record["stamp"] = StampJson(stamp);
  record["generation"] = metadata.generation;
  record["metageneration"] = metadata.metageneration;
  record["created"] = metadata.created.time_since_epoch().count();
  record["updated"] = metadata.updated.time_since_epoch().count();
  if (metadata.hashes) {
    record["crc32c"] = metadata.hashes->crc32c;
    record["md5"] = metadata.hashes->md5;
  }
  record["attributes"] = AttributesToJson(metadata.attributes);
  return record;
}

Timestamp TimeFrom(const Json& json) {
  return Timestamp(std::chrono::microseconds(json.get<std::int64_t>()));
}

ObjectMetadata MetadataFrom(const Json& record) {
  ObjectMetadata metadata;
  metadata.generation = record.at("generation").get<std::int64_t>();
  metadata.metageneration = record.at("metageneration").get<std::int64_t>();
  metadata.created = TimeFrom(record.at("created"));
  metadata.updated = TimeFrom(record.at("updated"));
  if (record.contains("md5")) {
    metadata.hashes = ObjectHashes{record.at("crc32c").get<std::string>(),
                                   record.at("md5").get<std::string>()};
  }
  metadata.attributes = AttributesFromJson(record.at("attributes"));
  ClearBadAttributes(&metadata.attributes);
  return metadata;
}

// Returns the record of `stamp` in the file's text. A record that cannot be
// parsed counts as absent: the object's bytes exist, and the rest can be
// computed again.
std::optional<Json> FindRecord(const absl::StatusOr<std::string>& text,
                               const std::string& name,
                               const FileStamp& stamp) {
  if (!text.ok()) return std::nullopt;
  const absl::StatusOr<Json> json = ParseJson(*text);
  if (!json.ok()) return std::nullopt;
  try {
    if (json->at("name").get<std::string>() != name) return std::nullopt;
    for (const Json& record : json->at("records")) {
      if (HasStamp(record, stamp)) return record;
    }
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

FileStamp StampOf(const struct stat& info) {
  FileStamp stamp;
  stamp.inode = info.st_ino;
  if (S_ISDIR(info.st_mode)) return stamp;
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  stamp.size = info.st_size;
  stamp.modified = info.st_mtim.tv_sec * kPerSecond + info.st_mtim.tv_nsec;
  return stamp;
}

std::optional<ObjectMetadata> MetadataFiles::Get(const std::string& name,
                                                 const FileStamp& stamp) const {
  const auto record =
      FindRecord(root_.ReadFile(MetadataPath(name)), name, stamp);
  if (!record) return std::nullopt;
  try {
    return MetadataFrom(*record);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

absl::Status MetadataFiles::Put(const std::string& name,
                                const ObjectMetadata& metadata,
                                const FileStamp& stamp,
                                const std::optional<FileStamp>& current) {
  const std::string path = MetadataPath(name);
  Json records = Json::array();
  records.push_back(RecordJson(metadata, stamp));
  if (current && *current != stamp) {
    auto kept = FindRecord(root_.ReadFile(path), name, *current);
    if (kept) records.push_back(*std::move(kept));
  }
  Json json = Json::object();
  json["name"] = name;
  json["records"] = std::move(records);
  return root_.ReplaceFile(path, SplitAtLastSlash(path).file + ".tmp",
                           DumpJson(json) + "\n");
}

absl::Status MetadataFiles::Remove(const std::string& name) {
  return root_.RemoveFile(MetadataPath(name));
}

}  // namespace vernier
