#ifndef VERNIER_HTTP_CONNECTION_COUNT_H_
#define VERNIER_HTTP_CONNECTION_COUNT_H_

#include <map>
#include <string>

namespace vernier {

/// How many connections there may be at once.
struct ConnectionLimits {
  int all = 2048;
  int per_address = 1024;
};

/// Counts connections by the address they come from. Not thread-safe.
class ConnectionCount {
 public:
  explicit ConnectionCount(const ConnectionLimits& limits) : limits_(limits) {}

  /// Counts one more; false if that is one too many.
  bool Add(const std::string& address) {
    if (all_ >= limits_.all) return false;
    int& of_address = by_address_[address];
    if (of_address >= limits_.per_address) return false;
    ++of_address;
    ++all_;
    return true;
  }

  /// One that was counted is gone.
  void Remove(const std::string& address) {
    const auto found = by_address_.find(address);
    --all_;
    if (--found->second == 0) by_address_.erase(found);
  }

 private:
  const ConnectionLimits limits_;
  int all_ = 0;
  std::map<std::string, int> by_address_;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CONNECTION_COUNT_H_
