/* The recorder kit: makes captures in an emulator, from the middle of a game.
 *
 * This header and isotherm_record.c are all of it: C99, no dependencies, nothing of libisotherm.
 * Copy both into your emulator. docs/embedding.md says where to call them, docs/capture-format.md
 * what they write.
 *
 *     isor_begin            opens the file
 *     isor_objects_…, isor_methods, isor_register(s), isor_rdi or isor_pipe, isor_pages
 *                           the state that the frame starts from, in this order
 *     isor_words            words as the pusher fetches them, jumps followed
 *     isor_changed…         what the CPU changed, before the words that could see it
 *     isor_flip             a picture is complete
 *     isor_end
 *
 * Rules
 * - One thread at a time, such as the emulator's GPU thread. Nothing waits for another thread.
 * - Every function returns 0, or one of the numbers below. After a failure nothing more is
 *   written, and every call returns the same failure.
 * - Memory: 64 KiB for words that wait, and eight bytes for each page of the guest's memory.
 * - Zero the structs before you fill them: a later version of the kit may add members.
 */
#ifndef ISOTHERM_RECORD_H
#define ISOTHERM_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ISOR_OK = 0,
    /* isor_flip: as many frames as were asked for; call isor_end. */
    ISOR_ENOUGH = 1,
    /* A pointer is NULL, or an argument means nothing. */
    ISOR_BAD_ARGUMENT = -1,
    /* No memory. */
    ISOR_NO_MEMORY = -2,
    /* The write function answered something else than 0. */
    ISOR_WRITE_FAILED = -3
};

/* Memories behind RDI: the upper half of an index. */
#define ISOR_XFPR (0x10u << 16)
#define ISOR_VAB (0x15u << 16)
#define ISOR_LTCTX_B (0x16u << 16)
#define ISOR_XFCTX (0x17u << 16)
#define ISOR_LTCTX (0x18u << 16)
#define ISOR_LTC (0x19u << 16)
#define ISOR_VERTEX_ARRAYS (0x26u << 16)

/* A recording. */
typedef struct isor_recorder isor_recorder;

/* Takes the file's bytes, one part after the other; anything but 0 is a failure. */
typedef int (*isor_write)(void *user, const void *bytes, size_t size);

typedef struct {
    /* The chip: "nv2a", "nv20", "nv47"… */
    const char *chip;
    /* Who records; NULL or a text without quotes and backslashes. */
    const char *source;
    isor_write write;
    void *user;
    /* The guest's memory, and the address that the chip sees its first byte at; it stays
     * there while the recording lasts. */
    const uint8_t *memory;
    size_t memory_size;
    uint32_t memory_address;
    /* System memory that a chip with memory of its own reaches; to the chip its first byte is
     * at 0x80000000. NULL for the console, which has one memory. */
    const uint8_t *gart;
    size_t gart_size;
    /* End after so many flips; 0: never. */
    uint32_t frames;
} isor_config;

/* A surface to look at. */
typedef struct {
    uint32_t address;
    uint32_t pitch;
    uint32_t width;
    uint32_t height;
    /* "A8R8G8B8", "X8R8G8B8" or "R5G6B5". */
    const char *format;
    /* 1: words in Morton order. */
    int swizzled;
} isor_surface;

/* Opens a recording; *out is NULL when that fails. */
int isor_begin(isor_recorder **out, const isor_config *config);

/* An object in instance memory: its place there divided by 16, its first four words; of a DMA
 * object also the memory that it covers, limit included. */
int isor_object(isor_recorder *r, uint32_t handle, uint32_t class_id, uint32_t instance,
                const uint32_t raw[4], uint32_t base, uint32_t limit);

/* All objects of a channel that the hash table in instance memory names: the table is the
 * table_size bytes of ramin from table_start on. A paged DMA object is taken as one range from
 * its first page on; give others with isor_object. */
int isor_objects_from_ramht(isor_recorder *r, const uint8_t *ramin, size_t ramin_size,
                            size_t table_start, size_t table_size, uint32_t channel);

/* Data for a method and those after it. At the start: the bound objects (method 0), DMA objects
 * and surfaces, which registers hold in parts only. Later, isor_words has them anyway. */
int isor_methods(isor_recorder *r, uint32_t subchannel, uint32_t method, const uint32_t *data,
                 uint32_t count);

/* The CPU wrote a register, or holds it so at the start: its address in the chip's register
 * space, such as 0x401990. */
int isor_register(isor_recorder *r, uint32_t address, uint32_t value);

/* Registers one after the other. */
int isor_registers(isor_recorder *r, uint32_t first, const uint32_t *values, uint32_t count);

/* Words of a memory behind RDI (Kelvin, Rankine), from an index on (space << 16 | byte offset). */
int isor_rdi(isor_recorder *r, uint32_t index, const uint32_t *words, uint32_t count);

/* The same for rows of four words in the order of methods, x first, as emulators keep programs,
 * constants and attributes: RDI shows the last word first. */
int isor_rows(isor_recorder *r, uint32_t index, const uint32_t *rows, uint32_t count);

/* The same for rows of LTCTX: of each four words the first three, float32, are packed as RDI
 * shows them. */
int isor_light_rows(isor_recorder *r, uint32_t index, const uint32_t *rows, uint32_t count);

/* Words of a memory behind PIPE (Celsius), from a byte offset on. */
int isor_pipe(isor_recorder *r, uint32_t index, const uint32_t *words, uint32_t count);

/* Pixels that the z-pass counter has counted since it was reset, which no register shows. */
int isor_pixels_passed(isor_recorder *r, uint64_t count);

/* All pages of the guest's memory that are not zero: the end of the start state. */
int isor_pages(isor_recorder *r);

/* Words as the pusher fetches them. */
int isor_words(isor_recorder *r, const uint32_t *words, size_t count);

/* The CPU wrote these bytes. */
int isor_changed(isor_recorder *r, uint32_t address, size_t size);

/* The same by the emulator's own dirty bits: bit n of byte n / 8 is page n of 4096 bytes. */
int isor_changed_bits(isor_recorder *r, const uint8_t *bits, size_t bytes);

/* Finds what was changed by comparing all pages with what they were: some milliseconds for
 * 64 MiB. */
int isor_compare(isor_recorder *r);

/* The emulator's own GPU wrote these bytes: they are its doing, not the CPU's, and are not
 * recorded when pages are compared. */
int isor_gpu_wrote(isor_recorder *r, uint32_t address, size_t size);

/* A picture is complete. ISOR_ENOUGH after the last of the frames. */
int isor_flip(isor_recorder *r, const isor_surface *surface);

/* Any record of the format, for what has no function here. */
int isor_record(isor_recorder *r, const char tag[4], const void *payload, size_t size);

/* Writes what waits and frees the recorder; NULL is allowed. Says what went wrong. */
int isor_end(isor_recorder *r);

#ifdef __cplusplus
}
#endif

#endif
