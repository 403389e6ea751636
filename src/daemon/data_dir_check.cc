#include "daemon/data_dir_check.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "cluster/gang/package_installation.h"
#include "daemon/databases.h"
#include "store/access/quota_store.h"
#include "store/access/token_store.h"
#include "store/check/store_check.h"
#include "store/pages/store_location.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

// Returns the number that is a folder's name; nullopt if the name is not a
// number.
std::optional<std::int64_t> NumberOf(const fs::path& path) {
  const auto number = ParseWholeNumber(path.filename().string());
  return number.has_value() && *number >= 1 ? number : std::nullopt;
}

// Returns the folders in `path` whose names are numbers; none if `path` does
// not exist.
absl::StatusOr<std::map<std::int64_t, fs::path>> NumberedFolders(
    const fs::path& path) {
  std::map<std::int64_t, fs::path> folders;
  std::error_code error;
  fs::directory_iterator entries(path, error);
  if (error == std::errc::no_such_file_or_directory) return folders;
  for (; !error && entries != fs::directory_iterator();
       entries.increment(error)) {
    const auto number = NumberOf(entries->path());
    if (number && entries->is_directory(error)) {
      folders[*number] = entries->path();
    }
  }
  if (!error) return folders;
  return absl::InternalError(
      absl::StrCat("cannot read ", path.string(), ": ", error.message()));
}

// Compares the folders of jobs with the database.
class FolderCheck {
 public:
  FolderCheck(const DataDir& data_dir, DataDirReport* report)
      : data_dir_(data_dir), report_(*report) {}

  absl::Status Check(const StoredJobs& stored) {
    VERNIER_ASSIGN_OR_RETURN(auto studies,
                             NumberedFolders(data_dir_.RunRoot()));
    for (const StoredJob& job : stored.jobs) {
      CheckCode(job);
      const auto folder = studies.extract(job.study);
      VERNIER_RETURN_IF_ERROR(
          CheckAttempts(job, folder.empty() ? fs::path() : folder.mapped()));
      if (!folder.empty()) CheckPackages(folder.mapped() / "packages");
    }
    for (const auto& [study, folder] : studies) {
      // Numbers are never used twice, so a higher one belongs to a job that was
      // lost.
      if (study > stored.last_study) {
        AddLoss(folder, "a job");
      } else {
        report_.notes.push_back(absl::StrCat(
            folder.string(), ": left over from a job that was deleted"));
      }
    }
    return absl::OkStatus();
  }

 private:
  void AddLoss(const fs::path& folder, const char* what) {
    report_.faults.push_back(absl::StrCat(
        folder.string(), ": the folder of ", what,
        " that the database does not know: what was written last is lost"));
  }

  // Checks the folder of a job's code. The data directory may have been moved
  // since the path was stored.
  void CheckCode(const StoredJob& job) {
    if (job.code_dir.empty()) return;
    const fs::path path(job.code_dir);
    const bool is_pinned = path.parent_path().filename() == "code";
    const fs::path here =
        is_pinned ? fs::path(data_dir_.CodeRoot()) / path.filename() : path;
    std::error_code error;
    if (fs::is_directory(here, error)) {
      if (is_pinned) ++report_.pinned_code;
    } else if (is_pinned) {
      report_.faults.push_back(absl::StrCat(
          "job ", job.job_id, ": its pinned code is missing: ", here.string()));
    } else {
      report_.notes.push_back(absl::StrCat("job ", job.job_id,
                                           ": the folder that it runs in is "
                                           "missing: ",
                                           here.string()));
    }
  }

