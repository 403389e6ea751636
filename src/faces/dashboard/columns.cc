#include "faces/dashboard/columns.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace vernier {
namespace {

static_assert(std::endian::native == std::endian::little,
              "columns are sent as they lie in memory");

constexpr std::size_t kAlignment = 8;

std::string Quoted(std::string_view text) {
  return DumpJson(Json(std::string(text)));
}

void Align(std::size_t before, std::string* bytes) {
  const std::size_t over = (before + bytes->size()) % kAlignment;
  if (over > 0) bytes->append(kAlignment - over, '\0');
}

}  // namespace

void ColumnWriter::AddBytes(std::string_view name, std::string_view type,
                            const void* bytes, std::size_t size,
                            std::size_t length) {
  Align(0, &data_);
  absl::StrAppend(&columns_, columns_.empty() ? "" : ",",
                  "{\"name\":", Quoted(name), ",\"type\":\"", std::string(type),
                  "\",\"offset\":", data_.size(), ",\"length\":", length, "}");
  if (size > 0) data_.append(static_cast<const char*>(bytes), size);
}

void ColumnWriter::Add(std::string_view name,
                       const std::vector<std::uint8_t>& values) {
  AddBytes(name, "u8", values.data(), values.size(), values.size());
}

void ColumnWriter::Add(std::string_view name,
                       const std::vector<std::int32_t>& values) {
  AddBytes(name, "i32", values.data(), values.size() * sizeof(std::int32_t),
           values.size());
}

void ColumnWriter::Add(std::string_view name,
                       const std::vector<float>& values) {
  AddBytes(name, "f32", values.data(), values.size() * sizeof(float),
           values.size());
}

void ColumnWriter::Add(std::string_view name,
                       const std::vector<double>& values) {
  AddBytes(name, "f64", values.data(), values.size() * sizeof(double),
           values.size());
}

void ColumnWriter::Set(std::string_view key, std::int64_t value) {
  absl::StrAppend(&fields_, ",", Quoted(key), ":", value);
}

void ColumnWriter::Set(std::string_view key, bool value) {
  absl::StrAppend(&fields_, ",", Quoted(key), ":", value ? "true" : "false");
}

void ColumnWriter::Set(std::string_view key,
                       const std::vector<std::string>& texts) {
  absl::StrAppend(&fields_, ",", Quoted(key), ":", DumpJson(Json(texts)));
}

void ColumnWriter::SetDictionary(std::string_view column,
                                 const std::vector<std::string>& names) {
  absl::StrAppend(&dictionaries_, dictionaries_.empty() ? "" : ",",
                  Quoted(column), ":", DumpJson(Json(names)));
}

std::string ColumnWriter::Finish(std::int64_t rows) {
  constexpr std::size_t kFixed = 8;  // "VCOL" and the length.
  std::string header =
      absl::StrCat("{\"rows\":", rows, fields_, ",\"columns\":[", columns_,
                   "],\"dictionaries\":{", dictionaries_, "}}");
  const auto length = static_cast<std::uint32_t>(header.size());
  Align(kFixed, &header);
  std::string answer = "VCOL";
  answer.reserve(kFixed + header.size() + data_.size());
  answer.append(reinterpret_cast<const char*>(&length), sizeof(length));
  answer += header;
  answer += data_;
  return answer;
}

}  // namespace vernier
