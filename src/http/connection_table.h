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

/// How many connections there may be at once.
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

  /// What Add decided.
  struct Admission {
    std::uint64_t number = 0;  ///< 0: there is no room.
    Close give_way;            ///< If set, to be called: that one has to go.
  };

  explicit ConnectionTable(const ConnectionLimits& limits) : limits_(limits) {}

  /// Adds a connection, which is idle. `needs_room`: another one has to go for
  /// it, whatever the limits say. From then on there may be no more connections
  /// than at that moment, until half of them have gone. `close` ends the
  /// connection; any thread may call it, once.
  Admission Add(const std::string& address, bool needs_room, Close close);

  /// The connection receives the body of a request. Call it again when the body
  /// gets on. False if the connection had to go.
  bool SetReceiving(std::uint64_t number);
  /// The connection serves a request that is whole. False if it had to go.
  bool SetBusy(std::uint64_t number);
  /// The request has been served. No effect if the connection had to go.
  void SetIdle(std::uint64_t number);
  /// The connection is closed. Idempotent.
  void Remove(std::uint64_t number);

  /// The functions that close them.
  std::vector<Close> All() const;

 private:
  // In the order in which connections go; a busy one does not go.
  enum class State { kIdle, kReceiving, kBusy };

  struct Entry {
    std::string address;
    Close close;
    State state = State::kBusy;
    std::uint64_t since = 0;  // Of a counter.
  };

  bool Set(std::uint64_t number, State state);
  /// The next to go, of one address or of any; 0 if there is none.
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
  // State, since and number of the connections that may have to go.
  std::set<std::tuple<State, std::uint64_t, std::uint64_t>> going_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONNECTION_TABLE_H_
