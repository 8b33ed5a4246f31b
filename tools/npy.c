/* Reading and writing .npy.
 *
 * The one hard idea: a file is hostile until its own length agrees with what it says. The bytes
 * that the header promises are computed with checks and compared with the bytes that are there
 * before anything is allocated for them. */
/* NOLINTNEXTLINE(readability-identifier-naming): realpath is of XSI */
#define _XOPEN_SOURCE 700

#include "npy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6
#define MAX_HEADER 65536

static const struct {
    const char *code; /* after the byte order */
    sinter_dtype dtype;
} codes[] = {
    {"b1", SINTER_BOOL}, {"?", SINTER_BOOL},  {"i1", SINTER_I8},         {"u1", SINTER_U8},
    {"i2", SINTER_I16},  {"u2", SINTER_U16},  {"i4", SINTER_I32},        {"u4", SINTER_U32},
    {"i8", SINTER_I64},  {"u8", SINTER_U64},  {"f2", SINTER_F16},        {"f4", SINTER_F32},
    {"f8", SINTER_F64},  {"V2", SINTER_BF16}, {"bfloat16", SINTER_BF16},
};

#define CODES (sizeof codes / sizeof codes[0])

static bool is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/* Writes "path: ..." and returns false. */
static bool fail(char *error, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(char *error, const char *path, const char *format, ...)
{
    va_list args;
    int used = snprintf(error, NPY_ERROR, "%.300s: ", path);
    va_start(args, format);
    if (used > 0 && used < NPY_ERROR)
        (void)vsnprintf(error + used, NPY_ERROR - (size_t)used, format, args);
    va_end(args);
    for (char *c = error; *c != '\0'; c++) {
        if ((unsigned char)*c < 32)
            *c = ' '; /* one line, whatever the file holds */
    }
    return false;
}

void npy_free(npy_array *a)
{
    free(a->data);
    a->data = NULL;
}

/* The header: a Python dict */

typedef struct header {
    const char *at, *end;
    bool has_descr, has_order, has_shape;
    bool swapped; /* the data's byte order is not the host's */
    bool fortran;
    npy_array *array;
    const char *why; /* what is wrong */
} header;

static bool wrong(header *h, const char *why)
{
    h->why = why;
    return false;
}

static void skip_space(header *h)
{
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n' || *h->at == '\t' || *h->at == '\r'))
        h->at++;
}

/* Passes over `c` if it is next. */
static bool take(header *h, char c)
{
    skip_space(h);
    if (h->at >= h->end || *h->at != c)
        return false;
    h->at++;
    return true;
}

/* A string in either quote, without escapes. */
static bool take_string(header *h, const char **text, size_t *bytes)
{
    skip_space(h);
    if (h->at >= h->end || (*h->at != '\'' && *h->at != '"'))
        return false;
    char quote = *h->at++;
    *text = h->at;
    while (h->at < h->end && *h->at != quote)
        h->at++;
    *bytes = (size_t)(h->at - *text);
    return take(h, quote);
}

static bool take_word(header *h, const char *word)
{
    size_t bytes = strlen(word);
    skip_space(h);
    if ((size_t)(h->end - h->at) < bytes || memcmp(h->at, word, bytes) != 0)
        return false;
    h->at += bytes;
    return true;
}

static bool take_descr(header *h)
{
    const char *text;
    size_t bytes;
    char order = '|';
    if (!take_string(h, &text, &bytes))
        return wrong(h, "structured arrays are not supported");
    if (bytes > 0 && strchr("<>=|", text[0]) != NULL && text[0] != '\0') {
        order = text[0];
        text++;
        bytes--;
    }
    for (size_t i = 0; i < CODES; i++) {
        if (strlen(codes[i].code) == bytes && memcmp(codes[i].code, text, bytes) == 0) {
            h->array->dtype = codes[i].dtype;
            h->swapped = (order == '>' && !is_big_endian()) || (order == '<' && is_big_endian());
            h->has_descr = true;
            return true;
        }
    }
    return wrong(h, "its dtype is none of sinter's");
}

static bool take_extent(header *h, int64_t *out)
{
    int64_t value = 0;
    bool any = false;
    skip_space(h);
    for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++, any = true) {
        if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_add_overflow(value, (int64_t)(*h->at - '0'), &value))
            return wrong(h, "an extent overflows");
    }
    if (h->at < h->end && *h->at == 'L') /* as Python 2 wrote it */
        h->at++;
    *out = value;
    return any || wrong(h, "the shape is malformed");
}

