/* Hostile use: NULL, short buffers, wrong order, two threads. A status each time, no crash. */
#include "isotherm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(int line, iso_status got, iso_status wanted)
{
    if (got != wanted) {
        fprintf(stderr, "line %d: %d, %d expected (%s)\n", line, (int)got, (int)wanted,
                iso_last_error());
        failures++;
    }
}
#define EXPECT(call, wanted) expect(__LINE__, call, ISO_STATUS_##wanted)

static iso_gpu *chip(const char *name)
{
    iso_config config;
    iso_gpu *gpu = NULL;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = name;
    config.threads = 1;
    config.memory_size = 1 << 20;
    EXPECT(iso_gpu_new(&config, &gpu), OK);
    return gpu;
}

/* Words beyond the budget are refused; the next call has it anew. */
static void budgets(void)
{
    iso_gpu *gpu = chip("nv2a");
    uint32_t words[64] = {0};
    EXPECT(iso_budget(gpu, 0, 100, 0, 0), OK);
    EXPECT(iso_push(gpu, words, 64), BAD_DATA);
    if (!strstr(iso_last_error(), "over budget: pusher: more than 100 steps"))
        failures++;
    EXPECT(iso_push(gpu, words, 8), OK);
    EXPECT(iso_budget(gpu, 0, 0, 0, 0), OK);
    EXPECT(iso_push(gpu, words, 64), OK);
    EXPECT(iso_budget(gpu, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX), OK);
    EXPECT(iso_push(gpu, words, 64), OK);
    EXPECT(iso_budget(NULL, 1, 1, 1, 1), NULL_POINTER);
    EXPECT(iso_gpu_free(gpu), OK);
}

static void nulls(void)
{
    iso_gpu *gpu = chip("nv2a");
    iso_gpu *none = gpu;
    iso_bytes *bytes = NULL;
    uint32_t words[4] = {0, 0, 0, 0};
    EXPECT(iso_gpu_new(NULL, &none), NULL_POINTER);
    if (none)
        failures++;
    EXPECT(iso_gpu_new(NULL, NULL), NULL_POINTER);
    EXPECT(iso_push(NULL, words, 4), NULL_POINTER);
    EXPECT(iso_push(gpu, NULL, 4), NULL_POINTER);
    EXPECT(iso_push(gpu, NULL, 0), OK);
    EXPECT(iso_method(NULL, 0, 0, 0), NULL_POINTER);
    EXPECT(iso_resume(NULL), NULL_POINTER);
    EXPECT(iso_fetch(gpu, NULL, 1), NULL_POINTER);
    EXPECT(iso_finish(NULL), NULL_POINTER);
    EXPECT(iso_memory_write(gpu, 0, NULL, 1), NULL_POINTER);
    EXPECT(iso_memory_read(gpu, 0, NULL, 1), NULL_POINTER);
    EXPECT(iso_color_target(gpu, NULL), NULL_POINTER);
    EXPECT(iso_read_rgba(gpu, NULL, NULL, 0), NULL_POINTER);
    EXPECT(iso_stop_reason(gpu, NULL), NULL_POINTER);
    EXPECT(iso_words_waiting(gpu, NULL), NULL_POINTER);
    EXPECT(iso_reference(gpu, NULL), NULL_POINTER);
    EXPECT(iso_state_save(gpu, NULL), NULL_POINTER);
    EXPECT(iso_state_load(gpu, NULL, 9), NULL_POINTER);
    EXPECT(iso_record_begin(gpu, NULL, NULL), NULL_POINTER);
    EXPECT(iso_pixel_history(gpu, NULL), NULL_POINTER);
    EXPECT(iso_draw_reports(gpu, NULL), NULL_POINTER);
    EXPECT(iso_explain(NULL, "RASTER", words, 1, &bytes), NULL_POINTER);
    EXPECT(iso_explain("nv2a", NULL, words, 1, &bytes), NULL_POINTER);
    EXPECT(iso_explain("nv2a", "RASTER", NULL, 1, &bytes), NULL_POINTER);
    EXPECT(iso_explain("nv2a", "RASTER", words, 1, NULL), NULL_POINTER);
    EXPECT(iso_objects_from_ramht(gpu, NULL, 16, 0, 8, 0, NULL), NULL_POINTER);
    EXPECT(iso_gpu_free(gpu), OK);
    EXPECT(iso_gpu_free(NULL), OK);
    iso_bytes_free(NULL);
    if (iso_bytes_data(NULL) || iso_bytes_size(NULL))
        failures++;
}

