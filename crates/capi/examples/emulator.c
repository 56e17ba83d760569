/* An emulator's loop: guest memory that the chip draws to, a pushbuffer in it, flips.
 *
 *     emulator PICTURES CAPTURE
 *
 * draws three frames, writes their pictures one after the other (64x32, RGBA) and a capture of
 * the last two, which is begun in the middle. Compile with
 *
 *     cc emulator.c $(pkg-config --cflags --libs isotherm)
 */
#include "isotherm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RAM_SIZE = 64 << 20,
    PUSHBUFFER = 0x02000000,
    COLOR = 0x00100000,
    WIDTH = 64,
    HEIGHT = 32,
    FRAMES = 3,
    /* Handles, as a driver would choose them. */
    MEMORY = 3,
    COLOR_SURFACE = 9,
    KELVIN = 13
};

/* The guest: its memory, and how far its pushbuffer is written. */
typedef struct {
    uint8_t *ram;
    uint32_t put;
    unsigned interrupts;
} guest;

static void check(iso_status status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "%s: %d, %s\n", what, (int)status, iso_last_error());
        exit(1);
    }
}

/* The guest's CPU writes a word of the pushbuffer. */
static void word(guest *g, uint32_t value)
{
    memcpy(g->ram + PUSHBUFFER + g->put, &value, 4);
    g->put += 4;
}

/* Data for a method and those after it. */
static void methods(guest *g, uint32_t first, const uint32_t *data, uint32_t count)
{
    uint32_t i;
    word(g, count << 18 | first);
    for (i = 0; i < count; i++)
        word(g, data[i]);
}

static void method(guest *g, uint32_t number, uint32_t data)
{
    methods(g, number, &data, 1);
}

static void repeated(guest *g, uint32_t first, uint32_t data, uint32_t count)
{
    for (; count > 0; count--, first += 4)
        method(g, first, data);
}

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

/* What a game does once. */
static void set_up(guest *g)
{
    static const uint32_t objects[] = {COLOR_SURFACE, MEMORY, MEMORY, MEMORY};
    static const uint32_t surface[] = {0x128, WIDTH * 4 << 16 | WIDTH * 4, 0, 0};
    static const uint32_t combiner[] = {4, 0x1400};
    static const uint32_t transform[] = {6, 0, 0, 0};
    /* oPos = v0, oD0 = v3: positions are the window's. */
    static const uint32_t program[2][4] = {{0, 0x0020001B, 0x0836106C, 0x2070F800},
                                           {0, 0x0020061B, 0x0836106C, 0x2070F819}};
    uint32_t depth[2];
    method(g, 0x0000, KELVIN);
    repeated(g, 0x0184, MEMORY, 2);
    methods(g, 0x0194, objects, 4);
    method(g, 0x0200, WIDTH << 16);
    method(g, 0x0204, HEIGHT << 16);
    methods(g, 0x0208, surface, 4);
    methods(g, 0x0288, combiner, 2);
    method(g, 0x1E60, 1);
    repeated(g, 0x02C0, (WIDTH - 1) << 16, 8);
    repeated(g, 0x02E0, (HEIGHT - 1) << 16, 8);
    repeated(g, 0x0300, 0, 15);
    method(g, 0x0358, 0x01010101);
    method(g, 0x037C, 0x1D01);
    repeated(g, 0x038C, 0x1B02, 2);
    depth[0] = bits(0.0f);
    depth[1] = bits(16777215.0f);
    methods(g, 0x0394, depth, 2);
    methods(g, 0x1E94, transform, 4);
    methods(g, 0x0B00, program[0], 4);
    methods(g, 0x0B00, program[1], 4);
    method(g, 0x0128, 2); /* two pictures take turns */
}

/* What it does for every frame. */
static void draw(guest *g, int frame)
{
    static const float vertices[3][6] = {
        {4, 30, 1, 0, 0, 1}, {32, 2, 0, 1, 0, 1}, {60, 30, 0, 0, 1, 1}};
    int i, j;
    method(g, 0x1D98, (WIDTH - 1) << 16);
    method(g, 0x1D9C, (HEIGHT - 1) << 16);
    method(g, 0x1D90, 0xFF000030 + (uint32_t)frame * 0x2000);
    method(g, 0x1D94, 0xF0);
    method(g, 0x17FC, 5); /* BEGIN triangles */
    for (i = 0; i < 3; i++) {
        uint32_t color[4], position[4];
        for (j = 0; j < 4; j++)
            color[j] = bits(vertices[i][2 + j]);
        position[0] = bits(vertices[i][0]);
        position[1] = bits(vertices[i][1] - (float)(i == 1 ? 0 : frame * 5));
        position[2] = bits(0.0f);
        position[3] = bits(1.0f);
        methods(g, 0x1550, color, 4);
        methods(g, 0x1518, position, 4);
    }
    method(g, 0x17FC, 0); /* END */
    method(g, 0x0100, 7); /* NO_OPERATION with an argument: the driver calls itself */
    method(g, 0x012C, 0); /* FLIP_INCREMENT_WRITE */
    method(g, 0x0130, 0); /* FLIP_STALL */
}

