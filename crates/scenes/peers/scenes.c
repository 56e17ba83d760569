/* The scenes of ../src/bench.rs in OpenGL 2, for Mesa's software drivers.

   scenes NAME WIDTH HEIGHT SECONDS    draws frames for SECONDS and prints their number per second
   scenes NAME WIDTH HEIGHT FILE.ppm   draws one frame and writes it

   Built by `cargo xtask bench`: cc -O2 scenes.c -o scenes -lEGL -lGL -lm */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int width, height;

static void fail(const char *what)
{
    fprintf(stderr, "scenes: %s\n", what);
    exit(1);
}

/* A context and a surface without a window; depth only where the scene needs it. */
static void start(int depth)
{
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL))
        fail("no display");
    eglBindAPI(EGL_OPENGL_API);
    EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
        EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8,
        EGL_DEPTH_SIZE, depth, EGL_NONE };
    EGLConfig configs[256], config = NULL;
    EGLint count = 0;
    eglChooseConfig(display, wanted, configs, 256, &count);
    for (int i = 0; i < count && !config; i++) {
        EGLint bits, alpha, stencil, samples;
        eglGetConfigAttrib(display, configs[i], EGL_DEPTH_SIZE, &bits);
        eglGetConfigAttrib(display, configs[i], EGL_STENCIL_SIZE, &stencil);
        eglGetConfigAttrib(display, configs[i], EGL_ALPHA_SIZE, &alpha);
        eglGetConfigAttrib(display, configs[i], EGL_SAMPLES, &samples);
        if (bits == depth && alpha == 8 && !stencil && !samples)
            config = configs[i];
    }
    if (!config)
        fail("no such surface");
    EGLint size[] = { EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE };
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (!context || !eglMakeCurrent(display, surface, surface, context))
        fail("no context");
    glViewport(0, 0, width, height);
}

/* Red, green, blue, alpha of a texel: the pattern of bench.rs. */
static void pattern(unsigned number, unsigned mask, unsigned x, unsigned y, uint8_t *out)
{
    unsigned check = (x >> 3 ^ y >> 3 ^ number) & 1;
    unsigned parts[4] = { x * 255 / mask, y * 255 / mask, check ? 255 : 40 + number * 10,
        255 - (x ^ y) * 200 / mask };
    for (int i = 0; i < 4; i++)
        out[i] = parts[i] > 255 ? 255 : parts[i];
}

/* Offsets for the texture after this one. */
static void offsets(unsigned number, unsigned mask, unsigned x, unsigned y, uint8_t *out)
{
    (void)number, (void)mask;
    out[0] = 0, out[1] = y * 5 & 127, out[2] = x * 3 & 127, out[3] = 255;
}

static GLuint texture(int log2, int levels, unsigned number,
                      void (*texel)(unsigned, unsigned, unsigned, unsigned, uint8_t *))
{
    GLuint name;
    uint8_t *bytes = malloc(4 << 2 * log2);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    for (int level = 0; level < levels; level++) {
        int size = 1 << (log2 - level);
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++)
                texel(number, (1 << log2) - 1, x << level, y << level, bytes + 4 * (y * size + x));
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    free(bytes);
    return name;
}

/* ------------------------------------------------------------------ combine */

static const char *combine_vertex =
    "varying vec4 color; varying vec2 c0, c1, c2, c3;\n"
    "void main() {\n"
    "  gl_Position = gl_Vertex; color = gl_Color;\n"
    "  c0 = gl_MultiTexCoord0.xy; c1 = gl_MultiTexCoord1.xy;\n"
    "  c2 = gl_MultiTexCoord2.xy; c3 = gl_MultiTexCoord3.xy;\n"
    "}\n";