static void short_and_wrong(void)
{
    iso_gpu *gpu = chip("nv2a"), *other = NULL;
    iso_config config;
    iso_surface surface;
    iso_fifo fifo;
    iso_bytes *bytes = NULL;
    uint8_t buffer[64] = {0};
    uint32_t value = 0;
    memset(&config, 0, sizeof config);
    EXPECT(iso_gpu_new(&config, &other), STRUCT_SIZE);
    config.size = sizeof config;
    EXPECT(iso_gpu_new(&config, &other), NULL_POINTER);
    config.chip = "nv99";
    EXPECT(iso_gpu_new(&config, &other), BAD_ARGUMENT);
    config.chip = "nv2a";
    config.memory_size = 12345;
    EXPECT(iso_gpu_new(&config, &other), BAD_ARGUMENT);
    config.memory_size = (size_t)-1;
    EXPECT(iso_gpu_new(&config, &other), BAD_ARGUMENT);
    memset(&surface, 0, sizeof surface);
    EXPECT(iso_color_target(gpu, &surface), NOTHING);
    EXPECT(iso_read_rgba(gpu, &surface, buffer, sizeof buffer), STRUCT_SIZE);
    surface.size = sizeof surface;
    surface.width = surface.height = 16;
    surface.pitch = 64;
    surface.format = ISO_FORMAT_A8R8G8B8;
    EXPECT(iso_read_rgba(gpu, &surface, buffer, sizeof buffer), SHORT_BUFFER);
    surface.format = 77;
    EXPECT(iso_read_rgba(gpu, &surface, buffer, sizeof buffer), BAD_ARGUMENT);
    surface.format = ISO_FORMAT_A8R8G8B8;
    surface.width = surface.height = 0xFFFFFFFF;
    EXPECT(iso_read_rgba(gpu, &surface, buffer, sizeof buffer), BAD_ARGUMENT);
    EXPECT(iso_read_words(gpu, &surface, &value, 1), BAD_ARGUMENT);
    EXPECT(iso_method(gpu, 8, 0, 0), BAD_ARGUMENT);
    EXPECT(iso_method(gpu, 0, 0x2000, 0), BAD_ARGUMENT);
    EXPECT(iso_push(gpu, (const uint32_t *)(const void *)(buffer + 1), 2), BAD_ARGUMENT);
    EXPECT(iso_push(gpu, &value, (size_t)-1 / 2), BAD_ARGUMENT);
    EXPECT(iso_objects_from_ramht(gpu, buffer, 64, 60, 8, 0, NULL), BAD_ARGUMENT);
    EXPECT(iso_objects_from_ramht(gpu, buffer, 64, (size_t)-4, 8, 0, NULL), BAD_ARGUMENT);
    EXPECT(iso_objects_from_ramht(gpu, buffer, 64, 0, 64, 999, NULL), BAD_ARGUMENT);
    EXPECT(iso_memory_read(gpu, 0xFFFFFFF0, buffer, sizeof buffer), OK);
    EXPECT(iso_memory_write(gpu, 0xFFFFFFF0, buffer, sizeof buffer), OK);
    EXPECT(iso_cpu_wrote(gpu, 0xFFFFFFF0, (size_t)-1), OK);
    EXPECT(iso_pixel_watch(gpu, -2), BAD_ARGUMENT);
    EXPECT(iso_state_load(gpu, buffer, sizeof buffer), BAD_DATA);
    EXPECT(iso_explain("nv2a", "NOBODY", &value, 1, &bytes), BAD_ARGUMENT);
    memset(&fifo, 0, sizeof fifo);
    EXPECT(iso_fetch(gpu, &fifo, 1), STRUCT_SIZE);
    fifo.size = sizeof fifo;
    fifo.put = 4;
    fifo.limit = 0xFFFFF;
    EXPECT(iso_fetch(gpu, &fifo, 1000), OK);
    EXPECT(iso_vertex_job(gpu, &value, 1), WRONG_CHIP);
    EXPECT(iso_gpu_free(gpu), OK);
    gpu = chip("mali400");
    EXPECT(iso_push(gpu, &value, 1), WRONG_CHIP);
    EXPECT(iso_fragment_job(gpu, &value, 1), BAD_DATA);
    EXPECT(iso_gpu_free(gpu), OK);
}

