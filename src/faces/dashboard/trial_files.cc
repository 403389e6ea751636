#include "faces/dashboard/trial_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "buckets/confined_folder.h"
#include "cluster/code/trial_outputs.h"
#include "cluster/in_place_command.h"
#include "cluster/replica_log.h"
#include "cluster/trial_environment.h"
#include "http/file_source.h"
#include "http/url.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/orchestrator.h"

namespace vernier {
namespace {

constexpr std::size_t kMostLogBytes = std::size_t{256} << 10;
constexpr std::size_t kMostEntries = 1000;
// A folder of the code with more entries is shown, even if it has nothing new.
constexpr std::size_t kMostCodeEntries = 10'000;
constexpr off_t kMostFileBytes = off_t{64} << 20;

absl::StatusOr<int> AttemptOf(const TrialRecord& trial, int asked) {
  const int count = static_cast<int>(trial.attempts.size());
  if (asked >= 0 && asked <= count) return asked == 0 ? count : asked;
  return absl::NotFoundError(absl::StrCat("trial ", ToInt(trial.id),
                                          " has no attempt ", asked,
                                          "; it has ", count));
}

/// True if a link is absolute, like those to the job's code in a working
/// directory, so that it cannot be opened here.
bool LeadsOut(int folder, const char* name) {
  char target = 0;
  return ::readlinkat(folder, name, &target, 1) == 1 && target == '/';
}

/// True if an entry of a working directory belongs to the code. A folder does
/// if it contains nothing else.
bool IsOfCode(const std::string& folder, const std::string& path,
              const struct stat& info, const CodeTwins& code) {
  if (!S_ISDIR(info.st_mode)) return code.IsOfCode(folder, path, info);
  if (!code.HasFolder(path)) return false;
  const OutputCount outputs =
      CountOutputsIn(folder, path, code, kMostCodeEntries);
  return outputs.files == 0 && !outputs.is_cut;
}

/// Returns a name that is safe in a header.
std::string HeaderName(std::string_view path) {
  return PercentEncode(path.substr(path.rfind('/') + 1));
}

}  // namespace

absl::StatusOr<std::string> ReadTrialLog(const StudySnapshot& study,
                                         const TrialRecord& trial,
                                         const LogQuestion& question) {
  VERNIER_ASSIGN_OR_RETURN(const int attempt,
                           AttemptOf(trial, question.attempt));
  Json json = {{"attempt", attempt},
               {"replicas", Json::array()},
               {"replica", ""},
               {"offset", 0},
               {"next", 0},
               {"text", ""},
               {"ended", IsTerminal(trial.state)}};
  const auto job = AsJob(study);
  if (attempt == 0 || !job.has_value()) return DumpJson(json);
  const AttemptRecord& record =
      trial.attempts[static_cast<std::size_t>(attempt - 1)];
  json["ended"] = IsTerminal(record.state);
  const std::string dir = AttemptDir(*job, {study.id, trial.id, attempt});
  std::int64_t end = 0;
  std::string replica = question.replica;
  for (const ReplicaLogInfo& log : ListReplicaLogs(dir)) {
    json["replicas"].push_back({{"name", log.replica}, {"bytes", log.end}});
    if (replica.empty()) replica = log.replica;
    if (log.replica == replica) end = log.end;
  }
  json["replica"] = replica;
  if (json["replicas"].empty()) return DumpJson(json);
  const std::int64_t offset =
      question.offset >= 0 ? question.offset
                           : std::max<std::int64_t>(0, end + question.offset);
  const std::size_t limit = question.limit == 0
                                ? kMostLogBytes
                                : std::min(question.limit, kMostLogBytes);
  VERNIER_ASSIGN_OR_RETURN(const ReplicaLogPart part,
                           ReadReplicaLog(dir, replica, offset, limit));
  json["offset"] = part.offset;
  json["next"] = part.next_offset;
  json["text"] = part.data;
  return DumpJson(json);
}

absl::StatusOr<std::string> WorkFolderOf(const StudySnapshot& study,
                                         const TrialRecord& trial) {
  const auto job = AsJob(study);
  if (!job.has_value() || trial.attempts.empty()) {
    return absl::NotFoundError("the trial has not started");
  }
  const std::string folder = WorkDirectory(AttemptDir(
      *job, {study.id, trial.id, static_cast<int>(trial.attempts.size())}));
  std::error_code error;
  const auto kind = std::filesystem::symlink_status(folder, error).type();
  const std::string place = InPlaceFolder(SpecRunBy(*job, trial));
  if (!place.empty() && std::filesystem::is_empty(folder, error)) {
    return absl::NotFoundError(absl::StrCat(
        "the program runs where its code is, in ", place,
        ", which all trials share: what it writes there is there"));
  }
  if (kind == std::filesystem::file_type::directory) return folder;
  // A folder that trials share contains more than the files of one of them.
  return absl::NotFoundError(
      kind == std::filesystem::file_type::not_found
          ? "the trial has left no files"
          : absl::StrCat("the trial runs in a folder that it shares with "
                         "others, where its files are: ",
                         folder));
}

bool AreApart(const std::string& first, const std::string& second) {
  if (second.empty()) return true;
  const auto with_slash = [](const std::string& folder) {
    std::error_code error;
    std::string path = std::filesystem::weakly_canonical(folder, error);
    if (error) path = folder;
    return path.ends_with('/') ? path : path + "/";
  };
  const std::string a = with_slash(first);
  const std::string b = with_slash(second);
  return !a.starts_with(b) && !b.starts_with(a);
}

absl::StatusOr<std::string> ListTrialFiles(const std::string& folder,
                                           const std::string& path,
                                           const CodeTwins& code) {
  VERNIER_ASSIGN_OR_RETURN(const ConfinedFolder root,
                           ConfinedFolder::Open(folder));
  VERNIER_ASSIGN_OR_RETURN(UniqueFd opened, root.OpenFolder(path));
  const FolderStream entries = EntriesOf(std::move(opened));
  if (entries == nullptr) return FileError(errno, folder);
  Json list = Json::array();
  bool is_cut = false;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (list.size() == kMostEntries) {
      is_cut = true;
      break;
    }
    struct stat info {};
    if (::fstatat(::dirfd(entries.get()), name.c_str(), &info,
                  AT_SYMLINK_NOFOLLOW) != 0) {
      continue;  // The entry disappeared meanwhile.
    }
    if (S_ISLNK(info.st_mode) &&
        LeadsOut(::dirfd(entries.get()), name.c_str())) {
      continue;
    }
    if (IsOfCode(folder, path.empty() ? name : absl::StrCat(path, "/", name),
                 info, code)) {
      continue;
    }
    constexpr double kMilliseconds = 1000;
    list.push_back(
        {{"name", name},
         {"isFolder", S_ISDIR(info.st_mode)},
         {"bytes", info.st_size},
         {"modified", static_cast<double>(info.st_mtime) * kMilliseconds}});
  }
  std::sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
    if (a["isFolder"] != b["isFolder"]) return a["isFolder"].get<bool>();
    return a["name"].get_ref<const std::string&>() <
           b["name"].get_ref<const std::string&>();
  });
  return DumpJson(
      Json{{"folder", folder}, {"entries", list}, {"isCut", is_cut}});
}

absl::StatusOr<HttpResponse> DownloadTrialFile(const std::string& folder,
                                               const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const ConfinedFolder root,
                           ConfinedFolder::Open(folder));
  VERNIER_ASSIGN_OR_RETURN(UniqueFd file, root.OpenToRead(path));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return FileError(errno, path);
  if (info.st_size > kMostFileBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(path, " has ", info.st_size,
                     " bytes; the page shows at "
                     "most ",
                     kMostFileBytes, ": copy it from ", folder));
  }
  HttpResponse response = TextResponse(200, "application/octet-stream", "");
  if (info.st_size > 0) {
    response.source =
        std::make_unique<FileSource>(std::move(file), 0, info.st_size);
    response.source_length = static_cast<std::uint64_t>(info.st_size);
  }
  response.headers.emplace_back(
      "Content-Disposition",
      absl::StrCat("attachment; filename*=UTF-8''", HeaderName(path)));
  return response;
}

}  // namespace vernier
