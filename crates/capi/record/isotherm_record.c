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
    RDI_DATA = 0x400754
};

struct isor_recorder {
    isor_config config;
    /* A number for each page, which differs when the page does. */
    uint64_t *pages;
    size_t page_count;
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

static size_t page_size(const isor_recorder *r, size_t page)
{
    size_t left = r->config.memory_size - page * PAGE;
    return left < (size_t)PAGE ? left : (size_t)PAGE;
}

static int memory_record(isor_recorder *r, size_t offset, size_t size)
{
    uint8_t address[4];
    flush(r);
    put32(address, r->config.memory_address + (uint32_t)offset);
    head(r, "MEM ", size + 4);
    out(r, address, 4);
    return out(r, r->config.memory + offset, size);
}

/* Offset of an address in the guest's memory, and as many bytes of size as there are. */
static size_t clip(const isor_recorder *r, uint32_t address, size_t *size)
{
    size_t offset = address - r->config.memory_address;
    size_t left = offset < r->config.memory_size ? r->config.memory_size - offset : 0;
    if (*size > left)
        *size = left;
    return offset;
}

static void know(isor_recorder *r, size_t offset, size_t size)
{
    size_t page;
    if (size)
        for (page = offset / PAGE; page <= (offset + size - 1) / PAGE; page++)
            r->pages[page] = digest(r->config.memory + page * PAGE, page_size(r, page));
}

int isor_begin(isor_recorder **result, const isor_config *config)
{
    isor_recorder *r;
    char info[256];
    if (!result)
        return ISOR_BAD_ARGUMENT;
    *result = NULL;
    if (!config || !config->chip || !config->write || (config->memory_size && !config->memory) ||
        strlen(config->chip) > 32 || (config->source && strlen(config->source) > 64))
        return ISOR_BAD_ARGUMENT;
    r = (isor_recorder *)calloc(1, sizeof *r);
    if (!r)
        return ISOR_NO_MEMORY;
    r->config = *config;
    r->page_count = (config->memory_size + PAGE - 1) / PAGE;
    r->pages = (uint64_t *)calloc(r->page_count ? r->page_count : 1, sizeof *r->pages);
    if (!r->pages) {
        free(r);
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

int isor_objects_from_ramht(isor_recorder *r, const uint8_t *ramin, size_t ramin_size,
                            size_t table_start, size_t table_size, uint32_t channel)
{
    size_t at;
    if (!r || !ramin || table_start > ramin_size || table_size > ramin_size - table_start)
        return ISOR_BAD_ARGUMENT;
    for (at = table_start; at + 8 <= table_start + table_size; at += 8) {
        uint32_t context = get32(ramin + at + 4);
        size_t place = (size_t)(context & 0xFFFF) * 16;
        uint32_t raw[4], class_id, i;
        if (!(context >> 31) || (context >> 24 & 0x1F) != channel || place + 16 > ramin_size)
            continue;
        for (i = 0; i < 4; i++)
            raw[i] = get32(ramin + place + 4 * i);
        /* DMA objects have twelve bits of class; the adjustment is what a page begins with. */
        class_id = raw[0] & 0xFFF;
        if (class_id != 2 && class_id != 3 && class_id != 0x3D)
            class_id = raw[0] & 0xFF;
        isor_object(r, get32(ramin + at), class_id, context & 0xFFFF, raw,
                    (raw[2] & ~0xFFFu) | raw[0] >> 20, raw[1]);
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

int isor_rdi(isor_recorder *r, uint32_t index, const uint32_t *words, uint32_t count)
{
    uint32_t i;
    if (!r || (count && !words))
        return ISOR_BAD_ARGUMENT;
    isor_register(r, RDI_ADDRESS, index);
    for (i = 0; i < count; i++)
        isor_register(r, RDI_DATA, words[i]);
    return r->failed;
}

int isor_pages(isor_recorder *r)
{
    static const uint8_t zero[PAGE] = {0};
    size_t page;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    for (page = 0; page < r->page_count; page++) {
        size_t size = page_size(r, page);
        if (memcmp(r->config.memory + page * PAGE, zero, size))
            memory_record(r, page * PAGE, size);
        know(r, page * PAGE, size);
    }
    return r->failed;
}

int isor_changed(isor_recorder *r, uint32_t address, size_t size)
{
    size_t offset;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    offset = clip(r, address, &size);
    if (!size)
        return r->failed;
    know(r, offset, size);
    return memory_record(r, offset, size);
}

/* Records a page if it is not what it was. */
static void look_at(isor_recorder *r, size_t page)
{
    size_t size = page_size(r, page);
    uint64_t now = digest(r->config.memory + page * PAGE, size);
    if (now == r->pages[page])
        return;
    r->pages[page] = now;
    memory_record(r, page * PAGE, size);
}

int isor_changed_bits(isor_recorder *r, const uint8_t *bits, size_t bytes)
{
    size_t page;
    if (!r || (bytes && !bits))
        return ISOR_BAD_ARGUMENT;
    for (page = 0; page < r->page_count && page / 8 < bytes; page++)
        if (bits[page / 8] >> page % 8 & 1)
            look_at(r, page);
    return r->failed;
}

int isor_compare(isor_recorder *r)
{
    size_t page;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    for (page = 0; page < r->page_count; page++)
        look_at(r, page);
    return r->failed;
}

int isor_gpu_wrote(isor_recorder *r, uint32_t address, size_t size)
{
    size_t offset;
    if (!r)
        return ISOR_BAD_ARGUMENT;
    offset = clip(r, address, &size);
    know(r, offset, size);
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
    free(r->pages);
    free(r);
    return failed;
}
