#ifndef VERNIER_HTTP_SERVER_STATE_H_
#define VERNIER_HTTP_SERVER_STATE_H_

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "http/connection_table.h"
#include "http/http_handler.h"
#include "http/http_server_options.h"

namespace vernier {

/// What all connections of one server share. Thread-safe.
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

  /// Runs `work` on a worker; WaitForWorkers waits for it. What `work` throws
  /// ends with it.
  void RunOnWorker(std::function<void()> work) {
    {
      MutexLock lock(mu_);
      ++working_;
    }
    executor_([this, work = std::move(work)]() mutable {
      try {
        work();
      } catch (const std::exception&) {
        // Out of memory, say: its connection goes, and the others stay.
      }
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

  /// Counts a connection in, from an address as ClientAddress gives it; 0 if
  /// there is no room, else its number for what follows. Another one may have
  /// to go for it. `needs_room`: one has to, in any case. `close` is called by
  /// any thread.
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

  /// The connection takes the body of a request; also to be called when the
  /// body got on. False if it has had to go meanwhile.
  bool BeginBody(std::uint64_t connection) {
    MutexLock lock(mu_);
    return connections_.SetReceiving(connection);
  }
  /// The connection serves a whole request from now on, and stays until
  /// EndRequest. False if it has had to go meanwhile.
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

  /// Closes all connections, and from now on every new one.
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
