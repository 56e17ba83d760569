/* Draws a triangle without a window, through whatever driver renderD128 has, and writes the
 * picture to a file: "P6" and RGB bytes, top row first. Told to wait, it then stays until a
 * signal ends it. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <fcntl.h>
#include <gbm.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 128

static void fail(const char *what)
{
    fprintf(stderr, "triangle: %s (EGL %#x)\n", what, eglGetError());
    exit(1);
}

static void picture(const char *path)
{
    static unsigned char rgba[SIZE * SIZE * 4];
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
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
    if (argc != 2 && !(argc == 3 && !strcmp(argv[2], "wait")))
        fail("usage: triangle out.ppm [wait]");
    /* Tests that run in the background of a script have it ignored. */
    signal(SIGINT, SIG_DFL);
    int fd = open("/dev/dri/renderD128", O_RDWR);
    struct gbm_device *gbm = fd < 0 ? NULL : gbm_create_device(fd);
    if (!gbm)
        fail("no GBM device");
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("no display");
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("no context");
    printf("%s\n", (const char *)glGetString(GL_RENDERER));

    PFNGLGENFRAMEBUFFERSEXTPROC gen = (void *)eglGetProcAddress("glGenFramebuffersEXT");
    PFNGLBINDFRAMEBUFFEREXTPROC bind = (void *)eglGetProcAddress("glBindFramebufferEXT");
    PFNGLFRAMEBUFFERTEXTURE2DEXTPROC attach = (void *)eglGetProcAddress("glFramebufferTexture2DEXT");
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gen(1, &framebuffer);
    bind(GL_FRAMEBUFFER_EXT, framebuffer);
    attach(GL_FRAMEBUFFER_EXT, GL_COLOR_ATTACHMENT0_EXT, GL_TEXTURE_2D, texture, 0);
    glBindTexture(GL_TEXTURE_2D, 0);

    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0.25f, 0.5f, 0.75f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0);
    glVertex2f(-0.8f, -0.8f);
    glColor3f(0, 1, 0);
    glVertex2f(0.8f, -0.8f);
    glColor3f(0, 0, 1);
    glVertex2f(0.0f, 0.8f);
    glEnd();
    picture(argv[1]);
    if (argc == 3) {
        printf("%d waits\n", (int)getpid());
        fflush(stdout);
        for (;;)
            pause();
    }
    eglTerminate(display);
    return 0;
}
