#include "cli/verbs/gcloud_settings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vernier/v1/access_service.grpc.pb.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "access/token_text.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Access = v1::AccessService::Stub;

constexpr char kLabel[] = "gcloud";

std::string ReadToken(const std::string& path) {
  std::ifstream file(path);
  std::string token;
  std::getline(file, token);
  return std::string(absl::StripAsciiWhitespace(token));
}

absl::StatusOr<bool> IsGood(const ClientConnection& client,
                            const std::string& token) {
  if (token.empty()) return false;
  const std::string hash = HashToken(token);
  VERNIER_ASSIGN_OR_RETURN(const Json list,
                           Ask(client, &Access::ListTokens, {}));
  for (const Json& known : list.value("tokens", Json::array())) {
    if (hash.rfind(known.value("id", "?"), 0) == 0) {
      return !known.contains("revokeTime");
    }
  }
  return false;
}

// Writes the token in one step, and never readable by others.
absl::Status WriteToken(const std::string& path, const std::string& token) {
  const std::string draft = absl::StrCat(path, ".", getpid());
  const int fd = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                      S_IRUSR | S_IWUSR);
  if (fd < 0) return absl::ErrnoToStatus(errno, "cannot make " + draft);
  const ssize_t written = write(fd, token.data(), token.size());
  const int write_error = errno;
  close(fd);
  if (written != static_cast<ssize_t>(token.size())) {
    unlink(draft.c_str());
    return absl::ErrnoToStatus(write_error, "cannot write " + draft);
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make " + path);
  }
  return absl::OkStatus();
}

absl::Status MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST) {
    return absl::OkStatus();
  }
  return absl::ErrnoToStatus(errno, "cannot make " + path);
}

std::string Quoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> GcloudVariables(
    const GcloudTarget& target) {
  const std::string base = target.http_url + "/";
  return {
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_ML", base},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE", base + "storage/v1/"},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_LOGGING", base},
      {"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", target.token_file},
      {"CLOUDSDK_CORE_PROJECT", target.project},
      // Any region means this machine.
      {"CLOUDSDK_COMPUTE_REGION", "local"},
      // gcloud polls logs every 5 s instead of every minute. It must not be
      // less: gcloud asks for entries that are 5 s old, and stops after two
      // polls without any.
      {"CLOUDSDK_ML_ENGINE_POLLING_INTERVAL", "5"},
      {"CLOUDSDK_CORE_DISABLE_PROMPTS", "1"},
      {"CLOUDSDK_CORE_DISABLE_USAGE_REPORTING", "1"},
      {"CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK", "1"},
      // The user's own projects and logins are not touched.
      {"CLOUDSDK_CONFIG", target.config_dir},
  };
}

std::string ExportLines(
    const std::vector<std::pair<std::string, std::string>>& variables) {
  std::string lines;
  for (const auto& [name, value] : variables) {
    absl::StrAppend(&lines, "export ", name, "=", Quoted(value), "\n");
  }
  return lines;
}

absl::StatusOr<GcloudTarget> PrepareGcloud(const ClientConnection& client,
                                           const std::string& project) {
  VERNIER_ASSIGN_OR_RETURN(
      const Json info, Ask(client, &v1::JobService::Stub::GetServiceInfo, {}));
  GcloudTarget target;
  target.http_url = info.value("httpUrl", "");
  if (target.http_url.empty()) {
    return absl::FailedPreconditionError(
        "the service does not speak HTTP; start it without --http off");
  }
  const std::string folder = info.value("dataDir", "") + "/gcloud";
  target.project = project;
  target.token_file = folder + "/access_token";
  target.config_dir = folder + "/config";
  VERNIER_RETURN_IF_ERROR(MakeFolder(folder));
  VERNIER_RETURN_IF_ERROR(MakeFolder(target.config_dir));
  VERNIER_ASSIGN_OR_RETURN(const bool is_good,
                           IsGood(client, ReadToken(target.token_file)));
  if (is_good) return target;
  v1::CreateTokenRequest request;
  request.set_scope("admin");
  request.set_label(kLabel);
  VERNIER_ASSIGN_OR_RETURN(const Json created,
                           Ask(client, &Access::CreateToken, request));
  VERNIER_RETURN_IF_ERROR(
      WriteToken(target.token_file, created.value("secret", "")));
  return target;
}

}  // namespace vernier