static iso_gpu *inside;

static int32_t call_back(void *user, const iso_trap *trap)
{
    (void)trap;
    EXPECT(iso_finish(inside), BUSY);
    EXPECT(iso_gpu_free(inside), BUSY);
    ++*(int *)user;
    return ISO_ANSWER_WAIT;
}

static int32_t refuse(void *user, const uint8_t *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    return size > 8;
}

static void wrong_order(void)
{
    /* Bind a Kelvin; NO_OPERATION with an argument, twice. */
    static const uint32_t words[] = {1 << 18, 97, 1 << 18 | 0x100, 5, 1 << 18 | 0x100, 6};
    static const uint32_t open[] = {1 << 18 | 0x17FC, 5};
    iso_config config;
    iso_bytes *bytes = NULL;
    iso_stop stop;
    int calls = 0;
    size_t waiting = 0;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = "nv2a";
    config.threads = 1;
    config.user = &calls;
    config.interrupt = call_back;
    EXPECT(iso_gpu_new(&config, &inside), OK);
    EXPECT(iso_object_graphics(inside, 97, 0x97), OK);
    EXPECT(iso_resume(inside), OK);
    EXPECT(iso_record_end(inside), WRONG_ORDER);
    EXPECT(iso_record_picture(inside), WRONG_ORDER);
    EXPECT(iso_push(inside, words, 6), WAIT);
    EXPECT(iso_push(inside, words, 6), WRONG_ORDER);
    EXPECT(iso_method(inside, 0, 0x100, 0), WRONG_ORDER);
    EXPECT(iso_words_waiting(inside, &waiting), OK);
    memset(&stop, 0, sizeof stop);
    stop.size = sizeof stop;
    EXPECT(iso_stop_reason(inside, &stop), OK);
    if (waiting != 2 || stop.reason != ISO_WAIT_REASON_INTERRUPT || stop.trap.data != 5)
        failures++;
    EXPECT(iso_resume(inside), WAIT);
    EXPECT(iso_resume(inside), OK);
    if (calls != 2)
        failures++;
    EXPECT(iso_push(inside, open, 2), OK);
    EXPECT(iso_state_save(inside, &bytes), OK);
    iso_bytes_free(bytes);
    EXPECT(iso_hardware_state(inside, &bytes), WRONG_ORDER);
    EXPECT(iso_method(inside, 0, 0x17FC, 0), OK);
    EXPECT(iso_record_begin(inside, refuse, NULL), IO);
    EXPECT(iso_state_save(inside, &bytes), OK);
    EXPECT(iso_state_load(inside, iso_bytes_data(bytes), iso_bytes_size(bytes)), OK);
    EXPECT(iso_state_load(inside, iso_bytes_data(bytes), iso_bytes_size(bytes) / 2), BAD_DATA);
    iso_bytes_free(bytes);
    EXPECT(iso_gpu_free(inside), OK);
}

