/* The recorder kit; isotherm_record.h says how to use it. */
#include "isotherm_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    /* Words that wait to be written as one record. */
    WAITING = 16384,
    RDI_ADDRESS = 0x400750,
    RDI_DATA = 0x400754,
    PIPE_ADDRESS = 0x400F50,
    PIPE_DATA = 0x400F54
};

/* System memory has addresses with this bit set. */
static const uint32_t GART = 0x80000000u;

/* The guest's memory, or a part of it. */
typedef struct {
    const uint8_t *bytes;
    size_t size;
    uint32_t address;
    /* A number for each page, which differs when the page does. */
    uint64_t *pages;
    size_t page_count;
} region;

struct isor_recorder {
    isor_config config;
    /* The chip's own, and system memory. */
    region regions[2];
    uint32_t words[WAITING];
    size_t waiting;
    uint32_t frames;
    int failed;
};

static void put32(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    to[2] = (uint8_t)(value >> 16);
    to[3] = (uint8_t)(value >> 24);
}

static uint32_t get32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static int fail(isor_recorder *r, int failure)
{
    if (!r->failed)
        r->failed = failure;
    return r->failed;
}

static int out(isor_recorder *r, const void *bytes, size_t size)
{
    if (!r->failed && size && r->config.write(r->config.user, bytes, size))
        fail(r, ISOR_WRITE_FAILED);
    return r->failed;
}

static int head(isor_recorder *r, const char *tag, size_t size)
{
    uint8_t bytes[8];
    memcpy(bytes, tag, 4);
    put32(bytes + 4, (uint32_t)size);
    return out(r, bytes, sizeof bytes);
}

/* Words as a record of their own, little-endian on any machine. */
static int word_record(isor_recorder *r, const char *tag, const uint32_t *words, size_t count)
{
    uint8_t bytes[1024];
    size_t i, n = 0;
    head(r, tag, count * 4);
    for (i = 0; i < count; i++) {
        put32(bytes + n, words[i]);
        n += 4;
        if (n == sizeof bytes) {
            out(r, bytes, n);
            n = 0;
        }
    }
    return out(r, bytes, n);
}

/* Everything else comes after the words before it. */
static int flush(isor_recorder *r)
{
    size_t count = r->waiting;
    r->waiting = 0;
    return count ? word_record(r, "PUSH", r->words, count) : r->failed;
}

static int text_record(isor_recorder *r, const char *tag, const char *text)
{
    flush(r);
    head(r, tag, strlen(text));
    return out(r, text, strlen(text));
}

/* A number that differs when the page does, but for one case in 2^64. */
static uint64_t digest(const uint8_t *bytes, size_t size)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u;
    uint64_t sums[4] = {1, 2, 3, 4}, sum = size;
    size_t i, k;
    for (i = 0; i + 32 <= size; i += 32)
        for (k = 0; k < 4; k++) {
            uint64_t part;
            memcpy(&part, bytes + i + 8 * k, 8);
            sums[k] = (sums[k] ^ part) * odd;
            sums[k] ^= sums[k] >> 29;
        }
    for (k = 0; k < 4; k++)
        sum = (sum ^ sums[k]) * odd;
    for (; i < size; i++)
        sum = (sum ^ bytes[i]) * odd;
    return sum;
}

static size_t page_size(const region *m, size_t page)
{
    size_t left = m->size - page * PAGE;
    return left < (size_t)PAGE ? left : (size_t)PAGE;
}

static int memory_record(isor_recorder *r, const region *m, size_t offset, size_t size)
{
    uint8_t address[4];
    flush(r);
    put32(address, m->address + (uint32_t)offset);
    head(r, "MEM ", size + 4);
    out(r, address, 4);
    return out(r, m->bytes + offset, size);
}

/* The memory that an address lies in, its offset there, and as many bytes of size as there are. */
static region *clip(isor_recorder *r, uint32_t address, size_t *offset, size_t *size)
{
    int i;
    for (i = 0; i < 2; i++) {
        region *m = &r->regions[i];
        size_t at = (uint32_t)(address - m->address);
        if (at < m->size) {
            *offset = at;
            if (*size > m->size - at)
                *size = m->size - at;
            return *size ? m : NULL;
        }
    }
    return NULL;
}

