/* How fast commands go through the C interface, and what the recorder kit costs. Times are of the
 * processor, in seconds.
 *
 *     bench methods            state words, nothing drawn
 *     bench frames IN CHIP     pushing and drawing a capture; IN is without compression, its memory
 *                              is borrowed
 *     bench kit IN CHIP        the same, recorded by the kit: seconds and bytes of the start,
 *                              seconds and bytes of the rest, seconds of comparing 64 MiB once,
 *                              seconds of drawing
 */
#include "isotherm.h"
#include "isotherm_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RAM_SIZE = 64 << 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(iso_status status)
{
    if (status < 0) {
        fprintf(stderr, "%d: %s\n", (int)status, iso_last_error());
        exit(1);
    }
}

/* A chip with memory of its own, or with these two. */
static iso_gpu *chip(const char *name, uint8_t *memory, uint8_t *gart)
{
    iso_gpu *gpu = NULL;
    iso_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = name;
    config.threads = 1;
    config.memory = memory;
    config.memory_size = RAM_SIZE;
    config.gart = gart;
    config.gart_size = gart ? RAM_SIZE : 0;
    check(iso_gpu_new(&config, &gpu));
    return gpu;
}

static void methods(void)
{
    enum { GROUPS = 4096, ROUNDS = 200 };
    static uint32_t words[GROUPS * 9];
    static const uint32_t bind[] = {1 << 18, 97};
    iso_gpu *gpu = chip("nv2a", NULL, NULL);
    double start;
    int i, j;
    for (i = 0; i < GROUPS; i++) {
        words[9 * i] = 8 << 18 | 0x300;
        for (j = 0; j < 8; j++)
            words[9 * i + 1 + j] = (uint32_t)(i & 1);
    }
    check(iso_object_graphics(gpu, 97, 0x97));
    check(iso_push(gpu, bind, 2));
    start = now();
    for (i = 0; i < ROUNDS; i++)
        check(iso_push(gpu, words, GROUPS * 9));
    printf("%.6f\n", now() - start);
    iso_gpu_free(gpu);
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, 4);
    return word;
}

/* Runs one record that is no PUSH: a capture of its own. */
static void run(iso_gpu *gpu, const uint8_t *file, size_t info, size_t at, size_t size)
{
    uint8_t *part = (uint8_t *)malloc(info + size);
    memcpy(part, file, info);
    memcpy(part + info, file + at, size);
    check(iso_state_load(gpu, part, info + size));
    free(part);
}

static int count_bytes(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return 0;
}

/* A capture drawn, and recorded by the kit if there is one. */
static void frame(const uint8_t *file, size_t size, const char *name, int recorded)
{
    size_t info = 0, at = 8, written = 0, start_bytes;
    uint8_t *ram = (uint8_t *)calloc(RAM_SIZE, 1);
    uint8_t *gart = (uint8_t *)calloc(RAM_SIZE, 1);
    iso_gpu *gpu = chip(name, ram, gart);
    isor_recorder *kit = NULL;
    double drawn = 0, began = 0, kept = 0, compared = 0, start;
    if (recorded) {
        isor_config config;
        memset(&config, 0, sizeof config);
        config.chip = name;
        config.write = count_bytes;
        config.user = &written;
        config.memory = ram;
        config.memory_size = RAM_SIZE;
        config.gart = gart;
        config.gart_size = RAM_SIZE;
        start = now();
        if (isor_begin(&kit, &config) || isor_pages(kit))
            exit(1);
        began = now() - start;
    }
    start_bytes = written;
    while (at + 8 <= size) {
        size_t length = word_at(file + at + 4);
        if (!memcmp(file + at, "PUSH", 4)) {
            uint32_t *words = (uint32_t *)malloc(length);
            memcpy(words, file + at + 8, length);
            start = now();
            check(iso_push(gpu, words, length / 4));
            check(iso_finish(gpu));
            drawn += now() - start;
            if (kit) {
                start = now();
                isor_words(kit, words, length / 4);
                kept += now() - start;
            }
            free(words);
        } else if (info) {
            run(gpu, file, info, at, 8 + length);
            if (kit && !memcmp(file + at, "MEM ", 4)) {
                start = now();
                isor_changed(kit, word_at(file + at + 8), length - 4);
                kept += now() - start;
            }
        }
        at += 8 + length;
        info = info ? info : at;
    }
    if (kit) {
        size_t all = written;
        isor_gpu_wrote(kit, 0, RAM_SIZE);
        start = now();
        isor_compare(kit);
        /* Both memories; one is what a console has. */
        compared = (now() - start) / 2;
        printf("%.6f %lu %.6f %lu %.6f ", began, (unsigned long)start_bytes, kept,
               (unsigned long)(all - start_bytes), compared);
    }
    printf("%.6f\n", drawn);
    isor_end(kit);
    iso_gpu_free(gpu);
    free(ram);
    free(gart);
}

int main(int argc, char **argv)
{
    FILE *in;
    uint8_t *file;
    size_t size;
    if (argc == 2) {
        methods();
        return 0;
    }
    if (argc != 4 || !(in = fopen(argv[2], "rb")))
        return 2;
    fseek(in, 0, SEEK_END);
    size = (size_t)ftell(in);
    rewind(in);
    file = (uint8_t *)malloc(size);
    if (fread(file, 1, size, in) != size)
        return 2;
    frame(file, size, argv[3], !strcmp(argv[1], "kit"));
    free(file);
    return fclose(in);
}
