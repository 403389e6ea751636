#ifndef VERNIER_STORE_FOREIGN_OPEN_FILE_VFS_H_
#define VERNIER_STORE_FOREIGN_OPEN_FILE_VFS_H_

#include <memory>
#include <string>

namespace vernier {

/// A SQLite VFS that reads a database and its write-ahead log by descriptors
/// that are open already. It opens, makes, locks, changes and removes no file:
/// writes fail, locks do nothing, and there is no memory that processes share.
///
/// It is registered while it lives, under a unique name; it must outlive the
/// connections that use it. Not thread-safe: one connection owns it.
class OpenFileVfs {
 public:
  /// The name by which a connection opens the database.
  static constexpr char kFileName[] = "database";

  /// Borrows the descriptors; `log` is -1 if there is no log.
  OpenFileVfs(int database, int log);
  ~OpenFileVfs();
  OpenFileVfs(const OpenFileVfs&) = delete;
  OpenFileVfs& operator=(const OpenFileVfs&) = delete;

  const std::string& name() const { return name_; }
  int database() const { return database_; }
  int log() const { return log_; }

 private:
  struct Registration;

  const int database_;
  const int log_;
  std::string name_;
  std::unique_ptr<Registration> registration_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_FOREIGN_OPEN_FILE_VFS_H_
