/* Records a capture anew from its middle, as an emulator with the recorder kit does.
 *
 *     rerecord IN OUT CHIP
 *
 * IN is a capture of the chip without compression. Its first half runs on the model, which
 * plays the emulator; then the kit records: the chip's registers, all pages of memory, and what
 * comes after. The model says which pages it draws to; what the CPU changes is said for writes
 * and found by comparing pages for copies.
 */
#include "isotherm.h"
#include "isotherm_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* The console's memory. */
    RAM_SIZE = 64 << 20,
    /* That of the others, and the system memory that they reach. */
    BOARD_SIZE = 256 << 20
};

typedef struct {
    const uint8_t *tag;
    const uint8_t *payload;
    uint32_t size;
} record;

static isor_recorder *kit;

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, iso_last_error());
    exit(1);
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, 4);
    return word;
}

static int next(const uint8_t *file, size_t size, size_t *at, record *found)
{
    if (size - *at < 8)
        return 0;
    found->tag = file + *at;
    found->size = word_at(file + *at + 4);
    found->payload = file + *at + 8;
    if (found->size > size - *at - 8)
        return 0;
    *at += 8 + found->size;
    return 1;
}

/* A record's words where words may lie; until the next call. */
static const uint32_t *words_of(const record *r)
{
    static uint32_t *kept;
    static size_t room;
    if (room < r->size) {
        room = r->size;
        kept = (uint32_t *)realloc(kept, room);
        if (!kept)
            exit(2);
    }
    memcpy(kept, r->payload, r->size);
    return kept;
}

static int is(const record *r, const char *tag)
{
    return !memcmp(r->tag, tag, 4);
}

/* Runs one record on the model: a capture of its own. */
static void run(iso_gpu *gpu, const uint8_t *info, size_t info_size, const record *r)
{
    size_t size = info_size + 8 + r->size;
    uint8_t *capture = (uint8_t *)malloc(size);
    memcpy(capture, info, info_size);
    memcpy(capture + info_size, r->tag, 8 + r->size);
    if (iso_state_load(gpu, capture, size) < 0)
        die("record");
    free(capture);
}

/* What the model drew is no doing of the CPU. */
static void drawn(void *user, uint32_t address, size_t size)
{
    (void)user;
    if (kit)
        isor_gpu_wrote(kit, address, size);
}

static int to_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)user) != size;
}

/* The start state: what the model says of its registers, through the kit. */
static void begin(iso_gpu *gpu)
{
    iso_bytes *state = NULL;
    record r;
    size_t at = 0;
    if (iso_hardware_state(gpu, &state) < 0)
        die("state");
    while (next(iso_bytes_data(state), iso_bytes_size(state), &at, &r)) {
        if (is(&r, "REG "))
            isor_register(kit, word_at(r.payload), word_at(r.payload + 4));
        else if (is(&r, "PUSH"))
            isor_words(kit, words_of(&r), r.size / 4);
        else
            isor_record(kit, (const char *)r.tag, r.payload, r.size);
    }
    iso_bytes_free(state);
    isor_pages(kit);
}

/* Pushes whole methods until the kit can begin; how many words that took. */
static size_t push_until_possible(iso_gpu *gpu, const uint32_t *words, size_t count)
{
    size_t at = 0;
    while (at < count) {
        iso_bytes *state = NULL;
        size_t group = 1 + (words[at] >> 18 & 0x7FF);
        if (group > count - at)
            group = count - at;
        if (iso_push(gpu, words + at, group) < 0)
            die("push");
        at += group;
        if (iso_hardware_state(gpu, &state) == ISO_STATUS_OK) {
            iso_bytes_free(state);
            break;
        }
    }
    return at;
}

static void record_rest(iso_gpu *gpu, const uint8_t *info, size_t info_size, const record *r)
{
    run(gpu, info, info_size, r);
    if (is(r, "MEM ")) {
        isor_changed(kit, word_at(r->payload), r->size - 4);
    } else if (is(r, "COPY")) {
        isor_compare(kit);
    } else if (is(r, "PUSH")) {
        isor_words(kit, words_of(r), r->size / 4);
        iso_finish(gpu);
    } else {
        isor_record(kit, (const char *)r->tag, r->payload, r->size);
    }
}

/* Runs the rest of a PUSH on the model and records it from where that is possible. */
static void begin_inside(iso_gpu *gpu, const isor_config *config, const record *r, size_t before)
{
    size_t count = r->size / 4, skip = 0, done;
    uint32_t *data = (uint32_t *)malloc(r->size);
    memcpy(data, r->payload, r->size);
    while (skip < before && skip < count)
        skip += 1 + (data[skip] >> 18 & 0x7FF);
    if (skip > count)
        skip = count;
    if (iso_push(gpu, data, skip) < 0)
        die("push");
    done = skip + push_until_possible(gpu, data + skip, count - skip);
    iso_finish(gpu);
    if (isor_begin(&kit, config))
        exit(3);
    begin(gpu);
    isor_words(kit, data + done, count - done);
    if (iso_push(gpu, data + done, count - done) < 0)
        die("push");
    iso_finish(gpu);
    free(data);
}

static uint8_t *whole_file(const char *name, size_t *size)
{
    uint8_t *bytes;
    FILE *in = fopen(name, "rb");
    if (!in)
        exit(2);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    bytes = (uint8_t *)malloc(*size);
    if (!bytes || fread(bytes, 1, *size, in) != *size)
        exit(2);
    fclose(in);
    return bytes;
}

int main(int argc, char **argv)
{
    FILE *out;
    uint8_t *file;
    size_t size, at, info_size, words = 0, seen = 0;
    record r;
    iso_config config;
    isor_config kit_config;
    iso_gpu *gpu = NULL;
    int console;
    if (argc != 4 || !(out = fopen(argv[2], "wb")))
        return 2;
    file = whole_file(argv[1], &size);
    console = !strcmp(argv[3], "nv2a");
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = argv[3];
    config.threads = 1;
    config.memory_size = console ? RAM_SIZE : BOARD_SIZE;
    config.memory = (uint8_t *)calloc(config.memory_size, 1);
    if (!console) {
        config.gart_size = BOARD_SIZE;
        config.gart = (uint8_t *)calloc(config.gart_size, 1);
    }
    config.wrote = drawn;
    if (iso_gpu_new(&config, &gpu) < 0)
        die("new");
    memset(&kit_config, 0, sizeof kit_config);
    kit_config.chip = argv[3];
    kit_config.write = to_file;
    kit_config.user = out;
    kit_config.memory = config.memory;
    kit_config.memory_size = config.memory_size;
    kit_config.gart = config.gart;
    kit_config.gart_size = config.gart_size;

    at = 8;
    next(file, size, &at, &r);
    info_size = at;
    while (next(file, size, &at, &r))
        words += is(&r, "PUSH") ? r.size / 4 : 0;
    at = info_size;
    while (next(file, size, &at, &r)) {
        size_t count = r.size / 4;
        if (kit) {
            record_rest(gpu, file, info_size, &r);
        } else if (!is(&r, "PUSH") || seen + count <= words / 2) {
            run(gpu, file, info_size, &r);
            seen += is(&r, "PUSH") ? count : 0;
        } else {
            begin_inside(gpu, &kit_config, &r, words / 2 - seen);
        }
    }
    iso_gpu_free(gpu);
    free(config.memory);
    free(config.gart);
    free(file);
    return isor_end(kit) || fclose(out);
}
