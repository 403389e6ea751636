#ifndef VERNIER_HTTP_SERVER_STATE_H_
#define VERNIER_HTTP_SERVER_STATE_H_

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "http/connection_table.h"
#include "http/http_handler.h"
#include "http/http_server_options.h"

namespace vernier {

/// State that all connections of one server share. Thread-safe.
class ServerState {
 public:
  ServerState(const HttpServerOptions& server_options, HttpHandler& served,
              HttpExecutor executor)
      : options(server_options),
        handler(served),
        executor_(std::move(executor)),
        connections_({server_options.max_connections,
                      server_options.max_connections_per_address}) {}

  const HttpServerOptions& options;
  HttpHandler& handler;
  const SystemClock clock;

  /// Runs `work` of a caller on a worker; WaitForWorkers waits for it. An
  /// exception in `work` is dropped.
  void RunOnWorker(std::string_view caller, std::function<void()> work) {
    {
      MutexLock lock(mu_);
      ++working_;
    }
    executor_(std::string(caller), [this, work = std::move(work)]() mutable {
      try {
        work();
      } catch (const std::exception&) {
        // For example out of memory: its connection goes, and the others stay.
      }
      // `work` may hold the last reference to a connection, whose destructor
      // calls Leave. That must happen before the waiting thread continues.
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

  /// Counts a connection from an address as ClientAddress returns it. Returns
  /// its number, or 0 if there is no room. Another connection may have to give
  /// way to it; with `needs_room` one always has to. Any thread may call
  /// `close`.
  std::uint64_t Enter(const std::string& address, bool needs_room,
                      std::function<void()> close) {
    ConnectionTable::Admission admission;
    {
      MutexLock lock(mu_);
      if (closed_) return 0;
      admission = connections_.Add(address, needs_room, std::move(close));
    }
    if (admission.give_way) admission.give_way();
    return admission.number;
  }

  /// Notes that the connection receives the body of a request; call it again
  /// when the body progresses. Returns false if the connection had to give way
  /// meanwhile.
  bool BeginBody(std::uint64_t connection) {
    MutexLock lock(mu_);
    return connections_.SetReceiving(connection);
  }
  /// Notes that the connection serves a whole request from now on, and stays
  /// until EndRequest. Returns false if it had to give way meanwhile.
  bool BeginRequest(std::uint64_t connection) {
    MutexLock lock(mu_);
    return connections_.SetBusy(connection);
  }
  void EndRequest(std::uint64_t connection) {
    MutexLock lock(mu_);
    connections_.SetIdle(connection);
  }

  void Leave(std::uint64_t connection) {
    MutexLock lock(mu_);
    connections_.Remove(connection);
  }

  /// Closes all connections, and every new one from now on.
  void CloseAll() {
    std::vector<std::function<void()>> closes;
    {
      MutexLock lock(mu_);
      closed_ = true;
      closes = connections_.All();
    }
    for (const auto& close : closes) close();
  }

 private:
  const HttpExecutor executor_;
  Mutex mu_;
  std::condition_variable_any idle_;
  int working_ VERNIER_GUARDED_BY(mu_) = 0;
  bool closed_ VERNIER_GUARDED_BY(mu_) = false;
  ConnectionTable connections_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_HTTP_SERVER_STATE_H_