static void know(region *m, size_t offset, size_t size)
{
    size_t page;
    for (page = offset / PAGE; page <= (offset + size - 1) / PAGE; page++)
        m->pages[page] = digest(m->bytes + page * PAGE, page_size(m, page));
}

/* Room for the pages' numbers; 0 when there is none. */
static int watch(region *m, const uint8_t *bytes, size_t size, uint32_t address)
{
    m->bytes = bytes;
    m->size = size;
    m->address = address;
    m->page_count = (size + PAGE - 1) / PAGE;
    m->pages = (uint64_t *)calloc(m->page_count ? m->page_count : 1, sizeof *m->pages);
    return m->pages != NULL;
}

static void release(isor_recorder *r)
{
    free(r->regions[0].pages);
    free(r->regions[1].pages);
    free(r);
}

int isor_begin(isor_recorder **result, const isor_config *config)
{
    isor_recorder *r;
    char info[256];
    if (!result)
        return ISOR_BAD_ARGUMENT;
    *result = NULL;
    if (!config || !config->chip || !config->write || (config->memory_size && !config->memory) ||
        (config->gart_size && !config->gart) || strlen(config->chip) > 32 ||
        (config->source && strlen(config->source) > 64))
        return ISOR_BAD_ARGUMENT;
    r = (isor_recorder *)calloc(1, sizeof *r);
    if (!r)
        return ISOR_NO_MEMORY;
    r->config = *config;
    if (!watch(&r->regions[0], config->memory, config->memory_size, config->memory_address) ||
        !watch(&r->regions[1], config->gart, config->gart_size, GART)) {
        release(r);
        return ISOR_NO_MEMORY;
    }
    out(r, "GPUCAP01", 8);
    snprintf(info, sizeof info, "{\"gpu\":\"%s\",\"version\":1,\"source\":\"%s\"}", config->chip,
             config->source ? config->source : "recorder kit");
    if (text_record(r, "INFO", info))
        return isor_end(r);
    *result = r;
    return ISOR_OK;
}

int isor_object(isor_recorder *r, uint32_t handle, uint32_t class_id, uint32_t instance,
                const uint32_t raw[4], uint32_t base, uint32_t limit)
{
    char json[320];
    int dma = class_id == 2 || class_id == 3 || class_id == 0x3D;
    if (!r || !raw)
        return ISOR_BAD_ARGUMENT;
    snprintf(json, sizeof json,
             "{\"handle\":%lu,\"kind\":\"%s\",\"class\":%lu,\"base\":%lu,\"limit\":%lu,"
             "\"instance\":%lu,\"raw\":[%lu,%lu,%lu,%lu]}",
             (unsigned long)handle, dma ? "dma" : "graphics", (unsigned long)class_id,
             (unsigned long)base, (unsigned long)limit, (unsigned long)instance,
             (unsigned long)raw[0], (unsigned long)raw[1], (unsigned long)raw[2],
             (unsigned long)raw[3]);
    return text_record(r, "OBJ ", json);
}

/* Which families lay out instance memory otherwise. */
static int is_curie(const char *chip)
{
    return !strncmp(chip, "nv4", 3) || !strncmp(chip, "nv6", 3);
}

/* Chips from NV25 on have classes of twelve bits. */
static int wide_classes(const char *chip)
{
    return !strcmp(chip, "nv25") || !strcmp(chip, "nv28") || !strncmp(chip, "nv3", 3);
}

/* The memory that a DMA object covers begins here: target 2 and 3 are the bus, which the console
 * does not have apart. */
static uint32_t dma_base(const isor_recorder *r, const uint32_t raw[4])
{
    uint32_t base = (raw[2] & ~0xFFFu) | raw[0] >> 20;
    if (!strcmp(r->config.chip, "nv2a"))
        return base;
    return (base & ~GART) | ((raw[0] >> 16 & 2) ? GART : 0);
}

