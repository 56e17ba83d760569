#ifndef ISOTHERM_H
#define ISOTHERM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* The whole interface of libisotherm. docs/embedding.md is the guide.
 *
 * Rules
 * - Every function that can fail returns an iso_status. ISO_STATUS_OK is 0, failures are
 *   negative; iso_last_error() has a sentence about the last failure of the calling thread.
 * - A failed call has changed nothing, unless its text says so.
 * - Handles may be used by any thread, by one at a time: a second one, or a callback that
 *   calls back, gets ISO_STATUS_BUSY. Nothing blocks but the drawing itself.
 * - Structures begin with their own size: set it to sizeof before the call. Later versions
 *   add members at the end, which are zero for programs that do not know them.
 * - Pointers that a function gets are used only while it runs, but for the memory, the
 *   callbacks and the user pointer of iso_config. NULL where it is not allowed gives
 *   ISO_STATUS_NULL_POINTER.
 * - A call does a bounded amount of work, far above what a driver asks for at once; what a guest
 *   asks for beyond that is not drawn, and the call returns ISO_STATUS_BAD_DATA.
 * - A callback must return: no longjmp and no C++ exception may leave it.
 */

// What a call came to. Failures are negative.
enum iso_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Done.
  ISO_STATUS_OK = 0,
  // Done as far as it went: the chip waits for the embedder. iso_stop_reason() says for what.
  ISO_STATUS_WAIT = 1,
  // The front end refused the method, as the chip does by an interrupt; iso_stop_reason()
  // has the trap. The chip can go on.
  ISO_STATUS_TRAPPED = 2,
  // There is no such thing: no surface bound, no such handle.
  ISO_STATUS_NOTHING = 3,
  // A pointer is NULL that must not be.
  ISO_STATUS_NULL_POINTER = -1,
  // A structure's size member is smaller than that of the first version.
  ISO_STATUS_STRUCT_SIZE = -2,
  // An argument that means nothing: an unknown chip, format or name, a size the chip cannot
  // have.
  ISO_STATUS_BAD_ARGUMENT = -3,
  // The buffer is too short.
  ISO_STATUS_SHORT_BUFFER = -4,
  // Not now: words of an earlier push wait, a primitive is open, nothing is recorded.
  ISO_STATUS_WRONG_ORDER = -5,
  // The handle is in use, by another thread or by the call that this callback belongs to.
  ISO_STATUS_BUSY = -6,
  // The chip has no such command: a push to a Mali, a job to an NVIDIA chip.
  ISO_STATUS_WRONG_CHIP = -7,
  // A capture or saved state that makes no sense.
  ISO_STATUS_BAD_DATA = -8,
  // The system gives no memory.
  ISO_STATUS_NO_MEMORY = -9,
  // A file could not be written, or a write callback failed.
  ISO_STATUS_IO = -10,
  // A fault of the library. The handle can only be freed now; please report the text.
  ISO_STATUS_INTERNAL = -11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum iso_status iso_status;
#else
typedef int32_t iso_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a pixel's word holds, from its highest bit on.
enum iso_format
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A bit without meaning, five bits each of red, green and blue.
  ISO_FORMAT_X1R5G5B5 = 0,
  // Five bits of red, six of green, five of blue.
  ISO_FORMAT_R5G6B5 = 1,
  // A byte without meaning, red, green, blue.
  ISO_FORMAT_X8R8G8B8 = 2,
  // A bit without meaning, seven bits of alpha, red, green, blue.
  ISO_FORMAT_X1A7R8G8B8 = 3,
  // Alpha, red, green, blue.
  ISO_FORMAT_A8R8G8B8 = 4,
  // A byte without meaning, blue, green, red.
  ISO_FORMAT_X8B8G8R8 = 5,
  // Alpha, blue, green, red.
  ISO_FORMAT_A8B8G8R8 = 6,
  // Blue alone.
  ISO_FORMAT_B8 = 7,
  // Green and blue.
  ISO_FORMAT_G8B8 = 8,
  // 16 bits of depth.
  ISO_FORMAT_Z16 = 9,
  // 24 bits of depth, 8 of stencil.
  ISO_FORMAT_Z24S8 = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum iso_format iso_format;
