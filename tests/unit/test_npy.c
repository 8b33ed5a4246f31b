/* .npy files: what is written is read back, every form that NumPy writes is understood, and no
 * file, however hostile, does more than give one line of error. */
#include "support/support.h"

#include "tools/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define PATH "test_npy.npy"

static void save(const void *data, size_t bytes)
{
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* A file of this version, header text and data. Returns its size. */
static size_t save_parts(int version, const char *header, const void *data, size_t bytes)
{
    unsigned char file[4096];
    size_t length = strlen(header);
    size_t at = 8;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    file[at++] = (unsigned char)(length & 255);
    file[at++] = (unsigned char)(length >> 8);
    if (version > 1) {
        file[at++] = 0;
        file[at++] = 0;
    }
    assert_true(at + length + bytes <= sizeof file);
    memcpy(file + at, header, length);
    if (bytes > 0)
        memcpy(file + at + length, data, bytes);
    save(file, at + length + bytes);
    return at + length + bytes;
}

static bool load(npy_array *a)
{
    char error[NPY_ERROR] = "";
    bool good = npy_read(PATH, a, error);
    if (!good)
        print_error("%s\n", error);
    return good;
}

/* The file is refused with this in the message, which is one line and names the file. */
static void refused(const char *path, const char *part)
{
    npy_array a;
    char error[NPY_ERROR] = "";
    bool good = npy_read(path, &a, error);
    if (good || strstr(error, part) == NULL || strchr(error, '\n') != NULL)
        print_error("'%s' instead of '%s'\n", error, part);
    assert_false(good);
    assert_null(a.data);
    assert_non_null(strstr(error, part));
    assert_null(strchr(error, '\n'));
    assert_int_equal(strncmp(error, path, strlen(path)), 0);
}

static void every_dtype_and_rank_comes_back(void **state)
{
    (void)state;
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        for (int rank = 0; rank <= SINTER_MAX_RANK; rank++) {
            char error[NPY_ERROR];
            unsigned char data[256 * 8];
            npy_array a = {.dtype = (sinter_dtype)dtype, .rank = rank, .data = data};
            npy_array b;
            a.bytes = sinter_dtype_bytes(a.dtype);
            for (int i = 0; i < rank; i++) {
                a.shape[i] = i == 3 ? 1 : 2;
                a.bytes *= (size_t)a.shape[i];
            }
            for (size_t i = 0; i < a.bytes; i++)
                data[i] = (unsigned char)(dtype == SINTER_BOOL ? i % 2 : i * 7);
            assert_true(npy_write(PATH, &a, error));
            struct stat info;
            assert_int_equal(stat(PATH, &info), 0);
            assert_int_equal(((size_t)info.st_size - a.bytes) % 64, 0);
            assert_true(load(&b));
            assert_int_equal(b.dtype, a.dtype);
            assert_int_equal(b.rank, rank);
            assert_int_equal(b.bytes, a.bytes);
            for (int i = 0; i < rank; i++)
                assert_int_equal(b.shape[i], a.shape[i]);
            assert_memory_equal(b.data, data, a.bytes);
            npy_free(&b);
        }
    }
}

static void an_empty_array_comes_back(void **state)
{
    char error[NPY_ERROR];
    npy_array a = {.dtype = SINTER_F64, .rank = 3, .shape = {2, 0, INT64_MAX}, .data = error};
    npy_array b;
    (void)state;
    assert_true(npy_write(PATH, &a, error));
    assert_true(load(&b));
    assert_int_equal(b.rank, 3);
    assert_int_equal(b.bytes, 0);
    assert_true(b.shape[2] == INT64_MAX);
    npy_free(&b);
}

/* The forms of a header: versions, key orders, quotes, spaces, Python 2's long integers. */
static void every_form_of_header_is_read(void **state)
{
    static const char *const headers[] = {
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }    \n",
        "{\"shape\":(2,3),\"descr\":\"<i2\",\"fortran_order\":False}",
        "  {'fortran_order' : False ,'shape' : ( 2L , 3L , ) , 'descr' : '<i2'}\t\n",
        "{'descr': '=i2', 'fortran_order': False, 'shape': (2, 3)}",
    };
    static const int16_t data[] = {1, -2, 3, -4, 5, -6};
    (void)state;
    for (size_t i = 0; i < COUNT(headers); i++) {
        for (int version = 1; version <= 3; version++) {
            npy_array a;
            save_parts(version, headers[i], data, sizeof data);
            assert_true(load(&a));
            assert_int_equal(a.dtype, SINTER_I16);
            assert_int_equal(a.rank, 2);
            assert_int_equal(a.shape[0], 2);
            assert_int_equal(a.shape[1], 3);
            assert_memory_equal(a.data, data, sizeof data);
            npy_free(&a);
        }
    }
}

