#include "store/foreign/open_file_vfs.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// An open file, as SQLite knows it.
struct OpenFile {
  sqlite3_file base;
  int fd;  // -1: an empty file, which is the log that is not there.
};

int FdOf(sqlite3_file* file) { return reinterpret_cast<OpenFile*>(file)->fd; }

int CloseNothing(sqlite3_file* /*file*/) { return SQLITE_OK; }

int ReadOpenFile(sqlite3_file* file, void* data, int size,
                 sqlite3_int64 offset) {
  auto* const bytes = static_cast<char*>(data);
  int length = 0;
  while (FdOf(file) >= 0 && length < size) {
    const ssize_t n =
        ::pread(FdOf(file), bytes + length,
                static_cast<std::size_t>(size - length), offset + length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SQLITE_IOERR_READ;
    if (n == 0) break;
    length += static_cast<int>(n);
  }
  if (length == size) return SQLITE_OK;
  std::memset(bytes + length, 0, static_cast<std::size_t>(size - length));
  return SQLITE_IOERR_SHORT_READ;
}

int RefuseWrite(sqlite3_file* /*file*/, const void* /*data*/, int /*size*/,
                sqlite3_int64 /*offset*/) {
  return SQLITE_READONLY;
}
int RefuseTruncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) {
  return SQLITE_READONLY;
}
int SyncNothing(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }

int SizeOfOpenFile(sqlite3_file* file, sqlite3_int64* size) {
  struct stat info {};
  if (FdOf(file) >= 0 && ::fstat(FdOf(file), &info) != 0) {
    return SQLITE_IOERR_FSTAT;
  }
  *size = info.st_size;
  return SQLITE_OK;
}

int LockNothing(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
int SeeNoLock(sqlite3_file* /*file*/, int* out) {
  *out = 0;
  return SQLITE_OK;
}
int KnowNoControl(sqlite3_file* /*file*/, int /*operation*/,
                  void* /*argument*/) {
  return SQLITE_NOTFOUND;
}
int SectorSizeOf(sqlite3_file* /*file*/) { return 4096; }
int NoCharacteristics(sqlite3_file* /*file*/) { return 0; }

// Version 1 has no shared memory and no mapped pages.
constexpr sqlite3_io_methods kOpenFileMethods = {
    .iVersion = 1,
    .xClose = &CloseNothing,
    .xRead = &ReadOpenFile,
    .xWrite = &RefuseWrite,
    .xTruncate = &RefuseTruncate,
    .xSync = &SyncNothing,
    .xFileSize = &SizeOfOpenFile,
    .xLock = &LockNothing,
    .xUnlock = &LockNothing,
    .xCheckReservedLock = &SeeNoLock,
    .xFileControl = &KnowNoControl,
    .xSectorSize = &SectorSizeOf,
    .xDeviceCharacteristics = &NoCharacteristics,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

const OpenFileVfs& OwnerOf(sqlite3_vfs* vfs) {
  return *static_cast<const OpenFileVfs*>(vfs->pAppData);
}

int OpenKnownFile(sqlite3_vfs* vfs, const char* /*name*/, sqlite3_file* file,
                  int flags, int* out_flags) {
  const bool is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  file->pMethods = nullptr;
  if (!is_database && (flags & SQLITE_OPEN_WAL) == 0) return SQLITE_CANTOPEN;
  reinterpret_cast<OpenFile*>(file)->fd =
      is_database ? OwnerOf(vfs).database() : OwnerOf(vfs).log();
  file->pMethods = &kOpenFileMethods;
  if (out_flags != nullptr) *out_flags = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

int RefuseDelete(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) {
  return SQLITE_IOERR_DELETE;
}

int IsKnownFile(sqlite3_vfs* vfs, const char* name, int /*flags*/, int* out) {
  *out = absl::EndsWith(name, "-wal") && OwnerOf(vfs).log() >= 0 ? 1 : 0;
  return SQLITE_OK;
}

int KeepName(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
  const std::size_t length = std::strlen(name);
  if (length >= static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
  std::memcpy(out, name, length + 1);
  return SQLITE_OK;
}

}  // namespace

struct OpenFileVfs::Registration {
  sqlite3_vfs vfs{};
};

OpenFileVfs::OpenFileVfs(int database, int log)
    : database_(database),
      log_(log),
      name_(absl::StrCat("vernier-open-files-",
                         reinterpret_cast<std::uintptr_t>(this))),
      registration_(std::make_unique<Registration>()) {
  // Time and chance are the system's.
  const sqlite3_vfs* const base = sqlite3_vfs_find(nullptr);
  if (base == nullptr) return;
  sqlite3_vfs& vfs = registration_->vfs;
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(OpenFile);
  vfs.mxPathname = 64;
  vfs.zName = name_.c_str();
  vfs.pAppData = this;
  vfs.xOpen = &OpenKnownFile;
  vfs.xDelete = &RefuseDelete;
  vfs.xAccess = &IsKnownFile;
  vfs.xFullPathname = &KeepName;
  vfs.xRandomness = base->xRandomness;
  vfs.xSleep = base->xSleep;
  vfs.xCurrentTime = base->xCurrentTime;
  vfs.xGetLastError = base->xGetLastError;
  sqlite3_vfs_register(&vfs, 0);
}

OpenFileVfs::~OpenFileVfs() { sqlite3_vfs_unregister(&registration_->vfs); }

}  // namespace vernier