static const char *combine_fragment =
    "uniform sampler2D s0, s1, s2, s3;\n"
    "varying vec4 color; varying vec2 c0, c1, c2, c3;\n"
    "void main() {\n"
    "  vec2 d = texture2D(s0, c0).bg * (255.0 / 128.0);\n"
    "  vec4 t1 = texture2D(s1, c1 + vec2(0.11 * d.x - 0.04 * d.y, 0.03 * d.x + 0.09 * d.y));\n"
    "  vec4 t2 = texture2D(s2, c2), t3 = texture2D(s3, c3);\n"
    "  vec4 r = t1 * color;\n"
    "  r.rgb = min(r.rgb * t2.rgb + t3.rgb * (1.0 - t2.rgb), 1.0);\n"
    "  r.rgb = min(r.rgb * vec3(0.7529, 0.6902, 0.6275) + t3.rgb * vec3(0.2510, 0.1882, 0.3137), 1.0);\n"
    "  r.rgb = min(r.rgb * t3.a + t1.rgb * (1.0 - t3.a), 1.0);\n"
    "  gl_FragColor = r;\n"
    "}\n";

static GLuint compile(GLenum kind, const char *text)
{
    GLuint shader = glCreateShader(kind);
    GLint done;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done)
        fail("a shader does not compile");
    return shader;
}

static void combine_start(void)
{
    static const char *samplers[] = { "s0", "s1", "s2", "s3" };
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, combine_vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, combine_fragment));
    glLinkProgram(program);
    glUseProgram(program);
    for (int stage = 0; stage < 4; stage++) {
        glActiveTexture(GL_TEXTURE0 + stage);
        texture(7, 1, stage, stage ? pattern : offsets);
        glUniform1i(glGetUniformLocation(program, samplers[stage]), stage);
    }
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClearColor(0x20 / 255.f, 0x28 / 255.f, 0x30 / 255.f, 1);
}

static void combine_frame(void)
{
    static const float corners[4][3] = { { 0, 0, .9f }, { 1, 0, .5f }, { 0, 1, .7f }, { 1, 1, .3f } };
    glClear(GL_COLOR_BUFFER_BIT);
    for (int layer = 0; layer < 4; layer++) {
        float part = layer / 4.f;
        glBegin(GL_TRIANGLE_STRIP);
        for (int i = 0; i < 4; i++) {
            float x = corners[i][0], y = corners[i][1];
            glColor4f(1 - part, 1, .5f + part / 2, corners[i][2]);
            for (int stage = 0; stage < 4; stage++) {
                float scale = 3 + stage, f = stage * .13f + part;
                glMultiTexCoord2f(GL_TEXTURE0 + stage, x * scale + f, y * scale * .75f - f);
            }
            glVertex2f(2 * x - 1, 1 - 2 * y);
        }
        glEnd();
    }
}

/* -------------------------------------------------------------------- frame */

enum { DRAWS = 1500, MESHES = 16, TEXTURES = 16, ACROSS = 5, DOWN = 4,
       VERTICES = (ACROSS + 1) * (DOWN + 1), INDICES = ACROSS * DOWN * 6, STRIDE = 36 };
static const float near = 1, far = 40, fog_start = 4, fog_end = 34, focal = 1.5f;
static GLuint textures[TEXTURES];
static uint32_t seed;

static float number(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.f;
}

static void meshes(void)
{
    static float data[MESHES * VERTICES * STRIDE / 4];
    static uint16_t list[INDICES];
    float *p = data;
    uint16_t *q = list;
    for (int n = 0; n < MESHES; n++)
        for (int row = 0; row <= DOWN; row++)
            for (int column = 0; column <= ACROSS; column++) {
                float u = (float)column / ACROSS, v = (float)row / DOWN;
                float bend = (n + 1) * .05f, light = .4f + .6f * u * (1 - v * .5f);
                float vertex[] = { 2 * u - 1, 2 * v - 1, bend * (u * u + v * v - 1),
                    light, light * .9f, 1 - .5f * v, .4f + .6f * u, u, v };
                memcpy(p, vertex, sizeof vertex);
                p += STRIDE / 4;
            }
    for (int row = 0; row < DOWN; row++)
        for (int column = 0; column < ACROSS; column++) {
            int a = row * (ACROSS + 1) + column, b = a + ACROSS + 1;
            uint16_t six[] = { a, b, a + 1, a + 1, b, b + 1 };
            memcpy(q, six, sizeof six);
            q += 6;
        }
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof list, list, GL_STATIC_DRAW);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
}

