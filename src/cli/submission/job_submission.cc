#include "cli/submission/job_submission.h"

#include <sys/stat.h>
#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/submission/named_files.h"
#include "cli/text/console.h"
#include "cli/text/terminal_text.h"
#include "client/client_connection.h"
#include "client/message_reader.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using Jobs = v1::JobService::Stub;

// This is above the parser's own limit; it only keeps a device from filling
// memory.
constexpr std::size_t kMaxFileBytes = std::size_t{17} << 20;

// Returns whether a setup.py with find_packages() packs the path, or may read
// it itself.
bool IsPacked(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return fs::is_regular_file(path / "__init__.py", error);
  }
  return fs::is_regular_file(path, error) &&
         (path.extension() == ".py" || path.filename() == "setup.cfg");
}

bool IsRelativePath(const std::string& path) {
  return !path.empty() && path.front() != '/' &&
         path.find("://") == std::string::npos;
}

void MakeAbsolute(const std::string& path, const fs::path& folder,
                  std::vector<std::string> field, const std::string& name,
                  std::vector<FieldOverride>* overrides) {
  if (!IsRelativePath(path)) return;
  const fs::path absolute = fs::absolute(folder / path).lexically_normal();
  std::string text = absolute.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  overrides->push_back({std::move(field), DumpJson(Json(text)), name});
}

// Reports the progress of the copy. A copy of the same folder for another job
// looks the same.
void SayHowFar(const ClientConnection& client, const std::string& folder) {
  const auto info = client.Call(&Jobs::GetServiceInfo, {});
  if (!info.ok()) return;
  for (const v1::ServiceInfo::CodeCopy& copy : info->code_copies()) {
    if (copy.folder() != folder) continue;
    if (copy.of_files() == 0) {
      PrintTo(stderr, "vernier: counting the files of %s\n", folder.c_str());
    } else {
      PrintTo(stderr, "vernier: copying %s: %s of %s files\n", folder.c_str(),
              absl::StrCat(copy.files()).c_str(),
              absl::StrCat(copy.of_files()).c_str());
    }
    return;
  }
}

// Makes the call in its own thread, and calls `on_wait` in this one once a
// second.
absl::StatusOr<std::string> AwaitSlowCall(
    const std::function<absl::StatusOr<std::string>()>& call,
    const std::function<void()>& on_wait) {
  std::future<absl::StatusOr<std::string>> answer =
      std::async(std::launch::async, call);
  while (answer.wait_for(std::chrono::seconds(1)) !=
         std::future_status::ready) {
    on_wait();
  }
  return answer.get();
}

}  // namespace

absl::StatusOr<std::string> SubmitJob(const ClientConnection& client,
                                      const ParsedJob& job) {
  v1::CreateJobRequest request;
  VERNIER_RETURN_IF_ERROR(ReadMessage("job", job.json, request.mutable_job()));
  request.set_request_id(RandomHex());
  request.mutable_secrets()->insert(job.secrets.begin(), job.secrets.end());
  const std::string& folder = job.spec.vernier.code_dir;
  return AwaitSlowCall(
      [&] { return client.CallForJson(&Jobs::CreateJob, request); },
      [&] { SayHowFar(client, folder); });
}

absl::StatusOr<std::string> ReadJobFile(const std::string& path) {
  const auto failed = [&path](const std::string& why) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", JobFileName(path), ": ", why));
  };
  const bool is_input = path == kStandardInput;
  struct stat status {};
  if (!is_input && stat(path.c_str(), &status) == 0 &&
      S_ISDIR(status.st_mode)) {
    return failed("it is a folder; a YAML or JSON file is needed");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      is_input ? stdin : std::fopen(path.c_str(), "rbe"),
      is_input ? [](std::FILE* /*input*/) { return 0; } : &std::fclose);
  if (file == nullptr) return failed(std::strerror(errno));
  std::string text;
  char buffer[65536];
  while (text.size() <= kMaxFileBytes) {
    const std::size_t n = std::fread(buffer, 1, sizeof(buffer), file.get());
    if (n == 0) break;
    text.append(buffer, n);
  }
  if (std::ferror(file.get()) != 0) return failed(std::strerror(errno));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(JobFileName(path), " is empty"));
  }
  return text;
}

absl::Status CheckHasContent(const std::string& text, const std::string& path) {
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (const std::string& line : lines) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos && line[begin] != '#') {
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      JobFileName(path),
      " has nothing but comments; docs/study-file.md shows a study "
      "file, which begins with run: or parameters:"));
}

