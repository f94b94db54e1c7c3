#include "classroom/libarchive.hpp"

#include <dlfcn.h>

#include <optional>

namespace warpgrade::classroom {
namespace {

// Looks functions up; remembers the first that is missing.
class Loader {
public:
    explicit Loader(void* library) : library_(library) {}
    template <class Function>
    void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (function == nullptr && missing_ == nullptr) missing_ = name;
    }
    const char* missing() const { return missing_; }

private:
    void* library_;
    const char* missing_ = nullptr;
};

Diagnostic no_libarchive(const std::string& fact) {
    return {.blame = Blame::host,
            .code = "no_libarchive",
            .title = "this machine has no libarchive 3 to read and write archives with",
            .marks = {},
            .facts = {fact},
            .help = "`apt-get install libarchive13`, or unpack them by hand: a folder a student"};
}

Result<LibArchive> load() {
    void* library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return no_libarchive(dlerror());
    LibArchive all;
    Loader loader(library);
    loader.find(all.read_new, "archive_read_new");
    loader.find(all.read_free, "archive_read_free");
    loader.find(all.read_open_filename, "archive_read_open_filename");
    loader.find(all.read_next_header, "archive_read_next_header");
    loader.find(all.read_data, "archive_read_data");
    loader.find(all.error_string, "archive_error_string");
    loader.find(all.entry_pathname, "archive_entry_pathname");
    loader.find(all.entry_pathname_utf8, "archive_entry_pathname_utf8");
    loader.find(all.entry_hardlink, "archive_entry_hardlink");
    loader.find(all.entry_filetype, "archive_entry_filetype");
    loader.find(all.entry_is_encrypted, "archive_entry_is_encrypted");
    loader.find(all.format, "archive_format");
    loader.find(all.support_raw, "archive_read_support_format_raw");
    loader.find(all.write_new, "archive_write_new");
    loader.find(all.write_free, "archive_write_free");
    loader.find(all.write_close, "archive_write_close");
    loader.find(all.write_add_filter_gzip, "archive_write_add_filter_gzip");
    loader.find(all.write_set_format_ustar, "archive_write_set_format_ustar");
    loader.find(all.write_set_options, "archive_write_set_options");
    loader.find(all.write_open_filename, "archive_write_open_filename");
    loader.find(all.write_header, "archive_write_header");
    loader.find(all.write_data, "archive_write_data");
    loader.find(all.entry_new, "archive_entry_new");
    loader.find(all.entry_free, "archive_entry_free");
    loader.find(all.entry_set_pathname, "archive_entry_set_pathname");
    loader.find(all.entry_set_size, "archive_entry_set_size");
    loader.find(all.entry_set_filetype, "archive_entry_set_filetype");
    loader.find(all.entry_set_perm, "archive_entry_set_perm");
    loader.find(all.entry_set_mtime, "archive_entry_set_mtime");
    const char* supported[] = {
        "archive_read_support_filter_gzip", "archive_read_support_filter_bzip2", "archive_read_support_filter_xz",
        "archive_read_support_filter_zstd", "archive_read_support_format_zip",   "archive_read_support_format_tar",
        "archive_read_support_format_7zip", "archive_read_support_format_rar",   "archive_read_support_format_rar5"};
    for (std::size_t i = 0; i < std::size(supported); ++i) loader.find(all.support[i], supported[i]);
    if (loader.missing() != nullptr) return no_libarchive(std::string("it has no function ") + loader.missing());
    return all;
}

}  // namespace

Result<const LibArchive*> open_libarchive() {
    static const Result<LibArchive> library = load();
    if (!library) return library.error();
    return &library.value();
}

}  // namespace warpgrade::classroom
