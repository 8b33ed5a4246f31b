/* Status codes and the last error's text.
 *
 * Every call that can fail returns a sinter_status; the numbers are frozen. A failing call also
 * leaves one line with the numbers in it ("add: shapes [32,7] and [32,8] differ in dimension 1"),
 * kept per thread. */
#ifndef SINTER_STATUS_H
#define SINTER_STATUS_H

#if defined(_WIN32)
#    define SINTER_API __declspec(dllexport)
#else
#    define SINTER_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define SINTER_STATUS_MAP(X)                                                                       \
    X(OK,             0, "no error")                                                               \
    X(EINVAL,        -1, "invalid argument")                                                       \
    X(EHANDLE,       -2, "not a live tensor of this context")                                      \
    X(ESHAPE,        -3, "shapes do not fit")                                                      \
    X(EDTYPE,        -4, "dtype not accepted here")                                                \
    X(ERANGE,        -5, "number out of range")                                                    \
    X(ENOMEM,        -6, "out of host memory")                                                     \
    X(EDEVMEM,       -7, "out of device memory")                                                   \
    X(EBUDGET,       -8, "over the byte budget")                                                   \
    X(EDEVICE,       -9, "the device failed")                                                      \
    X(EBUILD,       -10, "a kernel does not build")                                                \
    X(ENODEVICE,    -11, "no such device")                                                         \
    X(EBUSY,        -12, "still in use")                                                           \
    X(ESYNTAX,      -13, "syntax error")                                                           \
    X(EUNSUPPORTED, -14, "not supported")                                                          \
    X(EINTERNAL,    -15, "internal error")                                                         \
    X(EIO,          -16, "a file cannot be read or written")                                       \
    X(ETIMEOUT,     -17, "not done in time")                                                       \
    X(ECANCELLED,   -18, "cancelled")
/* clang-format on */

typedef enum sinter_status {
#define SINTER_STATUS_ENUM(name, number, text) SINTER_##name = (number),
    SINTER_STATUS_MAP(SINTER_STATUS_ENUM)
#undef SINTER_STATUS_ENUM
} sinter_status;

/** Name of a status, "EINVAL" for SINTER_EINVAL.
 *  owns     a constant; "unknown" for a number that is no status.
 *  errors   none.
 *  thread   any. */
SINTER_API const char *sinter_status_name(sinter_status status);

/** One-line text of the last failing call on this thread, with the numbers in it.
 *  owns     the thread's buffer, valid until the thread's next sinter call; "" if the last call
 *           succeeded.
 *  errors   none.
 *  thread   any; each thread sees its own. */
SINTER_API const char *sinter_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_STATUS_H */