#else
typedef uint32_t iso_format;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a callback answers.
enum iso_answer
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Go on with the next word.
  ISO_ANSWER_GO = 0,
  // Stop here; iso_resume or the next fetch goes on.
  ISO_ANSWER_WAIT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum iso_answer iso_answer;
#else
typedef int32_t iso_answer;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why the chip stopped before the end of its words.
enum iso_wait_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It did not stop.
  ISO_WAIT_REASON_NONE = 0,
  // A callback answered an interrupt, or a method was refused: `trap`.
  ISO_WAIT_REASON_INTERRUPT = 1,
  // A callback answered a notification: `address`.
  ISO_WAIT_REASON_NOTIFY = 2,
  // A callback answered a flip: `flip`.
  ISO_WAIT_REASON_FLIP = 3,
  // SEMAPHORE_ACQUIRE: the word at `address` is not `value` yet. Write it, say
  // iso_cpu_wrote, then go on: the method is looked at again.
  ISO_WAIT_REASON_SEMAPHORE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum iso_wait_reason iso_wait_reason;
#else
typedef uint32_t iso_wait_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a fetch ended.
enum iso_fetch_end
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // GET has reached PUT.
  ISO_FETCH_END_EMPTY = 0,
  // The chip waits; fetch again to go on.
  ISO_FETCH_END_WAIT = 1,
  // As many words as were allowed.
  ISO_FETCH_END_BUDGET = 2,
  // A word that is no command, at GET; the real pusher raises an interrupt.
  ISO_FETCH_END_COMMAND = 3,
  // A call within a call, or a return without one, at GET.
  ISO_FETCH_END_NESTING = 4,
  // GET is outside the pushbuffer's memory.
  ISO_FETCH_END_OUTSIDE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum iso_fetch_end iso_fetch_end;
#else
typedef uint32_t iso_fetch_end;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Bytes made by the library: a text, or a file's contents.
typedef struct iso_bytes iso_bytes;

// A chip with its memory.
typedef struct iso_gpu iso_gpu;

// A method that the front end refused, or by which a driver calls its own handler.
typedef struct {
  // INTR at the time.
  uint32_t intr;
  // NSOURCE at the time.
  uint32_t nsource;
  // The class that was executing.
  uint32_t class_id;
  // Its method.
  uint32_t method;
  // The method's data.
  uint32_t data;
} iso_trap;

// A surface in memory.
typedef struct {
  // sizeof(iso_surface).
  uint32_t size;
  // Address of the first byte.
  uint32_t address;
  // Pixels per row.
  uint32_t width;
  // Rows.
  uint32_t height;
  // Bytes from one row to the next; 0 if the words lie in Morton order.
  uint32_t pitch;
  // In Morton order: log2 of the width.
  uint32_t log_width;
  // In Morton order: log2 of the height.
  uint32_t log_height;
  // An iso_format.
  uint32_t format;
  // Samples per pixel, horizontally; each has a word. 0 means 1.
  uint32_t samples_x;
  // Samples per pixel, vertically. 0 means 1.
  uint32_t samples_y;
} iso_surface;

// FLIP_STALL: a picture is complete.
typedef struct {
  // sizeof(iso_flip), set by the library.
  uint32_t size;
  // Number of the picture that is drawn: FLIP_INCREMENT_WRITE counts it.
  uint32_t write;
  // Number of the picture that is shown: iso_picture_shown counts it.
  uint32_t read;
  // Both begin again at 0 when they reach this.
  uint32_t modulo;
  // 1 if the chip would stall: the picture that is drawn next is still shown.
  uint32_t stalls;
  // 1 if a colour surface is bound; it is the next member.
  uint32_t has_surface;
  // What was drawn to.
  iso_surface surface;
} iso_flip;

