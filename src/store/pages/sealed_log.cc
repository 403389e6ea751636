#include "store/pages/sealed_log.h"

#include <sqlite3.h>

#include <cstring>

#include "store/pages/file_write.h"
#include "store/pages/page_checksum.h"

namespace vernier {
namespace {

// A frame of the log is a header of 24 bytes and a page. SQLite writes the
// header first, with a running checksum over all frames up to this one. Sealing
// changes the page and thus the checksum, so Write holds a header back until
// its page comes, seals the page, computes the running checksum again, and
// writes both in one call.

constexpr int kLogHeaderBytes = 32;
constexpr int kSealedFrameHeaderBytes = 24;

std::uint32_t BigEndian(const unsigned char* bytes) {
  return (std::uint32_t{bytes[0]} << 24) | (std::uint32_t{bytes[1]} << 16) |
         (std::uint32_t{bytes[2]} << 8) | std::uint32_t{bytes[3]};
}

void PutBigEndian(std::uint32_t value, unsigned char* bytes) {
  for (int i = 0; i < 4; ++i) {
    bytes[i] = static_cast<unsigned char>(value >> (24 - 8 * i));
  }
}

int RawRead(sqlite3_file& file, void* data, int size, std::int64_t offset) {
  return file.pMethods->xRead(&file, data, size, offset);
}

}  // namespace

int SealedLog::Write(const void* data, int size, std::int64_t offset) {
  const auto* const bytes = static_cast<const unsigned char*>(data);
  if (offset == 0 && size == kLogHeaderBytes) return WriteHeader(bytes);
  if (page_size_ == 0) {
    const int code = ReadHeader();
    if (code != SQLITE_OK) return code;
  }
  const bool is_page = size == page_size_;
  if (is_page && held_offset_ &&
      offset == *held_offset_ + kSealedFrameHeaderBytes) {
    return WriteFrame(bytes);
  }
  const int code = Flush();
  if (code != SQLITE_OK) return code;
  if (size == kSealedFrameHeaderBytes && IsFrame(offset)) {
    // The header contains a checksum over its page, so it waits until the page
    // is sealed.
    std::memcpy(held_, data, kSealedFrameHeaderBytes);
    held_offset_ = offset;
    return SQLITE_OK;
  }
  next_frame_ = -1;
  if (is_page && IsFrame(offset - kSealedFrameHeaderBytes)) {
    return WritePage(bytes, offset);
  }
  return WriteToFile(file_, data, size, offset);
}

int SealedLog::Read(void* data, int size, std::int64_t offset) {
  int code = Flush();
  if (code == SQLITE_OK) code = RawRead(file_, data, size, offset);
  if (code != SQLITE_OK || offset == 0) return code;
  if (page_size_ == 0) code = ReadHeader();
  if (code != SQLITE_OK || size != page_size_ ||
      !IsFrame(offset - kSealedFrameHeaderBytes)) {
    return code;
  }
  unsigned char number[4];
  code =
      RawRead(file_, number, sizeof number, offset - kSealedFrameHeaderBytes);
  if (code != SQLITE_OK) return code;
  return IsSealed(static_cast<const unsigned char*>(data),
                  static_cast<std::size_t>(size), BigEndian(number))
             ? SQLITE_OK
             : SQLITE_IOERR_DATA;
}

int SealedLog::Flush() {
  if (!held_offset_) return SQLITE_OK;
  const std::int64_t offset = *held_offset_;
  held_offset_.reset();
  next_frame_ = -1;
  return WriteToFile(file_, held_, kSealedFrameHeaderBytes, offset);
}

bool SealedLog::IsFrame(std::int64_t offset) const {
  return offset >= kLogHeaderBytes &&
         (offset - kLogHeaderBytes) % (kSealedFrameHeaderBytes + page_size_) ==
             0;
}

int SealedLog::ReadHeader() {
  unsigned char header[kLogHeaderBytes];
  const int code = RawRead(file_, header, sizeof header, 0);
  if (code != SQLITE_OK) return code;
  page_size_ = BigEndian(header + 8);
  is_big_endian_ = (header[3] & 1) != 0;
  return SQLITE_OK;
}

// Called when SQLite starts the log, or starts it again.
int SealedLog::WriteHeader(const unsigned char* header) {
  held_offset_.reset();
  page_size_ = BigEndian(header + 8);
  is_big_endian_ = (header[3] & 1) != 0;
  next_frame_ = 0;
  sum_ = {BigEndian(header + 24), BigEndian(header + 28)};
  return WriteToFile(file_, header, kLogHeaderBytes, 0);
}

// Writes a page after its header, which was held back until now.
int SealedLog::WriteFrame(const unsigned char* page) {
  const std::int64_t offset = *held_offset_;
  held_offset_.reset();
  const std::int64_t frame =
      (offset - kLogHeaderBytes) / (kSealedFrameHeaderBytes + page_size_);
  Sum sum;
  const int code = FindSum(frame, &sum);
  if (code != SQLITE_OK) return code;
  const auto page_bytes = static_cast<std::size_t>(page_size_);
  buffer_.resize(kSealedFrameHeaderBytes + page_bytes);
  unsigned char* const header = buffer_.data();
  unsigned char* const sealed = header + kSealedFrameHeaderBytes;
  std::memcpy(header, held_, kSealedFrameHeaderBytes);
  std::memcpy(sealed, page, page_bytes);
  newest_.page = BigEndian(header);
  SealPage(sealed, page_bytes, newest_.page);
  std::memcpy(&newest_.seal, sealed + page_bytes - kChecksumBytes,
              kChecksumBytes);
  Add(header, 8, &sum);
  Add(sealed, page_size_, &sum);
  PutBigEndian(sum.first, header + 16);
  PutBigEndian(sum.second, header + 20);
  next_frame_ = frame + 1;
  sum_ = sum;
  return WriteToFile(file_, header,
                     kSealedFrameHeaderBytes + static_cast<int>(page_size_),
                     offset);
}

// Replaces a page of the same transaction. When it commits, SQLite reads the
// log from there on and computes the headers again.
int SealedLog::WritePage(const unsigned char* page, std::int64_t offset) {
  unsigned char number[4];
  const int code =
      RawRead(file_, number, sizeof number, offset - kSealedFrameHeaderBytes);
  if (code != SQLITE_OK) return code;
  buffer_.assign(page, page + page_size_);
  SealPage(buffer_.data(), buffer_.size(), BigEndian(number));
  if (newest_.page == BigEndian(number)) {
    std::memcpy(&newest_.seal, buffer_.data() + page_size_ - kChecksumBytes,
                kChecksumBytes);
  }
  return WriteToFile(file_, buffer_.data(), static_cast<int>(page_size_),
                     offset);
}

// Finds the running checksum up to the frame before `frame`. Unless that frame
// was the last one written, it is read from the disk, since SQLite may have
// rolled frames back.
int SealedLog::FindSum(std::int64_t frame, Sum* sum) {
  if (frame == next_frame_) {
    *sum = sum_;
    return SQLITE_OK;
  }
  unsigned char stored[8];
  const std::int64_t offset =
      frame == 0
          ? 24
          : kLogHeaderBytes +
                (frame - 1) * (kSealedFrameHeaderBytes + page_size_) + 16;
  const int code = RawRead(file_, stored, sizeof stored, offset);
  *sum = {BigEndian(stored), BigEndian(stored + 4)};
  return code;
}

void SealedLog::Add(const unsigned char* bytes, std::int64_t size,
                    Sum* sum) const {
  for (std::int64_t i = 0; i < size; i += 8) {
    std::uint32_t words[2] = {BigEndian(bytes + i), BigEndian(bytes + i + 4)};
    if (!is_big_endian_) {
      words[0] = __builtin_bswap32(words[0]);
      words[1] = __builtin_bswap32(words[1]);
    }
    sum->first += words[0] + sum->second;
    sum->second += words[1] + sum->first;
  }
}

}  // namespace vernier
