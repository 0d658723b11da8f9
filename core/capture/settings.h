// SPDX-License-Identifier: Apache-2.0
/// \file
/// Settings of torch.backends that change what runs, and of configurations that change what is
/// compiled; none changes what is captured. Private to this folder.
#pragma once

#include "core/capture/objects.h"
#include "core/capture/world.h"

namespace cutaway::capture {

class Interp;

/// A configuration module's attribute is about to get a value: where it is such a setting, what
/// runs from now on follows it. Raises TypeError for a value that the setting cannot have.
void applySetting(Interp& in, const ModuleObj& module, std::string_view name, const Val& value);

/// The settings as a program finds them, and the functions of torch that change them.
void addSettings(Interp& in, ModuleObj& torch);

/// How many entries a compiled function may have before it runs eagerly.
size_t recompileLimit(Interp& in);

/// What a compiled function that does not say so does with sizes: all are symbols, all are
/// constants, or (unset) those become symbols that differed.
std::optional<bool> dynamicByDefault(Interp& in);

/// torch._dynamo.config.capture_scalar_outputs: t.item() is no graph break.
bool capturesNumbers(Interp& in);
/// error_on_recompile: a function that is compiled already raises where no entry fits.
bool refusesAnotherEntry(Interp& in);
/// suppress_errors: graphs that a backend cannot compile run one operation after the other.
bool suppressesErrors(Interp& in);
/// specialize_int, specialize_float: numbers that vary are constants of an entry each.
bool specializesInts(Interp& in);
bool specializesFloats(Interp& in);
/// capture_dynamic_output_shape_ops: t.nonzero() and the like are none.
bool capturesCounts(Interp& in);
/// torch.fx.experimental._config.use_duck_shape: sizes that are equal are one symbol.
bool sharesSymbols(Interp& in);

/// \p options and what the configurations say of the graph that is compiled now.
CompileOptions withSettings(Interp& in, CompileOptions options);

} // namespace cutaway::capture
