/* Records a capture anew from its middle, as an emulator with the recorder kit does.
 *
 *     rerecord IN OUT
 *
 * IN is a capture without compression. Its first half runs on the model, which plays the
 * emulator; then the kit records: the chip's registers, all pages of memory, and what comes
 * after. Memory that the CPU changes is found by comparing pages.
 */
#include "isotherm.h"
#include "isotherm_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAM_SIZE = 64 << 20 };

typedef struct {
    const uint8_t *tag;
    const uint8_t *payload;
    uint32_t size;
} record;

static uint8_t *ram;

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

static int to_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)user) != size;
}

/* The start state: what the model says of its registers, through the kit. */
static void begin(iso_gpu *gpu, isor_recorder *kit)
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

static void record_rest(iso_gpu *gpu, isor_recorder *kit, const uint8_t *info, size_t info_size,
                        const record *r)
{
    if (is(r, "MEM ") || is(r, "COPY")) {
        run(gpu, info, info_size, r);
        isor_compare(kit);
    } else if (is(r, "PUSH")) {
        run(gpu, info, info_size, r);
        isor_words(kit, words_of(r), r->size / 4);
        /* What the model drew is no doing of the CPU. */
        iso_finish(gpu);
        isor_gpu_wrote(kit, 0, RAM_SIZE);
    } else {
        run(gpu, info, info_size, r);
        isor_record(kit, (const char *)r->tag, r->payload, r->size);
    }
}

int main(int argc, char **argv)
{
    FILE *in, *out;
    uint8_t *file;
    size_t size, at, info_size, words = 0, seen = 0;
    record r;
    iso_config config;
    isor_config kit_config;
    iso_gpu *gpu = NULL;
    isor_recorder *kit = NULL;
    if (argc != 3 || !(in = fopen(argv[1], "rb")) || !(out = fopen(argv[2], "wb")))
        return 2;
    fseek(in, 0, SEEK_END);
    size = (size_t)ftell(in);
    rewind(in);
    file = (uint8_t *)malloc(size);
    if (fread(file, 1, size, in) != size)
        return 2;
    ram = (uint8_t *)calloc(RAM_SIZE, 1);
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = "nv2a";
    config.threads = 1;
    config.memory = ram;
    config.memory_size = RAM_SIZE;
    if (iso_gpu_new(&config, &gpu) < 0)
        die("new");
    memset(&kit_config, 0, sizeof kit_config);
    kit_config.chip = "nv2a";
    kit_config.write = to_file;
    kit_config.user = out;
    kit_config.memory = ram;
    kit_config.memory_size = RAM_SIZE;

    at = 8;
    next(file, size, &at, &r);
    info_size = at;
    while (next(file, size, &at, &r))
        words += is(&r, "PUSH") ? r.size / 4 : 0;
    at = info_size;
    while (next(file, size, &at, &r)) {
        if (kit) {
            record_rest(gpu, kit, file, info_size, &r);
            continue;
        }
        if (!is(&r, "PUSH")) {
            run(gpu, file, info_size, &r);
            continue;
        }
        seen += r.size / 4;
        if (seen <= words / 2) {
            run(gpu, file, info_size, &r);
        } else {
            size_t count = r.size / 4, done;
            uint32_t *data = (uint32_t *)malloc(r.size);
            size_t before = words / 2 - (seen - count);
            size_t skip = 0;
            memcpy(data, r.payload, r.size);
            while (skip < before && skip < count)
                skip += 1 + (data[skip] >> 18 & 0x7FF);
            if (skip > count)
                skip = count;
            if (iso_push(gpu, data, skip) < 0)
                die("push");
            done = skip + push_until_possible(gpu, data + skip, count - skip);
            iso_finish(gpu);
            if (isor_begin(&kit, &kit_config))
                return 3;
            begin(gpu, kit);
            isor_words(kit, data + done, count - done);
            if (iso_push(gpu, data + done, count - done) < 0)
                die("push");
            iso_finish(gpu);
            isor_gpu_wrote(kit, 0, RAM_SIZE);
            free(data);
        }
    }
    iso_gpu_free(gpu);
    free(ram);
    free(file);
    fclose(in);
    return isor_end(kit) || fclose(out);
}
