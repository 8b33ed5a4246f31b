/* gelu(x @ w + b), in one launch. */
#include <sinter/sinter.h>

#include <stdio.h>

int main(void)
{
    const float x_data[2][3] = {{1, 2, 3}, {-1, 0, 1}};
    const float w_data[3][2] = {{0.5f, -1}, {0.25f, 1}, {-0.5f, 0.5f}};
    const float b_data[2] = {0.1f, -0.1f};
    float y_data[2][2];
    sinter_context *ctx = NULL;
    sinter_stream *s = NULL;
    sinter_tensor x, w, b, product, sum, y;

    if (sinter_context_create(NULL, &ctx) != SINTER_OK ||
        sinter_stream_create(ctx, NULL, &s) != SINTER_OK ||
        sinter_tensor_from_host(s, SINTER_F32, 2, (int64_t[]){2, 3}, x_data, &x) != SINTER_OK ||
        sinter_tensor_from_host(s, SINTER_F32, 2, (int64_t[]){3, 2}, w_data, &w) != SINTER_OK ||
        sinter_tensor_from_host(s, SINTER_F32, 1, (int64_t[]){2}, b_data, &b) != SINTER_OK ||
        sinter_matmul(s, x, w, &product) != SINTER_OK || /* queued */
        sinter_add(s, product, b, &sum) != SINTER_OK || sinter_gelu(s, sum, &y) != SINTER_OK ||
        sinter_tensor_release(s, product) != SINTER_OK || /* neither leaves the kernel */
        sinter_tensor_release(s, sum) != SINTER_OK ||
        sinter_tensor_read(s, y, y_data, sizeof y_data) != SINTER_OK) { /* plans, fuses, runs */
        (void)fprintf(stderr, "hello: %s\n", sinter_last_error());
        return 1;
    }
    printf("%g %g\n%g %g\n", y_data[0][0], y_data[0][1], y_data[1][0], y_data[1][1]);
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx); /* frees the tensors that are still held */
    return 0;
}