static bool take_shape(header *h)
{
    npy_array *a = h->array;
    if (!take(h, '('))
        return wrong(h, "the shape is no tuple");
    a->rank = 0;
    while (!take(h, ')')) {
        int64_t extent;
        if (!take_extent(h, &extent))
            return false;
        if (a->rank >= SINTER_MAX_RANK)
            return wrong(h, "more than 8 dimensions");
        a->shape[a->rank++] = extent;
        if (!take(h, ',') && !(h->at < h->end && *h->at == ')'))
            return wrong(h, "the shape is malformed");
    }
    h->has_shape = true;
    return true;
}

static bool take_item(header *h)
{
    const char *key;
    size_t bytes;
    if (!take_string(h, &key, &bytes) || !take(h, ':'))
        return wrong(h, "the header is malformed");
    if (bytes == 5 && memcmp(key, "descr", 5) == 0)
        return take_descr(h);
    if (bytes == 5 && memcmp(key, "shape", 5) == 0)
        return take_shape(h);
    if (bytes != 13 || memcmp(key, "fortran_order", 13) != 0)
        return wrong(h, "the header has an unknown key");
    h->fortran = take_word(h, "True");
    h->has_order = h->fortran || take_word(h, "False");
    return h->has_order || wrong(h, "fortran_order is neither True nor False");
}

static bool take_dict(header *h)
{
    if (!take(h, '{'))
        return wrong(h, "the header is malformed");
    while (!take(h, '}')) {
        if (!take_item(h))
            return false;
        skip_space(h);
        if (!take(h, ',') && !(h->at < h->end && *h->at == '}'))
            return wrong(h, "the header is malformed");
    }
    skip_space(h);
    if (h->at != h->end)
        return wrong(h, "the header goes on after the dict");
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return wrong(h, "the header lacks descr, fortran_order or shape");
    return true;
}

/* Reading */

