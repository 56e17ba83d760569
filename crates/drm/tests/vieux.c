/* Draws a triangle with nouveau_vieux, the driver of NV10 to NV28, and writes the picture to a
 * file: "P6" and RGB bytes, top row first.
 *
 * The driver left Mesa with version 22 and speaks only DRI2, by which an X server used to hand it
 * its buffers. This program is the server's half: it makes buffers and gives the driver their names.
 *
 *   cc -I MESA/include vieux.c -o vieux -ldl
 *   isotherm run --gpu nv20 -- ./vieux nouveau_vieux_dri.so out.ppm */
#define _GNU_SOURCE
#include <GL/gl.h>
#include <GL/internal/dri_interface.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define SIZE 128
#define PITCH (SIZE * 4)

static int device;

static void fail(const char *what)
{
    fprintf(stderr, "vieux: %s\n", what);
    exit(1);
}

/* DRM_NOUVEAU_GEM_NEW and DRM_GEM_FLINK: a buffer in VRAM that the CPU can map, and its name. */
static unsigned new_buffer(void)
{
    struct {
        uint32_t handle, domain;
        uint64_t size, offset, map;
        uint32_t tile_mode, tile_flags, channel, align;
    } new = { .domain = 2 | 8, .size = PITCH * SIZE, .align = 4096 };
    struct {
        uint32_t handle, name;
    } flink;
    if (ioctl(device, _IOWR('d', 0x80, new), &new))
        fail("no buffer");
    flink.handle = new.handle;
    if (ioctl(device, _IOWR('d', 0x0a, flink), &flink))
        fail("no name for a buffer");
    return flink.name;
}

/* The buffer of an attachment, made when it is first asked for. */
static __DRIbuffer *buffer(unsigned attachment)
{
    static __DRIbuffer buffers[32];
    __DRIbuffer *b = &buffers[attachment % 32];
    if (!b->name)
        *b = (__DRIbuffer){ attachment, new_buffer(), PITCH, 4, 0 };
    return b;
}

/* `step` is 2 where a format follows each attachment. */
static __DRIbuffer *answer(int *width, int *height, unsigned *list, int count, int *out, int step)
{
    static __DRIbuffer buffers[32];
    for (int i = 0; i < count; i++)
        buffers[i] = *buffer(list[i * step]);
    *width = *height = SIZE;
    *out = count;
    return buffers;
}

static __DRIbuffer *get_buffers(__DRIdrawable *d, int *w, int *h, unsigned *list, int count,
                                int *out, void *data)
{
    return answer(w, h, list, count, out, 1);
}

static __DRIbuffer *get_buffers_with_format(__DRIdrawable *d, int *w, int *h, unsigned *list,
                                            int count, int *out, void *data)
{
    return answer(w, h, list, count, out, 2);
}

static void flush_front(__DRIdrawable *d, void *data)
{
}

static const __DRIdri2LoaderExtension loader = {
    .base = { __DRI_DRI2_LOADER, 3 },
    .getBuffers = get_buffers,
    .flushFrontBuffer = flush_front,
    .getBuffersWithFormat = get_buffers_with_format,
};

static const void *extension(const __DRIextension **list, const char *name)
{
    for (; list && *list; list++)
        if (!strcmp((*list)->name, name))
            return *list;
    fail(name);
    return NULL;
}

/* A double-buffered configuration with eight bits per colour and depth. */
static const __DRIconfig *choose(const __DRIcoreExtension *core, const __DRIconfig **list)
{
    for (; *list; list++) {
        unsigned red = 0, depth = 0, both = 0;
        core->getConfigAttrib(*list, __DRI_ATTRIB_RED_SIZE, &red);
        core->getConfigAttrib(*list, __DRI_ATTRIB_DEPTH_SIZE, &depth);
        core->getConfigAttrib(*list, __DRI_ATTRIB_DOUBLE_BUFFER, &both);
        if (red == 8 && depth == 24 && both)
            return *list;
    }
    fail("no configuration");
    return NULL;
}

/* GL's functions, as the driver's dispatch has them. */
static void *(*proc_address)(const char *);
#define CALL(type, name, arguments) ((type)proc_address(name)) arguments

static void draw(void)
{
    typedef void (*F1)(unsigned);
    typedef void (*F2)(float, float);
    typedef void (*F3)(float, float, float);
    typedef void (*F4)(float, float, float, float);
    CALL(F4, "glClearColor", (0.25f, 0.5f, 0.75f, 1.0f));
    CALL(F1, "glClear", (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT));
    static const float corners[3][5] = {
        { 1, 0, 0, -0.8f, -0.8f }, { 0, 1, 0, 0.8f, -0.8f }, { 0, 0, 1, 0.0f, 0.8f },
    };
    CALL(F1, "glBegin", (GL_TRIANGLES));
    for (int i = 0; i < 3; i++) {
        CALL(F3, "glColor3f", (corners[i][0], corners[i][1], corners[i][2]));
        CALL(F2, "glVertex2f", (corners[i][3], corners[i][4]));
    }
    CALL(void (*)(void), "glEnd", ());
}

static void picture(const char *path)
{
    typedef void (*Read)(int, int, int, int, unsigned, unsigned, void *);
    static unsigned char rgba[SIZE * SIZE * 4];
    CALL(Read, "glReadPixels", (0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, rgba));
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("cannot write");
    fprintf(file, "P6\n%d %d\n255\n", SIZE, SIZE);
    for (int y = SIZE - 1; y >= 0; y--)
        for (int x = 0; x < SIZE; x++)
            fwrite(rgba + 4 * (y * SIZE + x), 1, 3, file);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        fail("usage: vieux nouveau_vieux_dri.so out.ppm");
    void *glapi = dlopen("libglapi.so.0", RTLD_NOW | RTLD_GLOBAL);
    void *driver = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!glapi || !driver)
        fail(dlerror());
    proc_address = (void *(*)(const char *))dlsym(glapi, "_glapi_get_proc_address");
    const __DRIextension **(*get)(void) =
        (const __DRIextension **(*)(void))dlsym(driver, "__driDriverGetExtensions_nouveau_vieux");
    if (!proc_address || !get)
        fail("not the driver");
    const __DRIextension **own = get();
    const __DRIcoreExtension *core = extension(own, __DRI_CORE);
    const __DRIdri2Extension *dri2 = extension(own, __DRI_DRI2);
    device = open("/dev/dri/renderD128", O_RDWR);
    if (device < 0)
        fail("no device");
    const __DRIextension *ours[] = { &loader.base, NULL };
    const __DRIconfig **configs = NULL;
    __DRIscreen *screen = dri2->createNewScreen(0, device, ours, &configs, NULL);
    if (!screen)
        fail("no screen");
    const __DRIconfig *config = choose(core, configs);
    __DRIdrawable *drawable = dri2->createNewDrawable(screen, config, NULL);
    __DRIcontext *context = dri2->createNewContext(screen, config, NULL, NULL);
    if (!context || !drawable || !core->bindContext(context, drawable, drawable))
        fail("no context");
    typedef const unsigned char *(*String)(unsigned);
    printf("%s\n", CALL(String, "glGetString", (GL_RENDERER)));
    draw();
    picture(argv[2]);
    return 0;
}