static void frame_start(void)
{
    float projection[16] = { focal * height / width, 0, 0, 0, 0, focal, 0, 0,
        0, 0, -(far + near) / (far - near), -1, 0, 0, -2 * far * near / (far - near), 0 };
    float color[] = { 0x80 / 255.f, 0x88 / 255.f, 0x99 / 255.f, 1 };
    for (int n = 0; n < TEXTURES; n++)
        textures[n] = texture(6, 7, n, pattern);
    meshes();
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(projection);
    glMatrixMode(GL_MODELVIEW);
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, fog_start);
    glFogf(GL_FOG_END, fog_end);
    glFogfv(GL_FOG_COLOR, color);
    glClearColor(color[0], color[1], color[2], 1);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glAlphaFunc(GL_GREATER, 0x60 / 255.f);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

/* Columns of the matrix that takes a thing before the eye. */
static void place(float *m)
{
    float depth = 4 + 28 * number(), pixels = 14 + 30 * number();
    float x = (2 * number() - 1) * depth / focal * width / height;
    float y = (2 * number() - 1) * depth / focal;
    float scale = pixels * depth / (focal * 480);
    float turn = 6.2831855f * number(), tilt = number();
    float s = sinf(turn) * scale, c = cosf(turn) * scale, st = sinf(tilt), ct = cosf(tilt);
    float columns[16] = { c, s, 0, 0, -s * ct, c * ct, st * scale, 0, s * st, -c * st, ct * scale, 0,
        x, y, -depth, 1 };
    memcpy(m, columns, sizeof columns);
}

static void able(GLenum what, int on)
{
    (on ? glEnable : glDisable)(what);
}

static void frame_frame(void)
{
    glDepthMask(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    seed = 1;
    for (int draw = 0; draw < DRAWS; draw++) {
        float matrix[16];
        int holes = draw >= 900 && draw < 1200, glass = draw >= 1200;
        uintptr_t start = draw * 5 % MESHES * VERTICES * STRIDE;
        place(matrix);
        able(GL_ALPHA_TEST, holes);
        able(GL_BLEND, glass);
        glDepthMask(!glass);
        glBindTexture(GL_TEXTURE_2D, textures[draw * 7 % TEXTURES]);
        glLoadMatrixf(matrix);
        glVertexPointer(3, GL_FLOAT, STRIDE, (void *)start);
        glColorPointer(4, GL_FLOAT, STRIDE, (void *)(start + 12));
        glTexCoordPointer(2, GL_FLOAT, STRIDE, (void *)(start + 28));
        glDrawElements(GL_TRIANGLES, INDICES, GL_UNSIGNED_SHORT, NULL);
    }
}

/* ----------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void save(const char *path)
{
    uint8_t *pixels = malloc(3 * width * height);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("the picture cannot be written");
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    fprintf(file, "P6 %d %d 255\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        fwrite(pixels + 3 * width * y, 3, width, file);
    fclose(file);
    free(pixels);
}

int main(int count, char **words)
{
    if (count != 5)
        fail("usage: scenes combine|frame WIDTH HEIGHT SECONDS|FILE.ppm");
    int combine = !strcmp(words[1], "combine");
    width = atoi(words[2]), height = atoi(words[3]);
    start(combine ? 0 : 24);
    (combine ? combine_start : frame_start)();
    void (*frame)(void) = combine ? combine_frame : frame_frame;
    frame();
    glFinish();
    if (strstr(words[4], ".ppm")) {
        save(words[4]);
    } else {
        double seconds = atof(words[4]), begin = now(), end;
        int frames = 0;
        do {
            frame();
            glFinish();
            frames++;
            end = now();
        } while (end - begin < seconds);
        printf("%.3f\n", frames / (end - begin));
    }
    return glGetError() ? 1 : 0;
}
