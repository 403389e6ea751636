#include "buckets/resumable_uploads.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "buckets/attributes_json.h"
#include "buckets/bucket_name.h"
#include "buckets/http_status_payload.h"

namespace vernier {
namespace {

// Cloud Storage keeps an upload session for a week, too.
constexpr std::chrono::hours kLifetime{7 * 24};
constexpr std::size_t kMaxParked = 64;  // Each holds a descriptor.
constexpr std::size_t kIdDigits = 32;

std::string UploadsFolder() {
  return std::string(kReservedFolder) + "/uploads";
}

std::string NotePath(const std::string& id) {
  return absl::StrCat(UploadsFolder(), "/", id, ".json");
}

std::string DataPath(const std::string& id) {
  return absl::StrCat(UploadsFolder(), "/", id, ".data");
}

bool IsId(const std::string& id) {
  return id.size() == kIdDigits &&
         id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

absl::Status NoUpload(const std::string& id) {
  return absl::NotFoundError(absl::StrCat("No such upload session: ", id));
}

struct PreconditionField {
  const char* name;
  std::optional<std::int64_t> Preconditions::*member;
};

constexpr PreconditionField kPreconditions[] = {
    {"ifGenerationMatch", &Preconditions::generation_match},
    {"ifGenerationNotMatch", &Preconditions::generation_not_match},
    {"ifMetagenerationMatch", &Preconditions::metageneration_match},
    {"ifMetagenerationNotMatch", &Preconditions::metageneration_not_match},
};

Json NoteOf(const ResumableUpload& upload) {
  Json note = Json::object();
  const ObjectWrite& write = upload.write;
  note["object"] = write.name;
  note["size"] = upload.file.size();
  note["attributes"] = AttributesToJson(write.attributes);
  note["crc32c"] = write.expected.crc32c;
  note["md5"] = write.expected.md5;
  for (const PreconditionField& field : kPreconditions) {
    const auto& value = write.preconditions.*field.member;
    if (value) note[field.name] = *value;
  }
  return note;
}

ObjectWrite WriteFrom(const Json& note) {
  ObjectWrite write;
  write.name = note.at("object").get<std::string>();
  write.attributes = AttributesFromJson(note.at("attributes"));
  write.expected.crc32c = note.at("crc32c").get<std::string>();
  write.expected.md5 = note.at("md5").get<std::string>();
  for (const PreconditionField& field : kPreconditions) {
    if (!note.contains(field.name)) continue;
    write.preconditions.*field.member = note.at(field.name).get<std::int64_t>();
  }
  return write;
}

}  // namespace

ResumableUploads::ResumableUploads(const ConfinedFolder& root,
                                   const Clock& clock, const BucketRoom& room,
                                   std::function<std::string()> make_id)
    : root_(root), clock_(clock), room_(room), make_id_(std::move(make_id)) {}

ResumableUploads::~ResumableUploads() {
  // The files stay, and the next service continues the uploads.
  MutexLock lock(mu_);
  for (auto& [id, upload] : parked_) upload->file.Keep();
}

void ResumableUploads::Sweep() {
  auto folder = root_.OpenFolder(UploadsFolder());
  if (!folder.ok()) return;
  const FolderStream dir = EntriesOf(*std::move(folder));
  if (dir == nullptr) return;
  const auto now = std::chrono::floor<std::chrono::seconds>(clock_.Now());
  while (const dirent* entry = ::readdir(dir.get())) {
    struct stat info;
    if (::fstatat(::dirfd(dir.get()), entry->d_name, &info,
                  AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode)) {
      continue;
    }
    const std::chrono::seconds touched(info.st_mtim.tv_sec);
    if (now.time_since_epoch() - touched < kLifetime) continue;
    SweepFile(entry->d_name, info.st_size);
  }
}

void ResumableUploads::SweepFile(const std::string& name, std::int64_t size) {
  const std::string id = name.substr(0, name.find('.'));
  std::unique_ptr<ResumableUpload> parked;
  {
    MutexLock lock(mu_);
    if (held_.count(id) > 0) return;
    const auto found = parked_.find(id);
    if (found != parked_.end()) {
      parked = std::move(found->second);
      parked_.erase(found);
    }
  }
  // This also removes its file and gives back its room.
  if (parked) {
    parked.reset();
  } else if (name.ends_with(".data")) {
    room_.GiveBack({size, 0});
  }
  root_.RemoveFile(absl::StrCat(UploadsFolder(), "/", name)).IgnoreError();
}

absl::Status ResumableUploads::CheckCount() const {
  auto folder = root_.OpenFolder(UploadsFolder());
  if (absl::IsNotFound(folder.status())) return absl::OkStatus();
  if (!folder.ok()) return folder.status();
  const FolderStream dir = EntriesOf(*std::move(folder));
  if (dir == nullptr) return FileError(errno, UploadsFolder());
  int count = 0;
  while (const dirent* entry = ::readdir(dir.get())) {
    count += std::string_view(entry->d_name).ends_with(".data");
  }
  if (count < kMostUploads) return absl::OkStatus();
  return WithHttpStatus(
      absl::ResourceExhaustedError(absl::StrCat(
          "the bucket has ", count, " unfinished uploads, and may have ",
          kMostUploads,
          ": finish or cancel some; those that nobody touches for a week are "
          "removed")),
      429);
}

absl::Status ResumableUploads::Save(const ResumableUpload& upload) {
  return root_.ReplaceFile(NotePath(upload.id), upload.id + ".tmp",
                           DumpJson(NoteOf(upload)) + "\n");
}

absl::StatusOr<std::string> ResumableUploads::Begin(const ObjectWrite& write) {
  VERNIER_RETURN_IF_ERROR(CheckObjectName(write.name));
  VERNIER_RETURN_IF_ERROR(CheckAttributes(write.attributes));
  VERNIER_RETURN_IF_ERROR(CheckCount());
  std::string id = make_id_();
  VERNIER_ASSIGN_OR_RETURN(StagedFile file,
                           StagedFile::Create(root_, DataPath(id), room_));
  auto upload = std::make_unique<ResumableUpload>(
      ResumableUpload{id, write, std::move(file)});
  VERNIER_RETURN_IF_ERROR(Park(std::move(upload)));
  return id;
}

absl::StatusOr<std::unique_ptr<ResumableUpload>> ResumableUploads::Load(
    const std::string& id) {
  const auto text = root_.ReadFile(NotePath(id));
  if (absl::IsNotFound(text.status())) return NoUpload(id);
  if (!text.ok()) return text.status();
  VERNIER_ASSIGN_OR_RETURN(const Json note, ParseJson(*text));
  try {
    auto file = StagedFile::Reopen(root_, DataPath(id),
                                   note.at("size").get<std::int64_t>(), room_);
    if (!file.ok()) return NoUpload(id);
    return std::make_unique<ResumableUpload>(
        ResumableUpload{id, WriteFrom(note), *std::move(file)});
  } catch (const Json::exception&) {
    return NoUpload(id);
  }
}

absl::StatusOr<std::unique_ptr<ResumableUpload>> ResumableUploads::Take(
    const std::string& id) {
  if (!IsId(id)) return NoUpload(id);
  {
    MutexLock lock(mu_);
    if (!held_.insert(id).second) {
      return absl::UnavailableError(
          "another request is at work on this upload session");
    }
    const auto parked = parked_.find(id);
    if (parked != parked_.end()) {
      std::unique_ptr<ResumableUpload> upload = std::move(parked->second);
      parked_.erase(parked);
      return upload;
    }
  }
  auto upload = Load(id);
  if (!upload.ok()) {
    MutexLock lock(mu_);
    held_.erase(id);
  }
  return upload;
}

absl::Status ResumableUploads::Park(std::unique_ptr<ResumableUpload> upload) {
  absl::Status status = upload->file.Sync();
  if (status.ok()) status = Save(*upload);
  std::unique_ptr<ResumableUpload> displaced;
  {
    MutexLock lock(mu_);
    held_.erase(upload->id);
    if (status.ok() && parked_.size() >= kMaxParked) {
      displaced = std::move(parked_.begin()->second);
      parked_.erase(parked_.begin());
    }
    if (status.ok()) {
      std::string id = upload->id;
      parked_.emplace(std::move(id), std::move(upload));
    }
  }
  // Its note is on disk, from which the next request for it reads it again.
  if (displaced) displaced->file.Keep();
  return status;
}

void ResumableUploads::Abandon(std::unique_ptr<ResumableUpload> upload) {
  const std::string id = upload->id;
  // Checksums cannot be wound back, so the next request reads the file once.
  upload->file.Keep();
  upload.reset();
  MutexLock lock(mu_);
  held_.erase(id);
}

void ResumableUploads::Drop(std::unique_ptr<ResumableUpload> upload) {
  const std::string id = upload->id;
  root_.RemoveFile(NotePath(id)).IgnoreError();
  upload.reset();
  MutexLock lock(mu_);
  held_.erase(id);
}

}  // namespace vernier