// What a chip is to be like. Set size, and chip; all else may be zero.
typedef struct {
  // sizeof(iso_config).
  uint32_t size;
  // How many threads may draw; 0: all cores. The picture does not depend on it.
  uint32_t threads;
  // The chip, such as "nv2a", "nv40", "mali400".
  const char *chip;
  // The guest's memory, which the chip then reads and draws to itself; NULL: memory of its
  // own. It must stay valid for reads and writes until iso_gpu_free. While a call runs on
  // the handle, no other thread may write to bytes that the chip reads, nor touch bytes that
  // it writes. Tell the chip what the CPU writes: iso_cpu_wrote. What calls are given may lie
  // in it and is copied then; answers may not be written to it.
  uint8_t *memory;
  // Bytes of it; 0: as many as usual. The console's are a power of two, 64 or 128 MiB.
  size_t memory_size;
  // System memory that a chip with memory of its own reaches at addresses with bit 31 set.
  uint8_t *gart;
  // Bytes of it.
  size_t gart_size;
  // 1 for embedders who cannot say what the CPU wrote: textures are compared with what
  // they were whenever they are used.
  uint32_t check_memory;
  // Must be 0.
  uint32_t reserved;
  // Given to every callback.
  void *user;
  // The front end raised an interrupt: a refused method, or NO_OPERATION with an argument.
  // Answers an iso_answer, as the two after it.
  int32_t (*interrupt)(void *user, const iso_trap *trap);
  // A notifier was written; awaken is 1 if the driver asked for an interrupt too.
  int32_t (*notify)(void *user, uint32_t address, int32_t awaken);
  // FLIP_STALL: a picture is complete.
  int32_t (*flip)(void *user, const iso_flip *flip);
  // The chip wrote to memory, in whole pages. Comes before the other callbacks, after
  // semaphores and reports, and with iso_finish.
  void (*wrote)(void *user, uint32_t address, size_t size);
} iso_config;

// Why the chip stopped last.
typedef struct {
  // sizeof(iso_stop).
  uint32_t size;
  // An iso_wait_reason.
  uint32_t reason;
  // Of a notification or semaphore.
  uint32_t address;
  // What the semaphore must be.
  uint32_t value;
  // The refused method.
  iso_trap trap;
  // The flip.
  iso_flip flip;
} iso_stop;

// A channel's place in its pushbuffer.
typedef struct {
  // sizeof(iso_fifo).
  uint32_t size;
  // The memory that addresses are relative to: its first address.
  uint32_t base;
  // Its last valid byte, relative to base.
  uint32_t limit;
  // GET: where the next word is. The library moves it.
  uint32_t get;
  // PUT: where the words end.
  uint32_t put;
  // 1 inside a subroutine.
  uint32_t calls;
  // Where the subroutine returns to.
  uint32_t return_to;
  // Why the last fetch ended, an iso_fetch_end; set by the library.
  uint32_t ended;
} iso_fifo;

// Takes bytes of a file, one after the other; anything but 0 is a failure.
typedef int32_t (*iso_write_fn)(void *user, const uint8_t *bytes, size_t size);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The first byte; NULL for NULL. Behind the last one there is a zero, which does not count.
const uint8_t *iso_bytes_data(const iso_bytes *bytes);

// How many there are; 0 for NULL.
size_t iso_bytes_size(const iso_bytes *bytes);

// Frees them; NULL is allowed.
void iso_bytes_free(iso_bytes *bytes);

// Makes a chip. *out is NULL when that fails.
iso_status iso_gpu_new(const iso_config *config, iso_gpu **out);

// Frees a chip; NULL is allowed. ISO_STATUS_BUSY, and nothing happens, while a call runs on
// it. A recording that was not ended is cut off.
iso_status iso_gpu_free(iso_gpu *gpu);

// A DMA object: handle leads to the memory from base to base + limit, both included.
iso_status iso_object_dma(iso_gpu *gpu, uint32_t handle, uint32_t base, uint32_t limit);