int isor_objects_from_ramht(isor_recorder *r, const uint8_t *ramin, size_t ramin_size,
                            size_t table_start, size_t table_size, uint32_t channel)
{
    size_t at;
    int curie;
    if (!r || !ramin || table_start > ramin_size || table_size > ramin_size - table_start)
        return ISOR_BAD_ARGUMENT;
    curie = is_curie(r->config.chip);
    for (at = table_start; at + 8 <= table_start + table_size; at += 8) {
        uint32_t context = get32(ramin + at + 4);
        uint32_t instance = context & (curie ? 0xFFFFFu : 0xFFFFu);
        uint32_t owner = curie ? context >> 23 & 0xFF : context >> 24 & 0x1F;
        int used = curie ? context != 0 : (int)(context >> 31);
        size_t place = (size_t)instance * 16;
        uint32_t raw[4], class_id, i;
        if (!used || owner != channel || place + 16 > ramin_size)
            continue;
        for (i = 0; i < 4; i++)
            raw[i] = get32(ramin + place + 4 * i);
        /* DMA objects have twelve bits of class; the adjustment is what a page begins with. */
        class_id = raw[0] & 0xFFF;
        if (class_id != 2 && class_id != 3 && class_id != 0x3D)
            class_id = raw[0] & (curie ? 0xFFFFu : wide_classes(r->config.chip) ? 0xFFFu : 0xFFu);
        isor_object(r, get32(ramin + at), class_id, instance, raw, dma_base(r, raw), raw[1]);
    }
    return r->failed;
}

int isor_words(isor_recorder *r, const uint32_t *words, size_t count)
{
    size_t i;
    if (!r || (count && !words))
        return ISOR_BAD_ARGUMENT;
    for (i = 0; i < count; i++) {
        if (r->waiting == WAITING)
            flush(r);
        r->words[r->waiting++] = words[i];
    }
    return r->failed;
}

int isor_methods(isor_recorder *r, uint32_t subchannel, uint32_t method, const uint32_t *data,
                 uint32_t count)
{
    uint32_t header = count << 18 | subchannel << 13 | method;
    if (!r || (count && !data) || subchannel > 7 || method > 0x1FFC || method & 3 || count > 0x7FF)
        return ISOR_BAD_ARGUMENT;
    isor_words(r, &header, 1);
    return isor_words(r, data, count);
}

int isor_register(isor_recorder *r, uint32_t address, uint32_t value)
{
    uint32_t words[2];
    if (!r)
        return ISOR_BAD_ARGUMENT;
    words[0] = address;
    words[1] = value;
    flush(r);
    return word_record(r, "REG ", words, 2);
}

int isor_registers(isor_recorder *r, uint32_t first, const uint32_t *values, uint32_t count)
{
    uint32_t i;
    if (!r || (count && !values))
        return ISOR_BAD_ARGUMENT;
    for (i = 0; i < count; i++)
        isor_register(r, first + 4 * i, values[i]);
    return r->failed;
}

/* Words through a pair of registers. */
static int port(isor_recorder *r, uint32_t index, const uint32_t *words, uint32_t count,
                uint32_t address, uint32_t data)
{
    uint32_t i;
    if (!r || (count && !words))
        return ISOR_BAD_ARGUMENT;
    isor_register(r, address, index);
    for (i = 0; i < count; i++)
        isor_register(r, data, words[i]);
    return r->failed;
}

int isor_rdi(isor_recorder *r, uint32_t index, const uint32_t *words, uint32_t count)
{
    return port(r, index, words, count, RDI_ADDRESS, RDI_DATA);
}

int isor_rows(isor_recorder *r, uint32_t index, const uint32_t *rows, uint32_t count)
{
    uint32_t i;
    if (!r || (count && !rows))
        return ISOR_BAD_ARGUMENT;
    isor_register(r, RDI_ADDRESS, index);
    for (i = 0; i < 4 * count; i++)
        isor_register(r, RDI_DATA, rows[i ^ 3]);
    return r->failed;
}

/* A float32 as the lighting unit keeps it: 22 bits, rounded unless its carry would not fit. */
static uint32_t float22(uint32_t word)
{
    if ((word >> 10 & 0xFF) != 0xFF)
        word += 0x200;
    return word >> 10;
}

int isor_light_rows(isor_recorder *r, uint32_t index, const uint32_t *rows, uint32_t count)
{
    uint32_t i;
    if (!r || (count && !rows))
        return ISOR_BAD_ARGUMENT;
    isor_register(r, RDI_ADDRESS, index);
    for (i = 0; i < count; i++) {
        uint32_t x = float22(rows[4 * i]);
        uint32_t y = float22(rows[4 * i + 1]);
        uint32_t z = float22(rows[4 * i + 2]);
        isor_register(r, RDI_DATA, z | y << 22);
        isor_register(r, RDI_DATA, y >> 10 | x << 12);
        isor_register(r, RDI_DATA, x >> 20);
        isor_register(r, RDI_DATA, 0);
    }
    return r->failed;
}

