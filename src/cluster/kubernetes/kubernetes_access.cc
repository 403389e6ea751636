#include "cluster/kubernetes/kubernetes_access.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/shown_text.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "study/config/config_reader.h"
#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxAccessBytes = std::size_t{1} << 20;
constexpr char kAccountFolder[] =
    "/var/run/secrets/kubernetes.io/serviceaccount";

using Node = ConfigNode;

const Node* Member(const Node* map, std::string_view key) {
  return map == nullptr || map->kind != Node::Kind::kMap ? nullptr
                                                         : map->Find(key);
}

std::string Text(const Node* map, std::string_view key) {
  const Node* const node = Member(map, key);
  return node == nullptr || node->kind != Node::Kind::kScalar ? ""
                                                              : node->scalar;
}

// Returns the member `kind` of the entry of this name in the list `list`.
const Node* Entry(const Node* root, std::string_view list,
                  std::string_view kind, const std::string& name) {
  const Node* const entries = Member(root, list);
  if (entries == nullptr || entries->kind != Node::Kind::kList) return nullptr;
  for (const Node* entry : entries->items) {
    if (Text(entry, "name") == name) return Member(entry, kind);
  }
  return nullptr;
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string Absolute(const std::string& file, const std::string& path) {
  return file.empty() || file.front() == '/'
             ? file
             : absl::StrCat(FolderOf(path), "/", file);
}

// Returns the PEM text in KEY-data (in base64), or in the file that KEY names.
absl::StatusOr<std::string> Pem(const Node* map, const std::string& key,
                                const std::string& path) {
  const std::string data = Text(map, key + "-data");
  if (!data.empty()) {
    std::string pem;
    if (!absl::Base64Unescape(data, &pem)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": ", key, "-data is no base64"));
    }
    return pem;
  }
  const std::string file = Absolute(Text(map, key), path);
  if (file.empty()) return std::string();
  return ReadSmallFile(file, kMaxAccessBytes);
}

// Returns whether `server` is http:// at this machine itself, such as a kubectl
// proxy.
bool IsLoopback(std::string_view server) {
  for (const std::string_view host : {"http://127.0.0.1", "http://localhost"}) {
    if (!server.starts_with(host)) continue;
    const std::string_view rest = server.substr(host.size());
    return rest.empty() || rest.front() == ':' || rest.front() == '/';
  }
  return false;
}

absl::Status CheckServer(const std::string& server, const std::string& path) {
  if (server.starts_with("https://") || IsLoopback(server)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": server must begin with https://: ", ShowText(server)));
}

// A host name in a URL must not contain characters that end it.
bool IsHostName(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' ||
           c == '.';
  });
}

// Tokens become part of a header, which a line break would end.
std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

absl::Status ReadUser(const Node* user, const std::string& path,
                      KubernetesAccess* access) {
  for (const char* kind : {"exec", "auth-provider"}) {
    if (Member(user, kind) == nullptr) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": the user has an \"", kind,
        "\" plugin, which is not run: give a kubeconfig with the token of a "
        "service account, as \"kubectl create token NAME\" prints it"));
  }
  access->token = FirstLine(Text(user, "token"));
  access->token_file = Absolute(Text(user, "tokenFile"), path);
  if (!access->token_file.empty()) access->token.clear();
  VERNIER_ASSIGN_OR_RETURN(access->client_certificate,
                           Pem(user, "client-certificate", path));
  VERNIER_ASSIGN_OR_RETURN(access->client_key, Pem(user, "client-key", path));
  if (!Text(user, "username").empty()) {
    return absl::InvalidArgumentError(
        path + ": a username with a password is not supported");
  }
  return absl::OkStatus();
}

absl::StatusOr<KubernetesAccess> ReadConfigFile(const std::string& path,
                                                const std::string& context) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           ReadSmallFile(path, kMaxAccessBytes));
  return ReadKubeconfig(text, path, context);
}

