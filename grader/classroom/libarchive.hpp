// The functions of libarchive 3 that are used here, found at run time (libarchive(3), archive_read(3),
// archive_entry(3)).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "base/result.hpp"

namespace warpgrade::classroom {

struct archive;
struct archive_entry;

struct LibArchive {
    archive* (*read_new)() = nullptr;
    int (*read_free)(archive*) = nullptr;
    int (*read_open_filename)(archive*, const char*, std::size_t) = nullptr;
    int (*read_next_header)(archive*, archive_entry**) = nullptr;
    ssize_t (*read_data)(archive*, void*, std::size_t) = nullptr;
    const char* (*error_string)(archive*) = nullptr;
    const char* (*entry_pathname)(archive_entry*) = nullptr;
    const char* (*entry_pathname_utf8)(archive_entry*) = nullptr;
    const char* (*entry_hardlink)(archive_entry*) = nullptr;
    mode_t (*entry_filetype)(archive_entry*) = nullptr;
    int (*entry_is_encrypted)(archive_entry*) = nullptr;
    archive* (*write_new)() = nullptr;
    int (*write_free)(archive*) = nullptr;
    int (*write_close)(archive*) = nullptr;
    int (*write_add_filter_gzip)(archive*) = nullptr;
    int (*write_set_format_ustar)(archive*) = nullptr;
    int (*write_set_options)(archive*, const char*) = nullptr;
    int (*write_open_filename)(archive*, const char*) = nullptr;
    int (*write_header)(archive*, archive_entry*) = nullptr;
    ssize_t (*write_data)(archive*, const void*, std::size_t) = nullptr;
    archive_entry* (*entry_new)() = nullptr;
    void (*entry_free)(archive_entry*) = nullptr;
    void (*entry_set_pathname)(archive_entry*, const char*) = nullptr;
    void (*entry_set_size)(archive_entry*, std::int64_t) = nullptr;
    void (*entry_set_filetype)(archive_entry*, unsigned) = nullptr;
    void (*entry_set_perm)(archive_entry*, mode_t) = nullptr;
    void (*entry_set_mtime)(archive_entry*, std::int64_t, long) = nullptr;
    // archive_read_support_*, of those that start no other program.
    int (*support[9])(archive*) = {};
    int (*support_raw)(archive*) = nullptr;  // one packed file and no archive
    int (*format)(archive*) = nullptr;
    // One packed file: it says no names.
    bool is_raw(archive* opened) const { return (format(opened) & 0xff0000) == raw_format; }

    static constexpr int ok = 0, end_of_file = 1, warn = -20, raw_format = 0x90000;
};

// Stays open. Error: host, and says what to install.
Result<const LibArchive*> open_libarchive();

}  // namespace warpgrade::classroom
