#include "tests/store/faulty_vfs.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>

#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

// An open file: ours in front, the system's behind it in the same memory.
struct FaultyFile {
  sqlite3_file base;
  FaultyVfs* owner;

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

FaultyFile* Ours(sqlite3_file* file) {
  return reinterpret_cast<FaultyFile*>(file);
}
sqlite3_file* Real(sqlite3_file* file) { return Ours(file)->real(); }

int Close(sqlite3_file* file) {
  return Real(file)->pMethods->xClose(Real(file));
}
int Read(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
  return Real(file)->pMethods->xRead(Real(file), data, size, offset);
}
int Write(sqlite3_file* file, const void* data, int size,
          sqlite3_int64 offset) {
  const int code = Ours(file)->owner->NextCode(FaultyVfs::Operation::kWrite);
  if (code != 0) return code;
  return Real(file)->pMethods->xWrite(Real(file), data, size, offset);
}
int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  return Real(file)->pMethods->xTruncate(Real(file), size);
}
int Sync(sqlite3_file* file, int flags) {
  const int code = Ours(file)->owner->NextCode(FaultyVfs::Operation::kSync);
  if (code != 0) return code;
  return Real(file)->pMethods->xSync(Real(file), flags);
}
int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Real(file)->pMethods->xFileSize(Real(file), size);
}
int Lock(sqlite3_file* file, int level) {
  return Real(file)->pMethods->xLock(Real(file), level);
}
int Unlock(sqlite3_file* file, int level) {
  return Real(file)->pMethods->xUnlock(Real(file), level);
}
int CheckReservedLock(sqlite3_file* file, int* out) {
  return Real(file)->pMethods->xCheckReservedLock(Real(file), out);
}
int FileControl(sqlite3_file* file, int operation, void* argument) {
  const int error = Ours(file)->owner->last_errno();
  if (operation == SQLITE_FCNTL_LAST_ERRNO && error != 0) {
    *static_cast<int*>(argument) = error;
    return SQLITE_OK;
  }
  return Real(file)->pMethods->xFileControl(Real(file), operation, argument);
}
int SectorSize(sqlite3_file* file) {
  return Real(file)->pMethods->xSectorSize(Real(file));
}
int DeviceCharacteristics(sqlite3_file* file) {
  return Real(file)->pMethods->xDeviceCharacteristics(Real(file));
}

// Version 1: no shared memory, which an EXCLUSIVE connection does not need.
const sqlite3_io_methods kMethods = {1,
                                     Close,
                                     Read,
                                     Write,
                                     Truncate,
                                     Sync,
                                     FileSize,
                                     Lock,
                                     Unlock,
                                     CheckReservedLock,
                                     FileControl,
                                     SectorSize,
                                     DeviceCharacteristics,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr};

}  // namespace

struct FaultyVfs::Registration {
  sqlite3_vfs vfs;
  sqlite3_vfs* real;
  FaultyVfs* owner;
};

FaultyVfs::FaultyVfs(const std::string& name)
    : name_(name), registration_(std::make_unique<Registration>()) {
  sqlite3_vfs* real = sqlite3_vfs_find(nullptr);
  registration_->real = real;
  registration_->owner = this;
  sqlite3_vfs& vfs = registration_->vfs;
  vfs = *real;  // All that is not said below is the system's.
  vfs.pNext = nullptr;
  vfs.zName = name_.c_str();
  vfs.szOsFile = static_cast<int>(sizeof(FaultyFile)) + real->szOsFile;
  vfs.xOpen = [](sqlite3_vfs* self, sqlite3_filename path, sqlite3_file* file,
                 int flags, int* out_flags) {
    auto* registration = reinterpret_cast<Registration*>(self);
    Ours(file)->owner = registration->owner;
    Ours(file)->base.pMethods = nullptr;
    const int code = registration->real->xOpen(registration->real, path,
                                               Real(file), flags, out_flags);
    if (code == SQLITE_OK) Ours(file)->base.pMethods = &kMethods;
    return code;
  };
  if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) std::abort();
}

FaultyVfs::~FaultyVfs() { sqlite3_vfs_unregister(&registration_->vfs); }

void FaultyVfs::FailFrom(Operation operation, int n, int code, int last_errno) {
  was_reached_ = false;
  last_errno_ = last_errno;
  operation_ = operation;
  left_ = n;
  code_ = code;
}

void FaultyVfs::Heal() {
  code_ = 0;
  last_errno_ = 0;
}

int FaultyVfs::NextCode(Operation operation) {
  const int code = code_;
  if (code == 0 || operation != operation_) return 0;
  if (left_ > 1) {
    --left_;
    return 0;
  }
  was_reached_ = true;
  return code;
}

namespace {

TEST(FaultyVfsTest, FailsFromTheGivenWriteOn) {
  const TemporaryFolder folder;
  FaultyVfs vfs("fails");
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open_v2(folder.database().c_str(), &handle,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            vfs.name().c_str()),
            SQLITE_OK);
  const auto run = [&](const char* sql) {
    return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(run("CREATE TABLE t (x)"), SQLITE_OK);
  vfs.FailFrom(FaultyVfs::Operation::kWrite, 1, SQLITE_IOERR_WRITE);
  EXPECT_EQ(run("INSERT INTO t VALUES (1)"), SQLITE_IOERR);
  EXPECT_TRUE(vfs.was_reached());
  vfs.Heal();
  EXPECT_EQ(run("INSERT INTO t VALUES (1)"), SQLITE_OK);
  sqlite3_close(handle);
}

}  // namespace
}  // namespace vernier
