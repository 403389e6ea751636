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

/// Which connections there are, and which one gives way to another when room is
/// needed. A connection is idle while it serves no request of somebody who may
/// call: the one that has been idle longest goes first. If none is idle, the
/// one goes whose request's body has not got on for longest; a body that is
/// whole, and what is done about it, is waited for. So nobody locks others out
/// by connecting, nor by promising bodies. Not thread-safe.
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
  /// it, whatever the limits say, and from then on there are no more than at
  /// that moment, until half of them have gone. `close` ends it; it may be
  /// called from any thread, once.
  Admission Add(const std::string& address, bool needs_room, Close close);

  /// It takes the body of a request; to be called again when the body got on.
  /// False if it has had to go.
  bool SetReceiving(std::uint64_t number);
  /// It serves a request that is whole. False if it has had to go.
  bool SetBusy(std::uint64_t number);
  /// It has served it. Nothing happens if it has had to go.
  void SetIdle(std::uint64_t number);
  /// It is closed. Idempotent.
  void Remove(std::uint64_t number);

  /// What closes each of them.
  std::vector<Close> All() const;

 private:
  // In the order in which they go; who is busy does not.
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
  // What room was found to be used up by. The descriptor of the one that gave
  // way goes to the next, which then seems to need no room: without this limit
  // every second connection would be one more.
  std::size_t found_limit_ = SIZE_MAX;
  std::uint64_t last_ = 0;
  std::uint64_t turns_ = 0;
  std::map<std::uint64_t, Entry> entries_;
  std::map<std::string, int> by_address_;
  // State, since and number of those that may have to go.
  std::set<std::tuple<State, std::uint64_t, std::uint64_t>> going_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONNECTION_TABLE_H_
