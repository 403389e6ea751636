// Serves the storage API alone, without tokens, on a port of loopback: for
// trying clients against it. Prints the port. Usage: DIR

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/random_bits.h"
#include "base/thread_pool.h"
#include "buckets/bucket_store.h"
#include "faces/storage/storage_api.h"
#include "faces/storage/storage_json.h"
#include "faces/storage/storage_route.h"
#include "http/http_server.h"

namespace vernier {
namespace {

class StorageAlone final : public HttpHandler {
 public:
  explicit StorageAlone(BucketStore& buckets) : api_(buckets) {}

  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) override {
    if (std::getenv("STORAGE_SERVER_TRACE") != nullptr) {
      std::string line = request.method + " " + request.path;
      for (const auto& [name, value] : request.query) {
        line += " " + name + "=" + value;
      }
      std::fprintf(stderr, "%s\n", line.c_str());
    }
    return api_.Begin(request, BucketUser::Administrator(),
                      "http://" + std::string(request.Header("host")));
  }
  HttpResponse Malformed(int status, const std::string& why) override {
    return ErrorResponse(status, "invalid", why);
  }

 private:
  StorageApi api_;
};

int Run(const std::string& folder) {
  const SystemClock clock;
  auto buckets = BucketStore::Open({folder, {}, &RandomHex}, clock);
  if (!buckets.ok()) {
    std::fprintf(stderr, "%s\n", buckets.status().ToString().c_str());
    return 1;
  }
  StorageAlone handler(**buckets);
  ThreadPool pool(4);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  auto server = HttpServer::Start(
      {}, handler, [&](const std::string& caller, std::function<void()> work) {
        pool.Run(caller, std::move(work));
      });
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.status().ToString().c_str());
    return 1;
  }
  std::printf("%d\n", (*server)->port());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  (*server)->Stop();
  return 0;
}

}  // namespace
}  // namespace vernier

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIR\n", argv[0]);
    return 2;
  }
  return vernier::Run(argv[1]);
}
