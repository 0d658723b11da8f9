// SPDX-License-Identifier: Apache-2.0
#include "core/formats/zip.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <zip.h>

namespace cutaway::formats {

namespace {
constexpr zip_int64_t kMostEntries = 4096;
constexpr time_t kTimeStamp = 315532800; // 1980-01-01, the earliest a zip can hold

struct SourceFree {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct FileClose {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Source = std::unique_ptr<zip_source_t, SourceFree>;
using Archive = std::unique_ptr<zip_t, Discard>;
using File = std::unique_ptr<zip_file_t, FileClose>;

std::string reason(zip_error_t& error) {
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}
} // namespace

const std::string* ZipEntries::find(const std::string& name) const {
    for (const auto& [entry, bytes] : *this)
        if (entry == name) return &bytes;
    return nullptr;
}

base::Result<std::string> writeZip(const ZipEntries& entries) {
    zip_error_t error;
    zip_error_init(&error);
    Source source(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!source) return base::environmentError("cannot make a zip: " + reason(error));
    zip_source_keep(source.get());
    Archive archive(zip_open_from_source(source.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
    if (!archive) return base::environmentError("cannot make a zip: " + reason(error));
    for (const auto& [name, bytes] : entries) {
        zip_source_t* content = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
        zip_int64_t index = zip_file_add(archive.get(), name.c_str(), content, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(content);
            return base::environmentError(
                fmt::format("cannot add '{}' to a zip: {}", name, zip_strerror(archive.get())));
        }
        zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(index), kTimeStamp, 0);
    }
    if (zip_close(archive.get()) != 0)
        return base::environmentError(std::string("cannot write a zip: ") +
                                      zip_strerror(archive.get()));
    archive.release(); // closed
    zip_stat_t info;
    if (zip_source_stat(source.get(), &info) != 0 || zip_source_open(source.get()) != 0)
        return base::environmentError("cannot read back a zip");
    std::string bytes(info.size, '\0');
    zip_source_read(source.get(), bytes.data(), bytes.size());
    zip_source_close(source.get());
    return bytes;
}

/// Whether the entry's header itself says that it holds more than \p limit bytes.
static bool tellsMore(zip_t* archive, zip_uint64_t index, size_t limit) {
    zip_stat_t told;
    zip_stat_init(&told);
    return zip_stat_index(archive, index, 0, &told) == 0 && (told.valid & ZIP_STAT_SIZE) &&
           told.size > limit;
}

/// What the entry holds, up to \p limit bytes and one more; nothing when it is damaged. A size in
/// its header that is small enough is not trusted.
static std::optional<std::string> unpacked(zip_t* archive, zip_uint64_t index, size_t limit) {
    const File file(zip_fopen_index(archive, index, 0));
    if (!file) return std::nullopt;
    std::string content;
    char block[1 << 16];
    while (content.size() <= limit) {
        const zip_int64_t n = zip_fread(file.get(), block, sizeof block);
        if (n < 0) return std::nullopt;
        if (n == 0) break;
        content.append(block, static_cast<size_t>(n));
    }
    return content;
}

base::Result<ZipEntries> readZip(std::string_view bytes, size_t limit) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (!source) return base::environmentError("cannot open a zip: " + reason(error));
    Archive archive(zip_open_from_source(source, ZIP_RDONLY, &error));
    zip_error_fini(&error);
    if (!archive) {
        zip_source_free(source);
        return base::userError({}, "expected a zip archive, found other or damaged content");
    }
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    if (count > kMostEntries)
        return base::userError({}, fmt::format("expected at most {} entries in the zip, found {}",
                                               kMostEntries, count));
    ZipEntries entries;
    size_t left = limit;
    for (zip_int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        const char* name = zip_get_name(archive.get(), index, 0);
        const base::Diagnostic tooMuch =
            base::userError({}, fmt::format("the zip unpacks to more than {} MiB", limit >> 20));
        if (tellsMore(archive.get(), index, left)) return tooMuch;
        auto content = unpacked(archive.get(), index, left);
        if (!name || !content)
            return base::userError({}, fmt::format("zip entry '{}' is damaged", name ? name : "?"));
        if (content->size() > left) return tooMuch;
        left -= content->size();
        entries.emplace_back(name, std::move(*content));
    }
    return entries;
}

} // namespace cutaway::formats
