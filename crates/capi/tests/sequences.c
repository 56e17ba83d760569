/* Calls of the C interface in any order with any arguments, from seeds: a status each time, and
 * never a fault of the library. Arguments: the first seed, how many sequences. */
#include "isotherm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static unsigned long calls;
static int failures;

static uint32_t any(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static uint32_t below(uint32_t count)
{
    return any() % count;
}

/* A number that may mean something. */
static uint32_t word(void)
{
    switch (below(6)) {
    case 0: return below(16);
    case 1: return below(0x2000) & ~3u;
    case 2: return below(1 << 20);
    case 3: return 1u << below(32);
    case 4: return 0u - below(16);
    default: return any();
    }
}

static uint64_t sequence;

static void check(int line, iso_status status)
{
    calls++;
    if (status < ISO_STATUS_IO || status > ISO_STATUS_NOTHING) {
        fprintf(stderr, "line %d, sequence %" PRIu64 ": status %d: %s\n", line, sequence,
                (int)status, iso_last_error());
        failures++;
    }
}
#define CALL(call) check(__LINE__, call)

static int32_t answer(void *user, const iso_trap *trap)
{
    (void)trap;
    return (int32_t)(++*(uint32_t *)user % 3 == 0);
}

static int32_t answer_flip(void *user, const iso_flip *flip)
{
    (void)flip;
    return (int32_t)(++*(uint32_t *)user % 2);
}

static int32_t take(void *user, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return ++*(uint32_t *)user % 1024 == 0;
}

static iso_gpu *chip(uint32_t *user)
{
    static const char *const names[] = {"nv2a", "nv10", "nv25", "nv34", "nv40", "mali400"};
    iso_config config;
    iso_gpu *gpu = NULL;
    uint32_t handle;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = names[below(6)];
    config.threads = 1 + below(2);
    config.memory_size = 1 << 20;
    config.check_memory = below(8) == 0;
    config.user = user;
    if (below(2)) {
        config.interrupt = answer;
        config.flip = answer_flip;
    }
    CALL(iso_gpu_new(&config, &gpu));
    /* Classes of all chips, and all memory. */
    for (handle = 0; gpu && handle < 6; handle++) {
        static const uint32_t classes[] = {0x97, 0x56, 0x597, 0x697, 0x4097, 0x9F};
        CALL(iso_object_graphics(gpu, handle + 1, classes[handle]));
    }
    if (gpu)
        CALL(iso_object_dma(gpu, 9, 0, 0xFFFFF));
    return gpu;
}

static void surface(iso_surface *out)
{
    memset(out, 0, sizeof *out);
    out->size = below(8) ? sizeof *out : below(64);
    out->address = word();
    out->width = below(4) ? below(64) : word();
    out->height = below(4) ? below(64) : word();
    out->pitch = below(3) ? below(512) : 0;
    out->log_width = below(4) ? below(8) : word();
    out->log_height = below(4) ? below(8) : word();
    out->format = below(16);
    out->samples_x = below(4);
    out->samples_y = below(4);
}

static void bytes_of(iso_gpu *gpu, iso_status (*make)(iso_gpu *, iso_bytes **), int load)
{
    iso_bytes *bytes = NULL;
    CALL(make(gpu, below(16) ? &bytes : NULL));
    if (bytes && load) {
        size_t size = iso_bytes_size(bytes);
        uint8_t *copy = (uint8_t *)malloc(size ? size : 1);
        memcpy(copy, iso_bytes_data(bytes), size);
        /* As it is, cut, or with a byte changed. */
        if (below(2) && size)
            copy[below((uint32_t)size)] = (uint8_t)any();
        CALL(iso_state_load(gpu, copy, below(4) ? size : below((uint32_t)size + 1)));
        free(copy);
    }
    iso_bytes_free(bytes);
}

static void push(iso_gpu *gpu)
{
    uint32_t words[64];
    size_t count = below(64), at = 0;
    while (at + 1 < count) {
        uint32_t method = below(4) ? below(0x800) * 4 : 0;
        words[at++] = 1 << 18 | below(2) << 13 | method;
        words[at++] = method ? word() : 1 + below(10);
    }
    CALL(iso_push(gpu, words, at));
}

static void jobs(iso_gpu *gpu)
{
    uint32_t frame[80];
    size_t i;
    for (i = 0; i < 80; i++)
        frame[i] = below(2) ? 0 : word();
    CALL(iso_vertex_job(gpu, frame, below(12)));
    CALL(iso_fragment_job(gpu, frame, below(3) ? 68 : below(80)));
}

static void fetch(iso_gpu *gpu)
{
    iso_fifo fifo;
    memset(&fifo, 0, sizeof fifo);
    fifo.size = below(8) ? sizeof fifo : below(40);
    fifo.base = below(4) ? 0 : word();
    fifo.limit = below(4) ? 0xFFFFF : word();
    fifo.get = below(0x400) & ~3u;
    fifo.put = below(0x400) & ~3u;
    fifo.calls = below(3);
    fifo.return_to = word();
    CALL(iso_fetch(gpu, &fifo, below(512)));
}

static void looks(iso_gpu *gpu)
{
    static uint32_t room[64 * 64];
    static const char *const names[] = {"RASTER", "rsw", "97:1e60", "TEX_FILTER[1]", "", "?"};
    iso_surface target;
    iso_stop stop;
    iso_bytes *text = NULL;
    size_t count = 0;
    uint32_t value = 0;
    memset(&stop, 0, sizeof stop);
    stop.size = sizeof stop;
    surface(&target);
    switch (below(8)) {
    case 0: CALL(iso_color_target(gpu, &target)); break;
    case 1: CALL(iso_depth_target(gpu, &target)); break;
    case 2: CALL(iso_read_rgba(gpu, &target, (uint8_t *)room, below(sizeof room + 1))); break;
    case 3: CALL(iso_read_words(gpu, &target, room, below(64 * 64 + 1))); break;
    case 4: CALL(iso_stop_reason(gpu, &stop)); break;
    case 5: CALL(iso_words_waiting(gpu, &count)); break;
    case 6: CALL(iso_reference(gpu, &value)); break;
    default:
        room[0] = any();
        CALL(iso_explain(below(4) ? "nv2a" : "mali400", names[below(6)], room, below(3), &text));
        iso_bytes_free(text);
    }
}

static void step(iso_gpu *gpu, uint32_t *user)
{
    uint8_t data[256];
    size_t i, size = below(sizeof data + 1);
    for (i = 0; i < size; i++)
        data[i] = (uint8_t)any();
    switch (below(22)) {
    case 0: CALL(iso_object_dma(gpu, below(12), word(), word())); break;
    case 1: CALL(iso_object_graphics(gpu, below(12), below(2) ? 0x97 : word())); break;
    case 2: CALL(iso_objects_clear(gpu)); break;
    case 3: CALL(iso_register_write(gpu, below(2) ? 0x400000 + word() % 0x2000 : word(), word())); break;
    case 4: CALL(iso_cpu_wrote(gpu, word(), below(2) ? size : word())); break;
    case 5: CALL(iso_memory_write(gpu, below(4) ? below(0x400) : word(), data, size)); break;
    case 6: CALL(iso_memory_read(gpu, word(), data, size)); break;
    case 7: CALL(iso_picture_shown(gpu)); break;
    case 8: CALL(iso_inspect_draws(gpu, (int32_t)below(2))); break;
    case 9: bytes_of(gpu, iso_draw_reports, 0); break;
    case 10: CALL(iso_pixel_watch(gpu, below(3) ? (int64_t)word() : -1)); break;
    case 11: bytes_of(gpu, iso_pixel_history, 0); break;
    case 12: CALL(iso_method(gpu, below(8), below(0x2000) & ~3u, word())); break;
    case 13: CALL(iso_resume(gpu)); break;
    case 14: CALL(iso_finish(gpu)); break;
    case 15: if (below(4) == 0) bytes_of(gpu, iso_state_save, 1); break;
    case 16: if (below(4) == 0) bytes_of(gpu, iso_hardware_state, 1); break;
    case 17: CALL(below(2) ? iso_record_begin(gpu, take, user) : iso_record_end(gpu)); break;
    case 18: jobs(gpu); break;
    case 19: fetch(gpu); break;
    case 20: looks(gpu); break;
    default: push(gpu);
    }
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    for (sequence = first; sequence < first + count; sequence++) {
        uint32_t user = 0, steps;
        iso_gpu *gpu;
        state = sequence * 0x9E3779B97F4A7C15u + 1;
        gpu = chip(&user);
        if (!gpu) {
            failures++;
            continue;
        }
        for (steps = 8 + below(120); steps; steps--)
            step(gpu, &user);
        CALL(iso_gpu_free(gpu));
    }
    printf("%lu calls, %d failures\n", calls, failures);
    return failures != 0;
}