  absl::Status CheckAttempts(const StoredJob& job, const fs::path& folder) {
    std::map<std::int64_t, fs::path> trials;
    if (!folder.empty()) {
      VERNIER_ASSIGN_OR_RETURN(trials, NumberedFolders(folder));
    }
    std::map<std::int64_t, std::set<std::int64_t>> found;
    for (const auto& [trial, path] : trials) {
      VERNIER_ASSIGN_OR_RETURN(const auto attempts, NumberedFolders(path));
      for (const auto& [number, attempt] : attempts) {
        found[trial].insert(number);
      }
    }
    for (const StoredJob::Attempt& attempt : job.attempts) {
      if (found[attempt.trial].erase(attempt.number) > 0) {
        ++report_.attempts;
      } else if (attempt.state == AttemptState::kRunning) {
        report_.faults.push_back(absl::StrCat(
            "job ", job.job_id, " trial ", attempt.trial, " attempt ",
            attempt.number, ": it runs, and its folder is missing"));
      } else if (IsTerminal(attempt.state)) {
        ++report_.attempts_gone;
      }
    }
    for (const auto& [trial, numbers] : found) {
      for (const std::int64_t number : numbers) {
        AddLoss(folder / absl::StrCat(trial) / absl::StrCat(number),
                "an attempt");
      }
    }
    return absl::OkStatus();
  }

  void CheckPackages(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / "installed", error)) return;
    const fs::path environment = PackageEnvironmentDir(folder);
    if (fs::exists(environment / "pyvenv.cfg", error)) {
      ++report_.packages;
      return;
    }
    report_.faults.push_back(absl::StrCat(
        environment.string(), ": the packages that were installed are gone"));
  }

  const DataDir& data_dir_;
  DataDirReport& report_;
};

absl::Status CheckOwner(const std::string& root) {
  struct stat entry {};
  if (stat(root.c_str(), &entry) == 0) return absl::OkStatus();
  if (errno == ENOENT || errno == ENOTDIR) {
    return absl::NotFoundError(
        absl::StrCat("there is no data directory at ", root));
  }
  return absl::PermissionDeniedError(
      absl::StrCat("cannot look at ", root, ": ", std::strerror(errno)));
}

}  // namespace

absl::StatusOr<DataDirReport> CheckDataDir(const DataDir& data_dir) {
  VERNIER_RETURN_IF_ERROR(CheckOwner(data_dir.root));
  VERNIER_ASSIGN_OR_RETURN(const StoreLock lock,
                           StoreLock::AcquireToLook(data_dir.root));
  DataDirReport report;
  StoredJobs jobs;
  VERNIER_ASSIGN_OR_RETURN(DatabaseReport studies,
                           CheckStudies(data_dir.DatabasePath(), &jobs));
  if (const absl::Status there = CheckDatabaseIsThere(data_dir); !there.ok()) {
    report.faults.emplace_back(there.message());
    return report;
  }
  if (!studies.exists && studies.violations.empty()) {
    return absl::NotFoundError(absl::StrCat("there is no data directory at ",
                                            data_dir.root,
                                            ": it has no vernier.db"));
  }
  // A damaged database may lack rows, so that each of their folders would count
  // as a loss.
  const bool may_compare = studies.pages.damaged.empty() && studies.exists;
  report.databases.push_back(std::move(studies));
  const std::pair<std::string, const Schema&> others[] = {
      {data_dir.AccessPath(), AccessSchema()},
      {data_dir.QuotaPath(), QuotasSchema()}};
  for (const auto& [path, schema] : others) {
    VERNIER_ASSIGN_OR_RETURN(DatabaseReport other,
                             CheckPrivateDatabase(path, schema));
    report.databases.push_back(std::move(other));
  }
  report.faults = MissingDatabases(data_dir, jobs.last_study > 0);
  for (const DatabaseReport& database : report.databases) {
    report.faults.insert(report.faults.end(), database.violations.begin(),
                         database.violations.end());
    report.notes.insert(report.notes.end(), database.notes.begin(),
                        database.notes.end());
  }
  if (may_compare && jobs.last_study > 0) {
    VERNIER_RETURN_IF_ERROR(FolderCheck(data_dir, &report).Check(jobs));
  }
  return report;
}

}  // namespace vernier