std::string Value(const std::map<std::string, std::string>& environment,
                  const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

absl::StatusOr<KubernetesAccess> OfServiceAccount(const std::string& host,
                                                  const std::string& port) {
  const std::string folder = kAccountFolder;
  KubernetesAccess access;
  const bool is_v6 = host.find(':') != std::string::npos;
  access.server =
      absl::StrCat("https://", is_v6 ? "[" : "", host, is_v6 ? "]" : "", ":",
                   port.empty() ? "443" : port);
  access.token_file = folder + "/token";
  VERNIER_ASSIGN_OR_RETURN(access.authority,
                           ReadSmallFile(folder + "/ca.crt", kMaxAccessBytes));
  access.name_space =
      ReadSmallFile(folder + "/namespace", kMaxAccessBytes).value_or("");
  while (!access.name_space.empty() && access.name_space.back() == '\n') {
    access.name_space.pop_back();
  }
  return access;
}

}  // namespace

absl::StatusOr<KubernetesAccess> ReadKubeconfig(std::string_view text,
                                                const std::string& path,
                                                const std::string& context) {
  ConfigTree tree;
  SpecDiagnostics diagnostics(path);
  if (text.size() > kMaxAccessBytes || !ReadConfig(text, tree, diagnostics)) {
    return absl::InvalidArgumentError(path + ": is no kubeconfig");
  }
  const Node* const root = tree.root;
  const std::string name =
      context.empty() ? Text(root, "current-context") : context;
  const Node* const chosen = Entry(root, "contexts", "context", name);
  if (chosen == nullptr) {
    return absl::NotFoundError(
        absl::StrCat(path, ": has no context \"", ShowText(name), "\""));
  }
  const Node* const cluster =
      Entry(root, "clusters", "cluster", Text(chosen, "cluster"));
  if (cluster == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the context's cluster is not there: ",
                     ShowText(Text(chosen, "cluster"))));
  }
  KubernetesAccess access;
  access.name_space = Text(chosen, "namespace");
  access.server = Text(cluster, "server");
  while (!access.server.empty() && access.server.back() == '/') {
    access.server.pop_back();
  }
  VERNIER_RETURN_IF_ERROR(CheckServer(access.server, path));
  if (Text(cluster, "insecure-skip-tls-verify") == "true") {
    return absl::InvalidArgumentError(
        path +
        ": insecure-skip-tls-verify is not supported: give the cluster's "
        "certificate-authority-data");
  }
  access.tls_server_name = Text(cluster, "tls-server-name");
  if (!IsHostName(access.tls_server_name)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": tls-server-name must be the name of a host: ",
                     ShowText(access.tls_server_name)));
  }
  VERNIER_ASSIGN_OR_RETURN(access.authority,
                           Pem(cluster, "certificate-authority", path));
  VERNIER_RETURN_IF_ERROR(ReadUser(
      Entry(root, "users", "user", Text(chosen, "user")), path, &access));
  return access;
}

absl::StatusOr<KubernetesAccess> FindKubernetesAccess(
    const std::string& config, const std::string& context,
    const std::map<std::string, std::string>& environment) {
  if (!config.empty()) return ReadConfigFile(config, context);
  const std::string named = Value(environment, "KUBECONFIG");
  if (!named.empty()) {
    // The first file that has the context counts; files are not merged.
    absl::Status status;
    const std::vector<std::string> paths = absl::StrSplit(named, ':');
    for (const std::string& path : paths) {
      if (path.empty()) continue;
      auto access = ReadConfigFile(path, context);
      if (access.ok() || !absl::IsNotFound(access.status())) return access;
      status = access.status();
    }
    if (!status.ok()) return status;
  }
  const std::string host = Value(environment, "KUBERNETES_SERVICE_HOST");
  if (!host.empty() && context.empty()) {
    return OfServiceAccount(host,
                            Value(environment, "KUBERNETES_SERVICE_PORT"));
  }
  const std::string path = Value(environment, "HOME") + "/.kube/config";
  auto access = ReadConfigFile(path, context);
  if (!absl::IsNotFound(access.status())) return access;
  return absl::NotFoundError(absl::StrCat(
      "there is neither a service account of a pod nor a kubeconfig: give "
      "--kubernetes-config or KUBECONFIG (",
      std::string(access.status().message()), ")"));
}

absl::StatusOr<KubernetesAccess> AccessOfPod(
    const std::map<std::string, std::string>& environment) {
  const std::string host = Value(environment, "KUBERNETES_SERVICE_HOST");
  if (host.empty()) {
    return absl::NotFoundError("this process runs in no pod of a cluster");
  }
  return OfServiceAccount(host, Value(environment, "KUBERNETES_SERVICE_PORT"));
}

}  // namespace vernier
