// SPDX-License-Identifier: Apache-2.0
#include "core/formats/zip.h"

#include <fmt/format.h>
#include <memory>
#include <zip.h>

namespace cutaway::formats {

namespace {
constexpr uint64_t kLargestEntry = uint64_t{4} << 30;
constexpr time_t kTimeStamp = 315532800; // 1980-01-01, the earliest a zip can hold

struct SourceFree {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Source = std::unique_ptr<zip_source_t, SourceFree>;
using Archive = std::unique_ptr<zip_t, Discard>;

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

base::Result<ZipEntries> readZip(const std::string& bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (!source) return base::environmentError("cannot open a zip: " + reason(error));
    Archive archive(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!archive) {
        zip_source_free(source);
        return base::userError({}, "expected a zip archive, found other or damaged content");
    }
    ZipEntries entries;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
        zip_stat_t info;
        auto index = static_cast<zip_uint64_t>(i);
        if (zip_stat_index(archive.get(), index, 0, &info) != 0 || info.size > kLargestEntry)
            return base::userError({}, fmt::format("zip entry {} is damaged or too large", i));
        std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(
            zip_fopen_index(archive.get(), index, 0), zip_fclose);
        std::string content(info.size, '\0');
        if (!file || zip_fread(file.get(), content.data(), content.size()) !=
                         static_cast<zip_int64_t>(content.size()))
            return base::userError({}, fmt::format("zip entry '{}' is damaged", info.name));
        entries.emplace_back(info.name, std::move(content));
    }
    return entries;
}

} // namespace cutaway::formats
