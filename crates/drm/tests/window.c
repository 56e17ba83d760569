/* Draws frames into a Wayland window whose size changes, and writes each picture to a file
 * before it is shown: "P6" and RGB bytes, top row first. The surface gets no role, so that
 * nothing but the core protocol is needed; frames are shown to the compositor all the same.
 *
 * window FOLDER: FOLDER/0.ppm, FOLDER/1.ppm, ... */
#include <EGL/egl.h>
#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>
#include <wayland-egl.h>

static const int sizes[][2] = {{128, 128}, {128, 128}, {100, 60}, {100, 60}, {64, 192}, {256, 64}, {256, 64}};

static struct wl_compositor *compositor;

static void fail(const char *what)
{
    fprintf(stderr, "window: %s (EGL %#x)\n", what, eglGetError());
    exit(1);
}

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
    (void)data, (void)version;
    if (!strcmp(interface, "wl_compositor"))
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}

static void gone(void *data, struct wl_registry *registry, uint32_t name)
{
    (void)data, (void)registry, (void)name;
}

static void picture(const char *folder, int frame, int width, int height)
{
    static unsigned char rgba[256 * 256 * 4];
    char path[4096];
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    snprintf(path, sizeof path, "%s/%d.ppm", folder, frame);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("cannot write");
    fprintf(file, "P6\n%d %d\n255\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        for (int x = 0; x < width; x++)
            fwrite(rgba + 4 * (y * width + x), 1, 3, file);
    fclose(file);
}

static void draw(int frame, int width, int height)
{
    glViewport(0, 0, width, height);
    glClearColor(0.25f, 0.1f * frame, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0), glVertex2f(-0.9f, -0.8f);
    glColor3f(0, 1, 0), glVertex2f(0.8f, -0.3f + 0.1f * frame);
    glColor3f(1, 1, 0), glVertex2f(-0.1f * frame, 0.9f);
    glEnd();
}

int main(int argc, char **argv)
{
    static const struct wl_registry_listener listener = {global, gone};
    static const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                        EGL_RED_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_NONE};
    struct wl_display *display = wl_display_connect(NULL);
    if (argc != 2 || !display)
        fail("no folder or no compositor");
    wl_registry_add_listener(wl_display_get_registry(display), &listener, NULL);
    wl_display_roundtrip(display);
    EGLDisplay egl = eglGetDisplay((EGLNativeDisplayType)display);
    EGLConfig config;
    EGLint count;
    if (!compositor || !eglInitialize(egl, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)
        || !eglChooseConfig(egl, attributes, &config, 1, &count) || count < 1)
        fail("no EGL");
    struct wl_surface *surface = wl_compositor_create_surface(compositor);
    struct wl_egl_window *window = wl_egl_window_create(surface, sizes[0][0], sizes[0][1]);
    EGLContext context = eglCreateContext(egl, config, EGL_NO_CONTEXT, NULL);
    EGLSurface drawable = eglCreateWindowSurface(egl, config, (EGLNativeWindowType)window, NULL);
    if (!context || !drawable || !eglMakeCurrent(egl, drawable, drawable, context))
        fail("no window");
    printf("%s\n", glGetString(GL_RENDERER));
    /* Nobody looks at the surface, so nobody says when to draw. */
    eglSwapInterval(egl, 0);
    for (int frame = 0; frame < (int)(sizeof sizes / sizeof *sizes); frame++) {
        int width = sizes[frame][0], height = sizes[frame][1];
        wl_egl_window_resize(window, width, height, 0, 0);
        draw(frame, width, height);
        picture(argv[1], frame, width, height);
        if (!eglSwapBuffers(egl, drawable))
            fail("not shown");
    }
    if (wl_display_roundtrip(display) < 0)
        fail("the compositor did not like it");
    eglDestroySurface(egl, drawable);
    eglTerminate(egl);
    wl_display_disconnect(display);
    printf("ok\n");
}
