#include "study/config/spec_error.h"

namespace vernier {

std::string FormatSpecError(const SpecError& error) {
  std::string text = error.file;
  if (error.line > 0) {
    if (!text.empty()) text += ':';
    text += std::to_string(error.line) + ":" + std::to_string(error.column);
  }
  if (!text.empty()) text += ": ";
  // The place of a value that an edit gives is its field.
  if (!error.field_path.empty() && error.field_path != error.file) {
    text += error.field_path + ": ";
  }
  return text + error.message;
}

}  // namespace vernier
