#include "faces/dashboard/page_files.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "edge/http/rest_error.h"
#include "faces/dashboard/dashboard_api.h"
#include "faces/dashboard/page_file.h"
#include "faces/dashboard/sign_in.h"
#include "http/gzip.h"

namespace vernier {
namespace {

constexpr std::string_view kRoot = "/ui/";
constexpr std::string_view kAssets = "/ui/assets/";
// Everything comes from the service itself, and the page contains no inline
// script or style, so that text printed by a program cannot become one.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

std::string TypeOf(std::string_view name) {
  if (EndsWith(name, ".html")) return "text/html; charset=UTF-8";
  if (EndsWith(name, ".js")) return "text/javascript; charset=UTF-8";
  if (EndsWith(name, ".css")) return "text/css; charset=UTF-8";
  if (EndsWith(name, ".svg")) return "image/svg+xml";
  if (EndsWith(name, ".png")) return "image/png";
  return "application/octet-stream";
}

const PageFile* Find(std::string_view name) {
  for (const PageFile& file : PageFiles()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

/// Returns the contents of each file, which all answers share, so that frequent
/// requests take no memory.
std::shared_ptr<const std::string> SharedContents(const PageFile& file) {
  using Contents =
      std::map<std::string_view, std::shared_ptr<const std::string>>;
  static const Contents* const kContents = [] {
    auto* contents = new Contents();
    for (const PageFile& each : PageFiles()) {
      (*contents)[each.name] =
          std::make_shared<const std::string>(each.contents);
    }
    return contents;
  }();
  return kContents->at(file.name);
}

HttpResponse Serve(const PageFile& file) {
  HttpResponse response = TextResponse(200, TypeOf(file.name), "");
  response.shared_body = SharedContents(file);
  response.headers.emplace_back("Content-Encoding", "gzip");
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  // The names of these files change with their contents.
  const bool never_changes =
      EndsWith(file.name, ".js") || EndsWith(file.name, ".css");
  response.headers.emplace_back(
      "Cache-Control",
      never_changes ? "public, max-age=31536000, immutable" : "no-cache");
  return response;
}

HttpResponse Redirect(std::string_view to) {
  HttpResponse response = TextResponse(302, "text/plain", "");
  response.headers.emplace_back("Location", std::string(to));
  return response;
}

HttpResponse Answer(const HttpRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    return ErrorResponse(absl::UnimplementedError("the page is only read: GET"),
                         405);
  }
  if (request.path == "/" || request.path == "/ui") return Redirect(kRoot);
  const std::string_view path = request.path;
  const bool is_asset = path.substr(0, kAssets.size()) == kAssets;
  const PageFile* file =
      Find(is_asset ? path.substr(kRoot.size()) : "index.html");
  if (file == nullptr) {
    return ErrorResponse(absl::NotFoundError("there is no such file"));
  }
  if (!AcceptsGzip(request.Header("accept-encoding"))) {
    return ErrorResponse(
        absl::InvalidArgumentError(
            "the page is sent compressed: send Accept-Encoding: gzip"),
        406);
  }
  return Serve(*file);
}

}  // namespace

bool IsPagePath(std::string_view path) {
  if (path == "/" || path == "/ui") return true;
  return path.substr(0, kRoot.size()) == kRoot && !DashboardApi::Takes(path) &&
         !SignIn::Takes(path);
}

std::unique_ptr<HttpExchange> ServePage(const HttpRequest& request) {
  return std::make_unique<BufferedExchange>(
      0, [request](const std::string&) { return Answer(request); });
}

}  // namespace vernier