/* All of `bytes`; false when the file ends before. */
static bool read_all(int file, void *to, size_t bytes)
{
    char *at = to;
    while (bytes > 0) {
        ssize_t got = read(file, at, bytes > SSIZE_MAX ? SSIZE_MAX : bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

static void swap_bytes(npy_array *a)
{
    size_t size = sinter_dtype_bytes(a->dtype);
    unsigned char *at = a->data;
    for (size_t i = 0; i < a->bytes; i += size) {
        for (size_t k = 0; k < size / 2; k++) {
            unsigned char other = at[i + size - 1 - k];
            at[i + size - 1 - k] = at[i + k];
            at[i + k] = other;
        }
    }
}

/* Column-major elements into row-major order. */
static bool reorder(npy_array *a)
{
    size_t size = sinter_dtype_bytes(a->dtype);
    size_t strides[SINTER_MAX_RANK] = {0};
    int64_t index[SINTER_MAX_RANK] = {0};
    size_t stride = size;
    char *out = malloc(a->bytes + 1);
    const char *in = a->data;
    if (out == NULL)
        return false;
    for (int i = 0; i < a->rank; i++) {
        strides[i] = stride;
        stride *= (size_t)a->shape[i];
    }
    size_t from = 0;
    for (size_t to = 0; to < a->bytes; to += size) {
        memcpy(out + to, in + from, size);
        for (int i = a->rank - 1; i >= 0; i--) {
            from += strides[i];
            if (++index[i] < a->shape[i])
                break;
            from -= strides[i] * (size_t)a->shape[i];
            index[i] = 0;
        }
    }
    free(a->data);
    a->data = out;
    return true;
}

/* Any byte but 0 is true, and true is 1. */
static void settle_bools(npy_array *a)
{
    unsigned char *at = a->data;
    for (size_t i = 0; i < a->bytes; i++)
        at[i] = at[i] != 0;
}

/* Bytes of the data; false when they overflow. */
static bool count_bytes(npy_array *a)
{
    a->bytes = sinter_dtype_bytes(a->dtype);
    for (int i = 0; i < a->rank; i++) {
        if (a->shape[i] == 0) {
            a->bytes = 0;
            return true;
        }
    }
    for (int i = 0; i < a->rank; i++) {
        if (__builtin_mul_overflow(a->bytes, (size_t)a->shape[i], &a->bytes) ||
            a->bytes > SIZE_MAX / 4)
            return false;
    }
    return true;
}

static bool read_data(int file, const char *path, uint64_t left, const header *h, char *error)
{
    npy_array *a = h->array;
    if (!count_bytes(a))
        return fail(error, path, "the size of its shape overflows");
    if (a->bytes > left) {
        return fail(error, path, "truncated: %zu bytes of data are promised, %llu are there",
                    a->bytes, (unsigned long long)left);
    }
    a->data = malloc(a->bytes + 1);
    if (a->data == NULL)
        return fail(error, path, "no memory for %zu bytes", a->bytes);
    if (!read_all(file, a->data, a->bytes))
        return fail(error, path, "truncated while it was read");
    if (h->swapped)
        swap_bytes(a);
    if (a->dtype == SINTER_BOOL)
        settle_bools(a);
    if (h->fortran && !reorder(a))
        return fail(error, path, "no memory for %zu bytes", a->bytes);
    return true;
}

/* Magic, version, and the length of the header; the bytes that they take, or 0. */
static size_t read_preamble(int file, const char *path, size_t *header_bytes, char *error)
{
    unsigned char p[MAGIC_BYTES + 6];
    if (!read_all(file, p, MAGIC_BYTES + 4) || memcmp(p, MAGIC, MAGIC_BYTES) != 0) {
        (void)fail(error, path, "not an .npy file");
        return 0;
    }
    if (p[6] < 1 || p[6] > 3 || p[7] != 0) {
        (void)fail(error, path, "format version %u.%u is unknown", p[6], p[7]);
        return 0;
    }
    *header_bytes = (size_t)p[8] | (size_t)p[9] << 8;
    if (p[6] == 1)
        return MAGIC_BYTES + 4;
    if (!read_all(file, p + 10, 2)) {
        (void)fail(error, path, "truncated in its header");
        return 0;
    }
    *header_bytes |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
    return MAGIC_BYTES + 6;
}

static bool read_array(int file, const char *path, uint64_t size, npy_array *out, char *error)
{
    size_t header_bytes;
    size_t at = read_preamble(file, path, &header_bytes, error);
    if (at == 0)
        return false;
    if (header_bytes > MAX_HEADER)
        return fail(error, path, "a header of %zu bytes, more than %d", header_bytes, MAX_HEADER);
    char *text = malloc(header_bytes + 1);
    if (text == NULL)
        return fail(error, path, "no memory for %zu bytes", header_bytes);
    header h = {.at = text, .end = text + header_bytes, .array = out};
    bool whole = read_all(file, text, header_bytes);
    bool good = whole && take_dict(&h);
    free(text);
    if (!good)
        return fail(error, path, "%s", whole ? h.why : "truncated in its header");
    uint64_t before = at + header_bytes;
    return read_data(file, path, size > before ? size - before : 0, &h, error);
}

bool npy_read(const char *path, npy_array *out, char error[NPY_ERROR])
{
    struct stat info;
    *out = (npy_array){.dtype = SINTER_F32};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */
    if (file < 0)
        return fail(error, path, "%s", strerror(errno));
    bool good = false;
    if (fstat(file, &info) != 0) {
        (void)fail(error, path, "%s", strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        (void)fail(error, path, "not a regular file");
    } else {
        good = read_array(file, path, (uint64_t)info.st_size, out, error);
    }
    (void)close(file);
    if (!good)
        npy_free(out);
    return good;
}

/* Writing */

static bool write_all(int file, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes > 0) {
        ssize_t put = write(file, at, bytes > SSIZE_MAX ? SSIZE_MAX : bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        bytes -= (size_t)put;
    }
    return true;
}

/* The whole header, aligned so that the data begin at a multiple of 64. */
static size_t make_header(const npy_array *a, char text[512])
{
    const char *code = "?";
    char shape[SINTER_MAX_RANK * 24] = "";
    size_t used = 0;
    for (size_t i = CODES; i-- > 0;) {
        if (codes[i].dtype == a->dtype && strlen(codes[i].code) == 2)
            code = codes[i].code;
    }
    for (int i = 0; i < a->rank; i++) {
        used += (size_t)snprintf(shape + used, sizeof shape - used, i > 0 ? " %lld," : "%lld,",
                                 (long long)a->shape[i]);
    }
    if (a->rank > 1)
        shape[used - 1] = '\0';
    int length =
        snprintf(text, 512, "%s%c%c  {'descr': '%c%s', 'fortran_order': False, 'shape': (%s), }",
                 MAGIC, 1, 7, sinter_dtype_bytes(a->dtype) == 1 ? '|' : '<', code, shape);
    size_t bytes = ((size_t)length + 1 + 63) / 64 * 64;
    memset(text + length, ' ', bytes - (size_t)length);
    text[bytes - 1] = '\n';
    text[7] = 0; /* minor version; a terminator would have ended the text */
    text[8] = (char)((bytes - 10) & 255);
    text[9] = (char)((bytes - 10) >> 8);
    return bytes;
}

static bool write_array(int file, const npy_array *a)
{
    char head[1024];
    size_t bytes = make_header(a, head);
    if (!write_all(file, head, bytes))
        return false;
    size_t size = sinter_dtype_bytes(a->dtype);
    if (!is_big_endian() || size == 1)
        return write_all(file, a->data, a->bytes);
    npy_array copy = *a;
    copy.data = malloc(a->bytes + 1);
    if (copy.data == NULL)
        return false;
    memcpy(copy.data, a->data, a->bytes);
    swap_bytes(&copy);
    bool good = write_all(file, copy.data, copy.bytes);
    npy_free(&copy);
    return good;
}

/* Into what is no regular file, as it is. */
static bool write_special(const char *path, const npy_array *a, char *error)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return fail(error, path, "%s", strerror(errno));
    bool good = write_array(file, a) || fail(error, path, "%s", strerror(errno));
    if (close(file) != 0 && good)
        good = fail(error, path, "%s", strerror(errno));
    return good;
}

/* mkstemp's file is the user's alone; an output gets the usual permissions. */
static void open_permissions(int file)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(file, (mode_t)(0666 & ~mask));
}

static bool write_beside(const char *path, const char *target, const npy_array *a, char *error)
{
    char temporary[PATH_MAX];
    int used = snprintf(temporary, sizeof temporary, "%s.XXXXXX", target);
    if (used < 0 || used >= (int)sizeof temporary)
        return fail(error, path, "the path is too long");
    int file = mkstemp(temporary);
    if (file < 0)
        return fail(error, path, "%s", strerror(errno));
    open_permissions(file);
    bool good = write_array(file, a);
    int why = errno;
    if (close(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(temporary, target) != 0) {
        good = false;
        why = errno;
    }
    if (good)
        return true;
    (void)unlink(temporary);
    return fail(error, path, "%s", strerror(why));
}

bool npy_write(const char *path, const npy_array *a, char error[NPY_ERROR])
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return fail(error, path, "%s", strerror(EISDIR));
    if (exists && !S_ISREG(info.st_mode))
        return write_special(path, a, error);
    char *real = realpath(path, NULL); /* a link stays a link */
    bool good = write_beside(path, real != NULL ? real : path, a, error);
    free(real);
    return good;
}
