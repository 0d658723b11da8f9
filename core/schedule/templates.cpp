// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/templates.h"

namespace cutaway::schedule {

Template elementsTemplate();
Template cpuRowsTemplate();
Template cpuPartsTemplate();
Template linearTemplate();
Template totalTemplate();
Template columnsTemplate();
Template rowsTemplate();
Template rowsSharedTemplate();
Template rowsRereadTemplate();
Template rowsPartsTemplate();
Template rowsScanTemplate();
Template rowsBesideTemplate();
Template ownedTemplate();
Template sortedTemplate();
Template tilesTemplate();

std::span<const Template> templates() {
    static const Template all[] = {
        // processors
        elementsTemplate(),
        cpuRowsTemplate(),
        cpuPartsTemplate(),
        // GPUs
        linearTemplate(),
        tilesTemplate(),
        totalTemplate(),
        columnsTemplate(),
        rowsTemplate(),
        rowsSharedTemplate(),
        rowsRereadTemplate(),
        rowsPartsTemplate(),
        rowsScanTemplate(),
        rowsBesideTemplate(),
        ownedTemplate(),
        sortedTemplate(),
    };
    return all;
}

const Template* findTemplate(ir::Device::Kind device, std::string_view name) {
    for (const Template& row : templates())
        if (row.device == device && row.name == name) return &row;
    return nullptr;
}

} // namespace cutaway::schedule