// A graphics object of a class, such as 0x97.
iso_status iso_object_graphics(iso_gpu *gpu, uint32_t handle, uint32_t class_id);

// All objects of a channel that the hash table in instance memory names. ramin is instance
// memory; the table is the table_size bytes from table_start on. Call it again when the driver
// has changed the table. found, which may be NULL, gets their number.
iso_status iso_objects_from_ramht(iso_gpu *gpu,
                                  const uint8_t *ramin,
                                  size_t ramin_size,
                                  size_t table_start,
                                  size_t table_size,
                                  uint32_t channel,
                                  uint32_t *found);

// No handle leads anywhere any more.
iso_status iso_objects_clear(iso_gpu *gpu);

// The CPU writes a register: its offset in the chip's register space, such as 0x400084.
iso_status iso_register_write(iso_gpu *gpu, uint32_t address, uint32_t value);

// The CPU wrote to borrowed memory by itself: nothing that was read there before may be used
// again. Call it before the commands that could read the new bytes.
iso_status iso_cpu_wrote(iso_gpu *gpu, uint32_t address, size_t size);

// The CPU writes to memory, after everything that the chip was told to draw so far. What lies
// outside memory vanishes.
iso_status iso_memory_write(iso_gpu *gpu, uint32_t address, const uint8_t *bytes, size_t size);

// Reads memory when everything so far is drawn. What lies outside memory is zero.
iso_status iso_memory_read(iso_gpu *gpu, uint32_t address, uint8_t *bytes, size_t size);

// The display went on to the next picture: counts FLIP_READ.
iso_status iso_picture_shown(iso_gpu *gpu);

// What each call may cost: bytes held at once, steps of about a nanosecond, bytes copied,
// texels decoded. 0: as much as usual; UINT64_MAX: anything. A call that goes over it ends with
// ISO_STATUS_BAD_DATA, and what was drawn until then stays.
iso_status iso_budget(iso_gpu *gpu,
                      uint64_t held,
                      uint64_t steps,
                      uint64_t copied,
                      uint64_t texels);

// The channel's reference counter: what the driver's last REF_CNT said.
iso_status iso_reference(iso_gpu *gpu, uint32_t *value);

// The colour surface that is bound now. ISO_STATUS_NOTHING if there is none.
iso_status iso_color_target(iso_gpu *gpu, iso_surface *surface);

// The depth surface that is bound now. ISO_STATUS_NOTHING if there is none.
iso_status iso_depth_target(iso_gpu *gpu, iso_surface *surface);

// Reads a surface when everything so far is drawn: red, green, blue, alpha bytes, the top row
// first. Needs width * height * 4 bytes.
iso_status iso_read_rgba(iso_gpu *gpu, const iso_surface *surface, uint8_t *rgba, size_t size);

// Reads a surface's words when everything so far is drawn, one for each sample. Needs width *
// height * samples_x * samples_y words.
iso_status iso_read_words(iso_gpu *gpu, const iso_surface *surface, uint32_t *words, size_t count);

// Explains words by the name of what they are ("RASTER", "97:0x1e60", "0x401990", "rsw"), as
// JSON (isotherm-words-1, docs/json.md).
iso_status iso_explain(const char *chip_name,
                       const char *name,
                       const uint32_t *values,
                       size_t count,
                       iso_bytes **out);

// From now on draws are drawn one at a time and reported, or no longer. That is slow, and the
// picture is the same.
iso_status iso_inspect_draws(iso_gpu *gpu, int32_t on);

// What the draws did since the last question, as JSON: {"draws": [{"draw", "primitive",
// "vertices", "pixels", "why_nothing": null or {"reason", "word"}}]}.
iso_status iso_draw_reports(iso_gpu *gpu, iso_bytes **out);

// Watches the pixel whose word begins at this address of memory; address of -1: none any
// more.
iso_status iso_pixel_watch(iso_gpu *gpu, int64_t address);

