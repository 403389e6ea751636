#include "glibc/unwind_table.h"

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace vernier {
namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};

// Looks into one program or library; 1 ends the search with it.
int LookInto(dl_phdr_info* info, std::size_t, void* data) {
  const Search& search = *static_cast<Search*>(data);
  const ElfW(Phdr)* table = nullptr;
  bool is_inside = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t start = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME) table = &part;
    if (part.p_type != PT_LOAD || search.address < start ||
        search.address - start >= part.p_memsz) {
      continue;
    }
    is_inside = true;
    search.found->dlfo_map_start = reinterpret_cast<void*>(start);
    search.found->dlfo_map_end = reinterpret_cast<void*>(start + part.p_memsz);
  }
  if (!is_inside || table == nullptr) return 0;
  search.found->dlfo_eh_frame =
      reinterpret_cast<void*>(info->dlpi_addr + table->p_vaddr);
  return 1;
}

}  // namespace

int FindUnwindTable(const void* address, dl_find_object* found) {
  *found = {};
  Search search{reinterpret_cast<std::uintptr_t>(address), found};
  return ::dl_iterate_phdr(LookInto, &search) == 1 ? 0 : -1;
}

}  // namespace vernier
