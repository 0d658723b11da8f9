// SPDX-License-Identifier: Apache-2.0
/// \file
/// Settings of torch.backends that change what runs, not what is captured. Private to this folder.
#pragma once

#include "core/capture/objects.h"

namespace cutaway::capture {

class Interp;

/// A configuration module's attribute is about to get a value: where it is such a setting, what
/// runs from now on follows it. Raises TypeError for a value that the setting cannot have.
void applySetting(Interp& in, const ModuleObj& module, std::string_view name, const Val& value);

/// The settings as a program finds them, and the functions of torch that change them.
void addSettings(Interp& in, ModuleObj& torch);

} // namespace cutaway::capture
