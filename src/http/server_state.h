#ifndef VERNIER_HTTP_SERVER_STATE_H_
#define VERNIER_HTTP_SERVER_STATE_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "http/http_server.h"
#include "study/mutex.h"

namespace vernier {

/// What all connections of one server share. Thread-safe.
class ServerState {
 public:
  ServerState(const HttpServerOptions& server_options, HttpHandler& served,
              HttpServer::Executor executor)
      : options(server_options),
        handler(served),
        executor_(std::move(executor)) {}

  const HttpServerOptions& options;
  HttpHandler& handler;

  /// Runs `work` on a worker; WaitForWorkers waits for it.
  void RunOnWorker(std::function<void()> work) {
    {
      MutexLock lock(mu_);
      ++working_;
    }
    executor_([this, work = std::move(work)]() mutable {
      work();
      // It may hold the last reference to a connection, which calls Leave when
      // it goes: that must not come after whoever waits has gone on.
      work = nullptr;
      MutexLock lock(mu_);
      --working_;
      idle_.notify_all();
    });
  }

  void WaitForWorkers() {
    mu_.lock();
    while (working_ > 0) idle_.wait(mu_);
    mu_.unlock();
  }

  /// Counts a connection in; 0 if there are too many, else its number for Leave
  /// and CloseAll, which calls `close`.
  std::uint64_t Enter(std::function<void()> close) {
    MutexLock lock(mu_);
    if (closed_ || connections_.size() >=
                       static_cast<std::size_t>(options.max_connections)) {
      return 0;
    }
    connections_.emplace(++last_, std::move(close));
    return last_;
  }

  void Leave(std::uint64_t connection) {
    MutexLock lock(mu_);
    connections_.erase(connection);
  }

  /// Closes all connections, and from now on every new one.
  void CloseAll() {
    std::vector<std::function<void()>> closes;
    {
      MutexLock lock(mu_);
      closed_ = true;
      for (auto& [number, close] : connections_) closes.push_back(close);
    }
    for (const auto& close : closes) close();
  }

 private:
  const HttpServer::Executor executor_;
  Mutex mu_;
  std::condition_variable_any idle_;
  int working_ VERNIER_GUARDED_BY(mu_) = 0;
  bool closed_ VERNIER_GUARDED_BY(mu_) = false;
  std::uint64_t last_ VERNIER_GUARDED_BY(mu_) = 0;
  std::map<std::uint64_t, std::function<void()>> connections_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_HTTP_SERVER_STATE_H_