int isor_pipe(isor_recorder *r, uint32_t index, const uint32_t *words, uint32_t count)
{
    return port(r, index, words, count, PIPE_ADDRESS, PIPE_DATA);
}

int isor_pixels_passed(isor_recorder *r, uint64_t count)
{
    char json[80];
    if (!r)
        return ISOR_BAD_ARGUMENT;
    snprintf(json, sizeof json, "{\"version\":2,\"units\":{\"zpass\":%llu}}",
             (unsigned long long)count);
    return text_record(r, "CTX ", json);
}

int isor_pages(isor_recorder *r)
{
    static const uint8_t zero[PAGE] = {0};
    size_t page;
    int i;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    for (i = 0; i < 2; i++) {
        region *m = &r->regions[i];
        for (page = 0; page < m->page_count; page++) {
            size_t size = page_size(m, page);
            if (memcmp(m->bytes + page * PAGE, zero, size))
                memory_record(r, m, page * PAGE, size);
            know(m, page * PAGE, size);
        }
    }
    return r->failed;
}

int isor_changed(isor_recorder *r, uint32_t address, size_t size)
{
    size_t offset = 0;
    region *m;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    m = clip(r, address, &offset, &size);
    if (!m)
        return r->failed;
    know(m, offset, size);
    return memory_record(r, m, offset, size);
}

/* Records a page if it is not what it was. */
static void look_at(isor_recorder *r, region *m, size_t page)
{
    size_t size = page_size(m, page);
    uint64_t now = digest(m->bytes + page * PAGE, size);
    if (now == m->pages[page])
        return;
    m->pages[page] = now;
    memory_record(r, m, page * PAGE, size);
}

int isor_changed_bits(isor_recorder *r, const uint8_t *bits, size_t bytes)
{
    size_t page;
    if (!r || (bytes && !bits))
        return ISOR_BAD_ARGUMENT;
    for (page = 0; page < r->regions[0].page_count && page / 8 < bytes; page++)
        if (bits[page / 8] >> page % 8 & 1)
            look_at(r, &r->regions[0], page);
    return r->failed;
}

int isor_compare(isor_recorder *r)
{
    size_t page;
    int i;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    for (i = 0; i < 2; i++)
        for (page = 0; page < r->regions[i].page_count; page++)
            look_at(r, &r->regions[i], page);
    return r->failed;
}

int isor_gpu_wrote(isor_recorder *r, uint32_t address, size_t size)
{
    size_t offset = 0;
    region *m;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    m = clip(r, address, &offset, &size);
    if (m)
        know(m, offset, size);
    return r->failed;
}

int isor_flip(isor_recorder *r, const isor_surface *s)
{
    char json[320];
    if (!r || !s || !s->format || strlen(s->format) > 16)
        return ISOR_BAD_ARGUMENT;
    snprintf(json, sizeof json,
             "{\"addr\":%lu,\"pitch\":%lu,\"width\":%lu,\"height\":%lu,\"format\":\"%s\","
             "\"source\":\"color\",\"frame\":%lu%s}",
             (unsigned long)s->address, (unsigned long)s->pitch, (unsigned long)s->width,
             (unsigned long)s->height, s->format, (unsigned long)r->frames,
             s->swizzled ? ",\"tiled\":\"swizzled\"" : "");
    if (text_record(r, "SURF", json))
        return r->failed;
    r->frames++;
    return r->frames == r->config.frames ? ISOR_ENOUGH : ISOR_OK;
}

int isor_record(isor_recorder *r, const char tag[4], const void *payload, size_t size)
{
    if (!r || !tag || (size && !payload) || size > 0xFFFFFFFFu)
        return ISOR_BAD_ARGUMENT;
    flush(r);
    head(r, tag, size);
    return out(r, payload, size);
}

int isor_end(isor_recorder *r)
{
    int failed;
    if (!r)
        return ISOR_OK;
    failed = flush(r);
    release(r);
    return failed;
}
