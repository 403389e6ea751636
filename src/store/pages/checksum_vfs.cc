#include "store/pages/checksum_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "store/pages/file_write.h"
#include "store/pages/page_checksum.h"
#include "store/pages/sealed_log.h"

namespace vernier {
namespace {

// A VFS is a set of C functions, and each open file is a struct that begins
// with sqlite3_file. Our struct comes first, and the file of the VFS below
// follows in the same memory. Most methods only call the method below. Reading
// and writing a database check and set checksums, and the methods of its log go
// through a SealedLog, which may hold bytes back.

// An open database file. The file of the VFS below follows it in memory.
struct ChecksumFile {
  sqlite3_file base;
  ChecksumVfs* owner;
  const char* path;  // SQLite keeps it as long as the file is open.
  bool has_checksums;

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

ChecksumFile* Ours(sqlite3_file* file) {
  return reinterpret_cast<ChecksumFile*>(file);
}
sqlite3_file* Real(sqlite3_file* file) { return Ours(file)->real(); }

constexpr char kDatabaseMagic[] = "SQLite format 3";
constexpr int kReservedByte = 20;  // Of the header: how many are reserved.

bool HeaderHasChecksums(const void* header) {
  return std::memcmp(header, kDatabaseMagic, sizeof kDatabaseMagic) == 0 &&
         static_cast<const unsigned char*>(header)[kReservedByte] ==
             kChecksumBytes;
}

// SQLite reads and writes a database in whole pages, except for the header.
bool IsPage(int size, sqlite3_int64 offset) {
  return size >= 512 && std::has_single_bit(static_cast<unsigned>(size)) &&
         offset % size == 0;
}

int Close(sqlite3_file* file) {
  return Real(file)->pMethods->xClose(Real(file));
}

int Read(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
  const int code = Real(file)->pMethods->xRead(Real(file), data, size, offset);
  if (code != SQLITE_OK || !Ours(file)->has_checksums ||
      !IsPage(size, offset)) {
    return code;
  }
  const sqlite3_int64 number = offset / size + 1;
  if (IsSealed(static_cast<const unsigned char*>(data),
               static_cast<std::size_t>(size), number)) {
    return SQLITE_OK;
  }
  Ours(file)->owner->ReportFault(Ours(file)->path, number);
  return SQLITE_IOERR_DATA;
}

int Write(sqlite3_file* file, const void* data, int size,
          sqlite3_int64 offset) {
  if (IsPage(size, offset)) {
    // The new header decides from now on: SQLite writes page 1 first.
    if (offset == 0) Ours(file)->has_checksums = HeaderHasChecksums(data);
    if (Ours(file)->has_checksums) {
      // The page is copied, since these bytes are SQLite's own cache.
      const auto bytes = static_cast<std::size_t>(size);
      unsigned char* const page = Ours(file)->owner->Buffer(bytes);
      std::memcpy(page, data, bytes);
      SealPage(page, bytes, offset / size + 1);
      return WriteToFile(*Real(file), page, size, offset);
    }
  }
  return WriteToFile(*Real(file), data, size, offset);
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  // An emptied file gets checksums from then on, like a new one.
  if (size == 0) Ours(file)->has_checksums = true;
  return Real(file)->pMethods->xTruncate(Real(file), size);
}
int Sync(sqlite3_file* file, int flags) {
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
  return Real(file)->pMethods->xFileControl(Real(file), operation, argument);
}
int SectorSize(sqlite3_file* file) {
  return Real(file)->pMethods->xSectorSize(Real(file));
}
int DeviceCharacteristics(sqlite3_file* file) {
  // Without this flag SQLite pads the log to whole sectors and splits frames
  // for that, which SealedLog cannot handle. The system's VFS sets it, too.
  return Real(file)->pMethods->xDeviceCharacteristics(Real(file)) |
         SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}
int ShmMap(sqlite3_file* file, int page, int size, int extend,
           void volatile** out) {
  return Real(file)->pMethods->xShmMap(Real(file), page, size, extend, out);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Real(file)->pMethods->xShmLock(Real(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) {
  Real(file)->pMethods->xShmBarrier(Real(file));
}
int ShmUnmap(sqlite3_file* file, int remove) {
  return Real(file)->pMethods->xShmUnmap(Real(file), remove);
}

// An open log file. The file of the VFS below follows it in memory. Its
// database decides if pages are sealed.
struct LogFile {
  sqlite3_file base;
  ChecksumVfs* owner;
  const char* path;
  ChecksumFile* database;
  SealedLog* log;  // Owned; SQLite made this struct and will not unmake it.

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  bool is_sealed() const { return database->has_checksums; }
};

LogFile* AsLog(sqlite3_file* file) { return reinterpret_cast<LogFile*>(file); }

int CloseLog(sqlite3_file* file) {
  const std::unique_ptr<SealedLog> log(AsLog(file)->log);
  const int flushed = log->Flush();
  sqlite3_file* const real = AsLog(file)->real();
  const int closed = real->pMethods->xClose(real);
  return flushed == SQLITE_OK ? closed : flushed;
}

int ReadLog(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
  LogFile* const ours = AsLog(file);
  if (!ours->is_sealed()) {
    return ours->real()->pMethods->xRead(ours->real(), data, size, offset);
  }
  const int code = ours->log->Read(data, size, offset);
  if (code == SQLITE_IOERR_DATA)
    ours->owner->ReportFault(ours->path, offset / (size + 24) + 1);
  return code;
}

int WriteLog(sqlite3_file* file, const void* data, int size,
             sqlite3_int64 offset) {
  LogFile* const ours = AsLog(file);
  if (!ours->is_sealed()) {
    return WriteToFile(*ours->real(), data, size, offset);
  }
  const int code = ours->log->Write(data, size, offset);
  if (code == SQLITE_OK) ours->owner->set_newest_frame(ours->log->newest());
  return code;
}

// Writes the held-back bytes, then calls a method of the file below.
template <typename Method, typename... Arguments>
int AfterFlush(sqlite3_file* file, Method method, Arguments... arguments) {
  const int code = AsLog(file)->log->Flush();
  if (code != SQLITE_OK) return code;
  sqlite3_file* const real = AsLog(file)->real();
  return (real->pMethods->*method)(real, arguments...);
}

int TruncateLog(sqlite3_file* file, sqlite3_int64 size) {
  return AfterFlush(file, &sqlite3_io_methods::xTruncate, size);
}
int SyncLog(sqlite3_file* file, int flags) {
  return AfterFlush(file, &sqlite3_io_methods::xSync, flags);
}
int SizeOfLog(sqlite3_file* file, sqlite3_int64* size) {
  return AfterFlush(file, &sqlite3_io_methods::xFileSize, size);
}
int LockLog(sqlite3_file* file, int level) {
  return AfterFlush(file, &sqlite3_io_methods::xLock, level);
}
int UnlockLog(sqlite3_file* file, int level) {
  return AfterFlush(file, &sqlite3_io_methods::xUnlock, level);
}
int CheckLockOfLog(sqlite3_file* file, int* out) {
  return AfterFlush(file, &sqlite3_io_methods::xCheckReservedLock, out);
}
int ControlLog(sqlite3_file* file, int operation, void* argument) {
  return AfterFlush(file, &sqlite3_io_methods::xFileControl, operation,
                    argument);
}
int SectorSizeOfLog(sqlite3_file* file) {
  sqlite3_file* const real = AsLog(file)->real();
  return real->pMethods->xSectorSize(real);
}
int CharacteristicsOfLog(sqlite3_file* file) {
  sqlite3_file* const real = AsLog(file)->real();
  return real->pMethods->xDeviceCharacteristics(real);
}

constexpr sqlite3_io_methods kLogMethods = {1,
                                            CloseLog,
                                            ReadLog,
                                            WriteLog,
                                            TruncateLog,
                                            SyncLog,
                                            SizeOfLog,
                                            LockLog,
                                            UnlockLog,
                                            CheckLockOfLog,
                                            ControlLog,
                                            SectorSizeOfLog,
                                            CharacteristicsOfLog,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr};

// Methods of a database. Neither set has xFetch, because mapped memory would be
// read without a check of the checksums.
constexpr sqlite3_io_methods Methods(int version) {
  return {version,
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
          ShmMap,
          ShmLock,
          ShmBarrier,
          ShmUnmap,
          nullptr,
          nullptr};
}
constexpr sqlite3_io_methods kWithoutSharedMemory = Methods(1);
constexpr sqlite3_io_methods kWithSharedMemory = Methods(2);

// A new file gets checksums; any other has them if its header says so.
bool HasChecksums(sqlite3_file* real) {
  sqlite3_int64 size = 0;
  if (real->pMethods->xFileSize(real, &size) != SQLITE_OK) return false;
  if (size == 0) return true;
  unsigned char header[kReservedByte + 1] = {};
  return real->pMethods->xRead(real, header, sizeof header, 0) == SQLITE_OK &&
         HeaderHasChecksums(header);
}

}  // namespace

struct ChecksumVfs::Registration {
  sqlite3_vfs vfs;
  sqlite3_vfs* real;
  ChecksumVfs* owner;

  static int Open(sqlite3_vfs* self, sqlite3_filename path, sqlite3_file* file,
                  int flags, int* out_flags) {
    auto* const registration = reinterpret_cast<Registration*>(self);
    if ((flags & SQLITE_OPEN_WAL) != 0) {
      return OpenLog(*registration, path, file, flags, out_flags);
    }
    sqlite3_vfs* const real = registration->real;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) {
      return real->xOpen(real, path, file, flags, out_flags);
    }
    ChecksumFile* const ours = Ours(file);
    // SQLite closes a file that has methods, even if it could not be opened.
    ours->base.pMethods = nullptr;
    const int code = real->xOpen(real, path, ours->real(), flags, out_flags);
    if (code != SQLITE_OK) return code;
    ours->owner = registration->owner;
    ours->path = path;
    ours->has_checksums = HasChecksums(ours->real());
    ours->base.pMethods = ours->real()->pMethods->iVersion >= 2
                              ? &kWithSharedMemory
                              : &kWithoutSharedMemory;
    return SQLITE_OK;
  }

  static int OpenLog(const Registration& registration, sqlite3_filename path,
                     sqlite3_file* file, int flags, int* out_flags) {
    LogFile* const ours = AsLog(file);
    ours->base.pMethods = nullptr;
    const int code = registration.real->xOpen(registration.real, path,
                                              ours->real(), flags, out_flags);
    if (code != SQLITE_OK) return code;
    ours->owner = registration.owner;
    ours->path = path;
    ours->database = Ours(sqlite3_database_file_object(path));
    ours->log = std::make_unique<SealedLog>(ours->real()).release();
    ours->base.pMethods = &kLogMethods;
    return SQLITE_OK;
  }
};

ChecksumVfs::ChecksumVfs(const std::string& base)
    : registration_(std::make_unique<Registration>()) {
  sqlite3_vfs* const real =
      sqlite3_vfs_find(base.empty() ? nullptr : base.c_str());
  if (real == nullptr) return;
  // Names are global in SQLite, and each connection has a VFS of its own, which
  // keeps its faults.
  const std::string name = absl::StrCat(
      "checksums-", reinterpret_cast<std::uintptr_t>(registration_.get()));
  registration_->real = real;
  registration_->owner = this;
  name_ = name;
  sqlite3_vfs& vfs = registration_->vfs;
  vfs = *real;  // Fields that are not set here are those of the VFS below.
  vfs.pNext = nullptr;
  vfs.zName = name_.c_str();
  vfs.szOsFile =
      static_cast<int>(std::max(sizeof(ChecksumFile), sizeof(LogFile))) +
      real->szOsFile;
  vfs.xOpen = &Registration::Open;
  if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) name_.clear();
}

ChecksumVfs::~ChecksumVfs() {
  if (!name_.empty()) sqlite3_vfs_unregister(&registration_->vfs);
}

void ChecksumVfs::ReportFault(const char* path, std::int64_t page) {
  if (!fault_.empty()) return;
  fault_ = absl::StrCat("page ", page, " of ", path == nullptr ? "" : path,
                        " does not match its checksum");
}

unsigned char* ChecksumVfs::Buffer(std::size_t size) {
  if (buffer_.size() < size) buffer_.resize(size);
  return buffer_.data();
}

}  // namespace vernier
