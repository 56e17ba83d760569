/* Draws, forks, and looks at what the child has: the device that it inherits is gone, its exit
 * handlers end all the same, and a program that it starts has a chip of its own. Then the parent
 * draws with two contexts in turn. Says "ok" if all is well. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <errno.h>
#include <fcntl.h>
#include <gbm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 32

static EGLDisplay display;

static void fail(const char *what)
{
    fprintf(stderr, "family: %s (EGL %#x, errno %d)\n", what, eglGetError(), errno);
    _exit(1);
}

static void current(EGLSurface surface, EGLContext context)
{
    if (!eglMakeCurrent(display, surface, surface, context))
        fail("no current context");
}

static void check(float r, float g, float b)
{
    unsigned char p[4];
    glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    if (p[0] != (int)(255 * r) || p[1] != (int)(255 * g) || p[2] != (int)(255 * b)) {
        fprintf(stderr, "family: %d %d %d\n", p[0], p[1], p[2]);
        fail("wrong colour");
    }
}

static int ended(pid_t child)
{
    int status = -1;
    if (waitpid(child, &status, 0) != child)
        fail("no child");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* DRM_IOCTL_GEM_CLOSE of a handle that never was. */
static int close_nothing(int fd)
{
    unsigned int request[2] = { 12345, 0 };
    return ioctl(fd, 0x40086409, request) == 0 ? 0 : errno;
}

static void fork_children(int fd, char **program)
{
    pid_t child = fork();
    if (child == 0)
        exit(close_nothing(fd) == ENODEV ? 7 : 8);
    if (ended(child) != 7)
        fail("the child has its parent's device");
    if ((child = fork()) == 0) {
        execv(program[0], program);
        _exit(9);
    }
    if (ended(child) != 0)
        fail("the child's program failed");
    if (close_nothing(fd) != EINVAL)
        fail("the parent's device is gone");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        fail("usage: family program arguments ...");
    int fd = open("/dev/dri/renderD128", O_RDWR);
    struct gbm_device *gbm = fd < 0 ? NULL : gbm_create_device(fd);
    if (!gbm)
        fail("no GBM device");
    display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("no display");
    EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8,
                        EGL_BLUE_SIZE, 8, EGL_NONE };
    EGLConfig config;
    EGLint count = 0, format = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
        fail("no config");
    eglGetConfigAttrib(display, config, EGL_NATIVE_VISUAL_ID, &format);
    EGLContext contexts[2];
    EGLSurface surfaces[2];
    for (int i = 0; i < 2; i++) {
        contexts[i] = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
        struct gbm_surface *window = gbm_surface_create(gbm, SIZE, SIZE, format, GBM_BO_USE_RENDERING);
        surfaces[i] = eglCreatePlatformWindowSurface(display, config, window, NULL);
        if (!contexts[i] || !surfaces[i])
            fail("no context or surface");
    }
    current(surfaces[0], contexts[0]);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    check(1, 0, 0);
    fork_children(fd, argv + 1);
    current(surfaces[1], contexts[1]);
    glClearColor(0, 0, 1, 1);
    for (int i = 0; i < 3; i++) {
        current(surfaces[1], contexts[1]);
        glClear(GL_COLOR_BUFFER_BIT);
        current(surfaces[0], contexts[0]);
        check(1, 0, 0);
        current(surfaces[1], contexts[1]);
        check(0, 0, 1);
    }
    puts("ok");
    return 0;
}