// What draws and clears did to the watched pixel since the last question, as JSON:
// {"touches": [...]}, each as the key touch of `isotherm pixel --json` (docs/json.md).
iso_status iso_pixel_history(iso_gpu *gpu, iso_bytes **out);

// Runs a Mali's vertex job: the words of its frame structure.
iso_status iso_vertex_job(iso_gpu *gpu, const uint32_t *frame, size_t count);

// Runs a Mali's fragment job: the words of its frame structure.
iso_status iso_fragment_job(iso_gpu *gpu, const uint32_t *frame, size_t count);

// Runs one method on the object that is bound to a subchannel; method 0 binds the object of a
// handle. ISO_STATUS_TRAPPED if the front end refuses it. ISO_STATUS_WAIT with the reason
// ISO_WAIT_REASON_SEMAPHORE: it has not run, give it again.
iso_status iso_method(iso_gpu *gpu, uint32_t subchannel, uint32_t method, uint32_t data);

// Runs words as the pusher fetches them: headers and data. ISO_STATUS_WAIT: the chip stopped,
// the library keeps the words that are left, and iso_resume goes on with them.
iso_status iso_push(iso_gpu *gpu, const uint32_t *words, size_t count);

// Goes on with the words that an iso_push left. ISO_STATUS_WAIT again if the chip stops
// again. Nothing to do is no failure.
iso_status iso_resume(iso_gpu *gpu);

// How many words wait for iso_resume.
iso_status iso_words_waiting(iso_gpu *gpu, size_t *count);

// Why the chip stopped, after ISO_STATUS_WAIT or ISO_STATUS_TRAPPED.
iso_status iso_stop_reason(iso_gpu *gpu, iso_stop *stop);

// Fetches and runs words from GET to PUT, at most budget of them: jumps may run in a circle.
// fifo->get moves on; fifo->ended says why it ended. ISO_STATUS_WAIT: fetch again to go on.
iso_status iso_fetch(iso_gpu *gpu, iso_fifo *fifo, uint64_t budget);

// Waits until everything so far is drawn and in memory.
iso_status iso_finish(iso_gpu *gpu);

// Everything that the chip remembers, memory and objects included, as a capture that goes on
// from here: between any two methods or jobs, inside a primitive too.
iso_status iso_state_save(iso_gpu *gpu, iso_bytes **out);

// The chip's registers, bindings and objects as the hardware lays them out: records of a
// capture (OBJ, REG, PUSH, CTX) one after the other, without a file's beginning and without memory.
// What a recorder starts with. Not inside a primitive (ISO_STATUS_WRONG_ORDER);
// ISO_STATUS_NOTHING for a Mali.
iso_status iso_hardware_state(iso_gpu *gpu, iso_bytes **out);

// Runs the records of a capture or of a saved state of the same chip. A chip that gets a
// saved state must be new, or gets the state on top of what it has. A failure may come after
// some of the records have run.
iso_status iso_state_load(iso_gpu *gpu, const uint8_t *bytes, size_t size);

// From now on everything that the chip is told goes into a capture, which begins with the
// chip as it is: registers, objects, memory. FLIP_STALL is noted as a picture. The bytes go to
// write, which is called by the calls that are recorded.
iso_status iso_record_begin(iso_gpu *gpu, iso_write_fn write, void *user);

// Notes that the bound colour surface is a picture now: replaying the capture shows it. For
// guests that show pictures without FLIP_STALL; directly behind one nothing happens.
// ISO_STATUS_NOTHING if none is bound.
iso_status iso_record_picture(iso_gpu *gpu);

// Ends the recording. A failure of the callback on the way is told here. ISO_STATUS_WRONG_ORDER
// if nothing is recorded.
iso_status iso_record_end(iso_gpu *gpu);

// A sentence about the last failure of a call by this thread; empty before the first. It stays
// valid until the next call that fails on this thread.
const char *iso_last_error(void);

// The library's version: major * 1000000 + minor * 1000 + patch.
uint32_t iso_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ISOTHERM_H */
