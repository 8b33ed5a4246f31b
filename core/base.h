/* What every file of sinter needs: attributes, error propagation, checked arithmetic. */
#ifndef SINTER_CORE_BASE_H
#define SINTER_CORE_BASE_H

#include "sinter/types.h"

#include <stdatomic.h>

/* Elements are kept in words, constants and files as the device has them. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "sinter is for little-endian machines");

#define SINTER__PRINTF(text, first) __attribute__((format(printf, text, first)))
/* Rarely run: compiled for size in a file that is compiled for speed. */
#define SINTER__COLD __attribute__((cold, noinline))
#define SINTER__COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SINTER__MIN(a, b) ((a) < (b) ? (a) : (b))
#define SINTER__MAX(a, b) ((a) > (b) ? (a) : (b))

/* Returns from the function when `call` fails; the message is already set where it failed. */
#define SINTER_TRY(call)                                                                           \
    do {                                                                                           \
        sinter_status try_status_ = (call);                                                        \
        if (try_status_ != SINTER_OK)                                                              \
            return try_status_;                                                                    \
    } while (0)

/* Sets the thread's message and returns `status`. */
sinter_status sinter__fail(sinter_status status, const char *format, ...) SINTER__PRINTF(2, 3);

/* Puts "where: " in front of the thread's message, and returns `status`. */
sinter_status sinter__fail_in(sinter_status status, const char *where);

/* Threads that have a message; those that ended with one stay counted. */
extern atomic_uint sinter__messages;
void sinter__drop_message(void);

/* The thread's message, kept over calls that take it away, as those that close things do. */
#define SINTER__MESSAGE_BYTES 512
typedef struct sinter__message {
    char text[SINTER__MESSAGE_BYTES];
} sinter__message;
void sinter__message_keep(sinter__message *out);
void sinter__message_give_back(const sinter__message *kept);

/* Clears the thread's message: each public call that can fail begins with it. Where no thread has
 * one, which is nearly always, that is seen without asking for the thread's own memory, which takes
 * as long as a lock in a shared library. */
static inline void sinter__clear_error(void)
{
    if (atomic_load_explicit(&sinter__messages, memory_order_relaxed) != 0)
        sinter__drop_message();
}

/* *out = a * b, false when it does not fit. */
static inline bool sinter__mul_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool sinter__mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool sinter__add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* a + b, and a * b, at most INT64_MAX; neither is negative. */
static inline int64_t sinter__add_bytes(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static inline int64_t sinter__mul_bytes(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* `value` rounded up to a multiple of `unit`, which is a power of two. */
static inline uint64_t sinter__align_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) & ~(unit - 1);
}

static inline int64_t sinter__div_up(int64_t value, int64_t unit)
{
    return value / unit + (value % unit != 0);
}

/* One step of a 64-bit hash: mixes `value` into `hash` (multiply and fold, as in wyhash). */
static inline uint64_t sinter__hash(uint64_t hash, uint64_t value)
{
    __extension__ unsigned __int128 product =
        (unsigned __int128)(hash ^ 0x9e3779b97f4a7c15u) * (value ^ 0xd6e8feb86659fd93u);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t sinter__hash_text(const char *text)
{
    uint64_t hash = 0;
    for (; *text != '\0'; text++)
        hash = sinter__hash(hash, (unsigned char)*text);
    return hash;
}

#endif /* SINTER_CORE_BASE_H */