static int32_t on_interrupt(void *user, const iso_trap *trap)
{
    guest *g = (guest *)user;
    g->interrupts += trap->method == 0x100 && trap->data == 7;
    return ISO_ANSWER_GO;
}

/* The picture has to be shown first: the loop below does that. */
static int32_t on_flip(void *user, const iso_flip *flip)
{
    (void)user;
    return flip->has_surface ? ISO_ANSWER_WAIT : ISO_ANSWER_GO;
}

static void show(iso_gpu *gpu, FILE *out)
{
    uint8_t rgba[WIDTH * HEIGHT * 4];
    iso_surface surface;
    memset(&surface, 0, sizeof surface);
    surface.size = sizeof surface;
    check(iso_color_target(gpu, &surface), "target");
    check(iso_read_rgba(gpu, &surface, rgba, sizeof rgba), "read");
    if (fwrite(rgba, 1, sizeof rgba, out) != sizeof rgba)
        exit(1);
}

static int32_t on_bytes(void *user, const uint8_t *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)user) != size;
}

/* Runs the pushbuffer up to PUT. */
static void run(iso_gpu *gpu, iso_fifo *fifo, FILE *pictures, int recording)
{
    do {
        iso_status status = iso_fetch(gpu, fifo, 100000);
        iso_stop stop;
        check(status, "fetch");
        memset(&stop, 0, sizeof stop);
        stop.size = sizeof stop;
        check(iso_stop_reason(gpu, &stop), "stop");
        if (stop.reason == ISO_WAIT_REASON_FLIP) {
            show(gpu, pictures);
            if (recording)
                check(iso_record_picture(gpu), "picture");
            check(iso_picture_shown(gpu), "shown");
        }
    } while (fifo->ended == ISO_FETCH_END_WAIT);
    if (fifo->ended != ISO_FETCH_END_EMPTY) {
        fprintf(stderr, "the pusher ended with %u at %x\n", fifo->ended, fifo->get);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    guest g = {NULL, 0, 0};
    iso_config config;
    iso_gpu *gpu = NULL;
    iso_fifo fifo;
    FILE *pictures, *capture;
    int frame;
    if (argc != 3 || !(pictures = fopen(argv[1], "wb")) || !(capture = fopen(argv[2], "wb"))) {
        fprintf(stderr, "usage: emulator PICTURES CAPTURE\n");
        return 2;
    }
    g.ram = (uint8_t *)calloc(RAM_SIZE, 1);
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.chip = "nv2a";
    config.threads = 2;
    config.memory = g.ram;
    config.memory_size = RAM_SIZE;
    config.user = &g;
    config.interrupt = on_interrupt;
    config.flip = on_flip;
    check(iso_gpu_new(&config, &gpu), "new");
    check(iso_object_graphics(gpu, KELVIN, 0x97), "object");
    check(iso_object_dma(gpu, MEMORY, 0, RAM_SIZE - 1), "object");
    check(iso_object_dma(gpu, COLOR_SURFACE, COLOR, RAM_SIZE - 1 - COLOR), "object");

    memset(&fifo, 0, sizeof fifo);
    fifo.size = sizeof fifo;
    fifo.base = PUSHBUFFER;
    fifo.limit = RAM_SIZE - 1 - PUSHBUFFER;
    set_up(&g);
    for (frame = 0; frame < FRAMES; frame++) {
        uint32_t start = g.put;
        draw(&g, frame);
        check(iso_cpu_wrote(gpu, PUSHBUFFER + start, g.put - start), "wrote");
        if (frame == 1)
            check(iso_record_begin(gpu, on_bytes, capture), "record");
        fifo.put = g.put;
        run(gpu, &fifo, pictures, frame >= 1);
    }
    check(iso_record_end(gpu), "record");
    check(iso_gpu_free(gpu), "free");
    free(g.ram);
    printf("%d frames, %u interrupts\n", FRAMES, g.interrupts);
    return fclose(pictures) || fclose(capture) || g.interrupts != FRAMES;
}