static void both_byte_orders_are_read(void **state)
{
    static const unsigned char big[] = {0x3f, 0x80, 0, 0, 0xc0, 0x00, 0, 0};
    static const float wanted[] = {1.0f, -2.0f};
    npy_array a;
    (void)state;
    save_parts(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", big, sizeof big);
    assert_true(load(&a));
    assert_memory_equal(a.data, wanted, sizeof wanted);
    npy_free(&a);
    save_parts(1, "{'descr': '>f8', 'fortran_order': False, 'shape': ()}",
               "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);
    assert_true(load(&a));
    assert_int_equal(a.rank, 0);
    assert_true(*(double *)a.data == 3.141592653589793);
    npy_free(&a);
}

static void fortran_order_is_turned(void **state)
{
    static const int32_t file[] = {0, 12, 4, 16, 8,  20, 1, 13, 5, 17, 9,  21,
                                   2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23};
    npy_array a;
    (void)state;
    save_parts(1, "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 4)}", file, sizeof file);
    assert_true(load(&a));
    for (int32_t i = 0; i < 24; i++)
        assert_int_equal(((int32_t *)a.data)[i], i);
    npy_free(&a);
    save_parts(1, "{'descr': '<i4', 'fortran_order': True, 'shape': (0, 3)}", NULL, 0);
    assert_true(load(&a));
    npy_free(&a);
    save_parts(1, "{'descr': '<i4', 'fortran_order': True, 'shape': ()}", file + 1, 4);
    assert_true(load(&a));
    assert_int_equal(*(int32_t *)a.data, 12);
    npy_free(&a);
}

static void codes_of_dtypes_are_read(void **state)
{
    static const struct {
        const char *code;
        sinter_dtype dtype;
    } rows[] = {
        {"?", SINTER_BOOL},   {"|b1", SINTER_BOOL},      {"|i1", SINTER_I8},  {"u1", SINTER_U8},
        {"<V2", SINTER_BF16}, {"|V2", SINTER_BF16},      {"V2", SINTER_BF16}, {"<f2", SINTER_F16},
        {"<u8", SINTER_U64},  {"bfloat16", SINTER_BF16}, {"<i8", SINTER_I64}, {"<u2", SINTER_U16},
    };
    static const unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char header[128];
        npy_array a;
        (void)snprintf(header, sizeof header,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}", rows[i].code);
        save_parts(1, header, data, sizeof data);
        assert_true(load(&a));
        assert_int_equal(a.dtype, rows[i].dtype);
        npy_free(&a);
    }
    npy_array a;
    save_parts(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", "\x00\x02\xff", 3);
    assert_true(load(&a));
    assert_memory_equal(a.data, "\x00\x01\x01", 3); /* any byte but 0 is true */
    npy_free(&a);
}

static void hostile_headers_are_refused(void **state)
{
    static const struct {
        const char *header;
        const char *part;
    } rows[] = {
        {"", "malformed"},
        {"{", "malformed"},
        {"{}", "lacks"},
        {"[]", "malformed"},
        {"{'descr': '<f4'}", "lacks"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", "malformed"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", "goes on"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2}", "malformed"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", "malformed"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", "malformed"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", "malformed"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 2}", "no tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "more than 8"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}", "overflows"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}", "overflows"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "overflows"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}", "truncated"},
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}", "neither True nor False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", "unknown key"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': '<', 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': '<U7', 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "structured"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "none of sinter's"},
        {"{'descr': '<f4", "structured"},
        {"{'", "malformed"},
        {"{\x01\n\xff", "malformed"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        save_parts(1, rows[i].header, "12345678", 8);
        refused(PATH, rows[i].part);
    }
}