static void *pound(void *handle)
{
    static const uint32_t words[] = {1 << 18, 97, 1 << 18 | 0x100, 0};
    iso_gpu *gpu = (iso_gpu *)handle;
    int i;
    for (i = 0; i < 20000; i++) {
        iso_status status = iso_push(gpu, words, 4);
        if (status != ISO_STATUS_OK && status != ISO_STATUS_BUSY)
            return handle;
        status = iso_finish(gpu);
        if (status != ISO_STATUS_OK && status != ISO_STATUS_BUSY)
            return handle;
    }
    return NULL;
}

static void two_threads(void)
{
    iso_gpu *gpu = chip("nv2a");
    pthread_t threads[2];
    int i;
    EXPECT(iso_object_graphics(gpu, 97, 0x97), OK);
    for (i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, pound, gpu))
            exit(2);
    for (i = 0; i < 2; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        failures += bad != NULL;
    }
    EXPECT(iso_finish(gpu), OK);
    EXPECT(iso_gpu_free(gpu), OK);
}

static void looks(void)
{
    iso_gpu *gpu = chip("nv2a");
    iso_bytes *bytes = NULL;
    uint32_t value = 0x20600084;
    EXPECT(iso_explain("nv25", "RASTER", &value, 1, &bytes), OK);
    if (!strstr((const char *)iso_bytes_data(bytes), "isotherm-words-1"))
        failures++;
    iso_bytes_free(bytes);
    EXPECT(iso_inspect_draws(gpu, 1), OK);
    EXPECT(iso_draw_reports(gpu, &bytes), OK);
    if (strcmp((const char *)iso_bytes_data(bytes), "{\"draws\":[]}"))
        failures++;
    iso_bytes_free(bytes);
    EXPECT(iso_pixel_watch(gpu, 0x1000), OK);
    EXPECT(iso_pixel_history(gpu, &bytes), OK);
    iso_bytes_free(bytes);
    EXPECT(iso_gpu_free(gpu), OK);
    if (iso_version() < 1000)
        failures++;
}

/* Arguments that lie in the memory that the chip uses itself. */
static void own_memory(void)
{
    enum { SIZE = 1 << 20 };
    static uint32_t guest[SIZE / 4];
    iso_config config;
    iso_gpu *gpu = NULL;
    iso_surface surface;
    uint8_t *bytes = (uint8_t *)guest;
    int i;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = "nv40";
    config.threads = 1;
    config.memory = bytes;
    config.memory_size = SIZE;
    EXPECT(iso_gpu_new(&config, &gpu), OK);
    for (i = 0; i < 64; i++)
        bytes[i] = (uint8_t)i;
    /* Over itself, in both directions: as memmove does it. */
    EXPECT(iso_memory_write(gpu, 8, bytes, 56), OK);
    for (i = 0; i < 56; i++)
        failures += bytes[8 + i] != i;
    EXPECT(iso_memory_write(gpu, 0, bytes + 8, 56), OK);
    for (i = 0; i < 56; i++)
        failures += bytes[i] != i;
    memset(guest, 0, 64);
    EXPECT(iso_push(gpu, guest + 4, 8), OK);
    EXPECT(iso_memory_read(gpu, 0, bytes + 100, 50), BAD_ARGUMENT);
    EXPECT(iso_memory_read(gpu, 0, bytes + SIZE - 1, 50), BAD_ARGUMENT);
    memset(&surface, 0, sizeof surface);
    surface.size = sizeof surface;
    surface.width = surface.height = 4;
    surface.pitch = 64;
    surface.samples_x = surface.samples_y = 1;
    EXPECT(iso_read_rgba(gpu, &surface, bytes, 64), BAD_ARGUMENT);
    EXPECT(iso_read_words(gpu, &surface, guest, 16), BAD_ARGUMENT);
    EXPECT(iso_gpu_free(gpu), OK);
}

int main(void)
{
    own_memory();
    budgets();
    nulls();
    short_and_wrong();
    wrong_order();
    two_threads();
    looks();
    printf("%d failures\n", failures);
    return failures != 0;
}
