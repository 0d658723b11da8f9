/* SPDX-License-Identifier: Apache-2.0 */
/** \file
 * What a plug-in of Cutaway is: a shared library that adds backends of torch.compile and numbers of
 * graph nodes (colours in the window). C only; nothing here changes without another version.
 *
 * A plug-in is loaded only where a person asks for it by name (`cutaway ... --plugin FILE`, the
 * window's `--engine-plugin FILE` or its setting): never by a script or a record. It is loaded
 * before the process confines itself, so it runs with the rights of who started it; what it does later, while
 * it compiles and runs, happens inside the box and can reach no other files.
 *
 * Calls come from one thread at a time. A function that can fail returns NULL when all went well,
 * else a message for people, which the plug-in keeps until its next call.
 */
#ifndef CUTAWAY_PLUGIN_H
#define CUTAWAY_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTAWAY_PLUGIN_VERSION 1

/** Elements in host memory. */
typedef struct CutawayTensor {
    void* data;             /**< the first element */
    const int64_t* sizes;   /**< of each dimension */
    const int64_t* strides; /**< in elements; 0 where one element is repeated */
    int32_t rank;
    const char* dtype; /**< as in texts of graphs: "f32", "i64", "b8" */
} CutawayTensor;

/** torch.compile(..., backend=NAME). A graph is what `cutaway explain --stage forward` prints:
 *
 *     graph forward(primals_1: f32[16, 16]):
 *         cos: f32[16, 16] = aten.cos.default(primals_1)
 *         return (cos)
 *
 * When gradients are wanted, the graph "backward" is compiled, too. Sizes are numbers. */
typedef struct CutawayBackend {
    const char* name;
    const char* summary; /**< one line */
    /** Gives a handle of what runs the graph. */
    const char* (*compile)(const char* graph, void** compiled);
    /** Writes what the graph returns; outputs have their sizes and memory. An input that is returned
     * as it is, and what is returned as None, are not among them. */
    const char* (*run)(void* compiled, const CutawayTensor* inputs, int32_t inputCount,
                       const CutawayTensor* outputs, int32_t outputCount);
    void (*release)(void* compiled); /**< of each handle, once */
} CutawayBackend;

/** Takes the number of a node. */
typedef void (*CutawayGive)(void* to, const char* node, double value);

/** A number for some nodes of any graph of a record, by which the window can colour them. */
typedef struct CutawayOverlay {
    const char* name;
    const char* summary; /**< one line */
    const char* (*values)(const char* graph, CutawayGive give, void* to);
} CutawayOverlay;

typedef struct CutawayPlugin {
    uint32_t version; /**< CUTAWAY_PLUGIN_VERSION; stays first in all versions */
    const char* name;
    const CutawayBackend* backends;
    int32_t backendCount;
    const CutawayOverlay* overlays;
    int32_t overlayCount;
} CutawayPlugin;

/** The one function that a plug-in exports. What it returns stays. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const CutawayPlugin*
cutaway_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