static void hostile_files_are_refused(void **state)
{
    static const char header[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (4,)}\n";
    (void)state;
    size_t bytes = save_parts(1, header, "12345678", 8);
    unsigned char whole[256];
    FILE *file = fopen(PATH, "rb");
    assert_non_null(file);
    assert_int_equal(fread(whole, 1, sizeof whole, file), bytes);
    (void)fclose(file);
    for (size_t i = 0; i < bytes; i++) { /* every truncation */
        save(whole, i);
        refused(PATH, PATH);
    }
    whole[6] = 4;
    save(whole, bytes);
    refused(PATH, "version 4.0 is unknown");
    whole[6] = 1;
    whole[8] = whole[9] = 255;
    save(whole, bytes);
    refused(PATH, "truncated in its header");
    whole[6] = 2;
    save(whole, bytes);
    refused(PATH, "a header of");
    save("", 0);
    refused(PATH, "not an .npy file");
    save("PK\x03\x04 a zip file", 14);
    refused(PATH, "not an .npy file");
    assert_int_equal(unlink(PATH), 0);
    refused(PATH, "No such file");
    refused("/", "regular file");
    refused("/dev/null", "regular file");
    assert_int_equal(mkfifo(PATH, 0600), 0);
    refused(PATH, "regular file"); /* and does not hang */
    assert_int_equal(unlink(PATH), 0);
}

/* Random changes of a good file: read or refused, never anything else. */
static void damaged_files_are_survived(void **state)
{
    static const char header[] =
        "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }         \n";
    unsigned char whole[256];
    test_random r = {3};
    (void)state;
    size_t bytes = save_parts(1, header, "123456789012345678901234", 24);
    FILE *file = fopen(PATH, "rb");
    assert_non_null(file);
    assert_int_equal(fread(whole, 1, sizeof whole, file), bytes);
    (void)fclose(file);
    for (int i = 0; i < 4000; i++) {
        unsigned char changed[256];
        char error[NPY_ERROR] = "";
        npy_array a;
        memcpy(changed, whole, bytes);
        for (uint32_t k = test_below(&r, 3) + 1; k > 0; k--) {
            changed[6 + test_below(&r, (uint32_t)bytes - 30)] =
                (unsigned char)(test_below(&r, 2) != 0
                                    ? test_below(&r, 256)
                                    : (uint32_t) "0123456789(),'{}: L<>"[test_below(&r, 21)]);
        }
        save(changed, bytes);
        if (npy_read(PATH, &a, error))
            npy_free(&a);
        else
            assert_true(error[0] != '\0' && strchr(error, '\n') == NULL);
    }
    assert_int_equal(unlink(PATH), 0);
}

static void writing_leaves_no_half_file(void **state)
{
    char error[NPY_ERROR];
    float value = 1;
    npy_array a = {.dtype = SINTER_F32, .rank = 0, .bytes = 4, .data = &value};
    npy_array b;
    struct stat info;
    (void)state;
    assert_false(npy_write("no/such/folder/x.npy", &a, error));
    assert_non_null(strstr(error, "No such file"));
    assert_false(npy_write("/", &a, error));
    assert_true(npy_write("/dev/null", &a, error));
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode)); /* written into, not replaced */
    assert_true(npy_write(PATH, &a, error));
    value = 2;
    assert_int_equal(symlink(PATH, "test_npy.link"), 0);
    assert_true(npy_write("test_npy.link", &a, error));
    assert_int_equal(lstat("test_npy.link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(unlink("test_npy.link"), 0);
    assert_true(load(&b));
    assert_true(*(float *)b.data == 2);
    npy_free(&b);
    assert_int_equal(stat(PATH, &info), 0);
    assert_int_equal(info.st_mode & 0111, 0);
    assert_int_equal(unlink(PATH), 0);
}

/* In a folder of its own, so that two runs do not meet. */
int main(void)
{
    char folder[] = "/tmp/sinter-npy-XXXXXX";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dtype_and_rank_comes_back),
        cmocka_unit_test(an_empty_array_comes_back),
        cmocka_unit_test(every_form_of_header_is_read),
        cmocka_unit_test(both_byte_orders_are_read),
        cmocka_unit_test(fortran_order_is_turned),
        cmocka_unit_test(codes_of_dtypes_are_read),
        cmocka_unit_test(hostile_headers_are_refused),
        cmocka_unit_test(hostile_files_are_refused),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(writing_leaves_no_half_file),
    };
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (chdir("/") != 0 || rmdir(folder) != 0)
        print_error("%s is left behind\n", folder);
    return failed;
}
