/* How fast commands go through the C interface.
 *
 *     bench methods            methods per second: state words, nothing drawn
 *     bench frames IN          seconds of pushing and drawing a capture, the best of five;
 *                              IN is without compression, its memory is borrowed
 */
#include "isotherm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(iso_status status)
{
    if (status < 0) {
        fprintf(stderr, "%d: %s\n", (int)status, iso_last_error());
        exit(1);
    }
}

static iso_gpu *chip(const char *name, uint8_t *memory, size_t size)
{
    iso_gpu *gpu = NULL;
    iso_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = name;
    config.threads = 1;
    config.memory = memory;
    config.memory_size = size;
    config.gart_size = memory ? 64 << 20 : 0;
    check(iso_gpu_new(&config, &gpu));
    return gpu;
}

static void methods(void)
{
    enum { GROUPS = 4096, ROUNDS = 200 };
    static uint32_t words[GROUPS * 9];
    static const uint32_t bind[] = {1 << 18, 97};
    iso_gpu *gpu = chip("nv2a", NULL, 64 << 20);
    double best = 1e9;
    int i, j, k;
    for (i = 0; i < GROUPS; i++) {
        words[9 * i] = 8 << 18 | 0x300;
        for (j = 0; j < 8; j++)
            words[9 * i + 1 + j] = (uint32_t)(i & 1);
    }
    check(iso_object_graphics(gpu, 97, 0x97));
    check(iso_push(gpu, bind, 2));
    for (k = 0; k < 5; k++) {
        double start = now();
        for (i = 0; i < ROUNDS; i++)
            check(iso_push(gpu, words, GROUPS * 9));
        if (now() - start < best)
            best = now() - start;
    }
    iso_gpu_free(gpu);
    printf("%.0f\n", 8.0 * GROUPS * ROUNDS / best);
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, 4);
    return word;
}

static double frame(const uint8_t *file, size_t size, const char *name)
{
    size_t ram_size = 256 << 20, info = 0, at = 8;
    uint8_t *ram = (uint8_t *)calloc(ram_size, 1);
    iso_gpu *gpu = chip(name, ram, ram_size);
    double spent = 0;
    while (at + 8 <= size) {
        size_t length = word_at(file + at + 4);
        if (!memcmp(file + at, "PUSH", 4)) {
            uint32_t *words = (uint32_t *)malloc(length);
            double start;
            memcpy(words, file + at + 8, length);
            start = now();
            check(iso_push(gpu, words, length / 4));
            check(iso_finish(gpu));
            spent += now() - start;
            free(words);
        } else if (info) {
            uint8_t *part = (uint8_t *)malloc(info + 8 + length);
            memcpy(part, file, info);
            memcpy(part + info, file + at, 8 + length);
            check(iso_state_load(gpu, part, info + 8 + length));
            free(part);
        }
        at += 8 + length;
        info = info ? info : at;
    }
    iso_gpu_free(gpu);
    free(ram);
    return spent;
}

int main(int argc, char **argv)
{
    FILE *in;
    uint8_t *file;
    size_t size;
    double best = 1e9;
    int i;
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
    for (i = 0; i < 5; i++) {
        double spent = frame(file, size, argv[3]);
        best = spent < best ? spent : best;
    }
    printf("%.6f\n", best);
    free(file);
    return fclose(in);
}
