#ifndef VERNIER_BASE_FOLDER_STREAM_H_
#define VERNIER_BASE_FOLDER_STREAM_H_

#include <dirent.h>

#include <memory>

namespace vernier {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// A folder whose names are read with readdir, closed at the end; null if it
/// could not be opened.
using FolderStream = std::unique_ptr<DIR, CloseFolder>;

}  // namespace vernier

#endif  // VERNIER_BASE_FOLDER_STREAM_H_
