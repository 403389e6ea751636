#ifndef VERNIER_HTTP_CONNECTION_TABLE_H_
#define VERNIER_HTTP_CONNECTION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace vernier {

/// The limits on simultaneous connections.
struct ConnectionLimits {
  int all = 2048;
  int per_address = 1024;
};

/// Keeps the connections, and chooses which one to close when a new one needs
/// room. A connection is idle while it serves no request of an authorized
/// caller; the one that has been idle longest is closed first. If none is idle,
/// the one is closed whose request body has made no progress for longest. A
/// request whose body is complete is never interrupted. So nobody can lock
/// others out by connecting or by announcing bodies. Not thread-safe.
class ConnectionTable {
 public:
  using Close = std::function<void()>;

  /// The decision of Add.
  struct Admission {
    std::uint64_t number = 0;  ///< 0: there is no room.
    Close give_way;            ///< If set, to be called: that one has to go.
  };

  explicit ConnectionTable(const ConnectionLimits& limits) : limits_(limits) {}

  /// Adds a connection, which is idle. With `needs_room`, another one must be
  /// closed for it, whatever the limits are. From then on there may be no more
  /// connections than at that moment, until half of them have ended. `close`
  /// ends the connection; any thread may call it, once.
  Admission Add(const std::string& address, bool needs_room, Close close);

  /// Notes that the connection receives the body of a request; call it again
  /// when the body progresses. Returns false if the connection had to give way.
  bool SetReceiving(std::uint64_t number);
  /// Notes that the connection serves a complete request. Returns false if it
  /// had to give way.
  bool SetBusy(std::uint64_t number);
  /// Notes that the request has been served. No effect if the connection had to
  /// give way.
  void SetIdle(std::uint64_t number);
  /// Notes that the connection is closed. Idempotent.
  void Remove(std::uint64_t number);

  /// Returns the functions that close the connections.
  std::vector<Close> All() const;

 private:
  // In the order in which connections give way; a busy one never does.
  enum class State { kIdle, kReceiving, kBusy };

  struct Entry {
    std::string address;
    Close close;
    State state = State::kBusy;
    std::uint64_t since = 0;  // Of a counter.
  };

  bool Set(std::uint64_t number, State state);
  /// Returns the next one to give way, of one address or of any; 0 if there is
  /// none.
  std::uint64_t NextToGo(const std::string* address) const;

  const ConnectionLimits limits_;
  // The number of connections at which descriptors ran out. A new connection
  // reuses the descriptor of the one that gave way, and so seems to need no
  // room; without this limit every second connection would be one more.
  std::size_t found_limit_ = SIZE_MAX;
  std::uint64_t last_ = 0;
  std::uint64_t turns_ = 0;
  std::map<std::uint64_t, Entry> entries_;
  std::map<std::string, int> by_address_;
  // The state, start time and number of the connections that may have to give
  // way.
  std::set<std::tuple<State, std::uint64_t, std::uint64_t>> going_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONNECTION_TABLE_H_