std::string JobFileName(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

JobDocument DocumentOfFile(const std::string& text, const std::string& path) {
  const fs::path folder =
      path == kStandardInput ? fs::path() : fs::path(path).parent_path();
  return {text, JobFileName(path), [folder](const std::string& name) {
            return ReadJobFile((folder / name).string());
          }};
}

namespace {

// Returns the paths of a file's job that are relative to the file's folder.
std::vector<FieldOverride> PathsFromFolder(const JobDocument& document,
                                           const JobSpec& job) {
  const fs::path folder = fs::path(document.file_name()).parent_path();
  std::vector<FieldOverride> absolute;
  std::string code_dir = job.vernier.code_dir;
  if (document.has_code_beside() &&
      document.Find({"vernier", "codeDir"}) == nullptr &&
      NamesFilesBelow(folder.empty() ? fs::current_path() : folder,
                      job.vernier.command)) {
    code_dir = ".";
  }
  MakeAbsolute(code_dir, folder, {"vernier", "codeDir"}, "vernier.codeDir",
               &absolute);
  MakeAbsolute(job.training_input.job_dir, folder, {"trainingInput", "jobDir"},
               "trainingInput.jobDir", &absolute);
  return absolute;
}

// The constraints of a study file are one list, which an edit replaces as a
// whole: where it has none of the one kind, these are gone.
std::vector<FieldOverride> OtherConstraints(const JobDocument& document) {
  if (!document.is_study_file()) return {};
  constexpr const char* kKinds[] = {"parameterConstraints",
                                    "metricConstraints"};
  std::vector<FieldOverride> missing;
  for (const char* kind : kKinds) {
    const std::vector<std::string> path = {"vernier", kind};
    if (document.Find(path) == nullptr) missing.push_back({path, "[]", kind});
  }
  return missing.size() == 1 ? missing : std::vector<FieldOverride>{};
}

}  // namespace

absl::StatusOr<ParsedJob> MergeJob(
    JobDocument document, const std::vector<FieldOverride>& overrides) {
  document.Override(overrides);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob job, document.ToJob());
  const std::vector<FieldOverride> absolute =
      PathsFromFolder(document, job.spec);
  if (absolute.empty()) return job;
  return WithOverrides(job, absolute);
}

absl::StatusOr<std::string> ReadFieldsOfJob(const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text, ReadJobFile(path));
  VERNIER_RETURN_IF_ERROR(CheckHasContent(text, path));
  JobDocument document = DocumentOfFile(text, path);
  constexpr auto kEdit = JobCompleteness::kEdit;
  VERNIER_ASSIGN_OR_RETURN(ParsedJob job, document.ToJob(kEdit));
  document.Override(PathsFromFolder(document, job.spec));
  document.Override(OtherConstraints(document));
  VERNIER_ASSIGN_OR_RETURN(job, document.ToJob(kEdit));
  return job.json;
}

std::vector<std::string> NoteForeignFields(const ParsedJob& job) {
  std::vector<std::string> others = job.ignored_fields;
  for (const SpecError& note : job.notes) {
    PrintTo(stderr, "vernier: note: %s\n",
            Printable(FormatSpecError(note), LineBreaks::kToBlanks).c_str());
    std::erase(others, note.field_path);
  }
  return others;
}

void NoteIgnoredFields(const ParsedJob& job) {
  for (const std::string& field : NoteForeignFields(job)) {
    PrintTo(stderr, "vernier: note: %s is accepted and has no effect\n",
            field.c_str());
  }
}

void NoteCode(std::string_view job) {
  const absl::StatusOr<Json> document = ParseJson(job);
  if (!document.ok()) return;
  for (const Json& note : document->value("vernier", Json::object())
                              .value("codeNotes", Json::array())) {
    PrintTo(stderr, "vernier: note: %s\n", note.get<std::string>());
  }
}

absl::StatusOr<PackageStaging> PackageStaging::Create(
    const std::string& package_path) {
  std::error_code error;
  fs::path package = fs::absolute(package_path, error).lexically_normal();
  if (!package.has_filename()) package = package.parent_path();
  if (error || !fs::is_directory(package, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--package-path must be the folder of a Python package: ",
                     package_path));
  }
  std::string pattern =
      (fs::temp_directory_path(error) / "vernier-package-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    return absl::InternalError(
        absl::StrCat("cannot make a temporary folder: ", std::strerror(errno)));
  }
  PackageStaging staging(pattern);
  const auto flags =
      fs::copy_options::recursive | fs::copy_options::copy_symlinks;
  fs::path copied = package;
  fs::copy(package, fs::path(pattern) / package.filename(), flags, error);
  std::error_code ignored;
  if (!error && fs::exists(package.parent_path() / "setup.py", ignored)) {
    for (fs::directory_iterator entry(package.parent_path(), error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (entry->path() == package || !IsPacked(entry->path())) continue;
      copied = entry->path();
      fs::copy(copied, fs::path(pattern) / copied.filename(), flags, error);
      if (error) break;
    }
  }
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot copy ", copied.string(), ": ", error.message()));
  }
  return staging;
}

PackageStaging::PackageStaging(PackageStaging&& other) noexcept
    : folder_(std::move(other.folder_)) {
  other.folder_.clear();
}

PackageStaging::~PackageStaging() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
}

}  // namespace vernier
