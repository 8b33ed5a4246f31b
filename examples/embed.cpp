// From C++: a tensor that releases itself, and failures as exceptions. The headers are C; everything
// here is what a C++ program would put around them.
#include <sinter/sinter.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace
{

void check(sinter_status status)
{
    if (status != SINTER_OK)
        throw std::runtime_error(sinter_last_error());
}

struct closer {
    void operator()(sinter_context *ctx) const
    {
        (void)sinter_context_destroy(ctx);
    }
    void operator()(sinter_stream *stream) const
    {
        (void)sinter_stream_destroy(stream);
    }
};

// One reference of a tensor. Releasing runs nothing: what is pending keeps what it needs.
class tensor
{
  public:
    tensor(sinter_stream *stream, sinter_tensor handle) : stream_(stream), handle_(handle) {}
    tensor(tensor &&other) noexcept
        : stream_(other.stream_), handle_(std::exchange(other.handle_, sinter_tensor{}))
    {
    }
    tensor(const tensor &) = delete;
    tensor &operator=(const tensor &) = delete;
    tensor &operator=(tensor &&) = delete;
    ~tensor()
    {
        (void)sinter_tensor_release(stream_, handle_);
    }

    std::vector<float> read(std::size_t count) const
    {
        std::vector<float> data(count);
        check(sinter_tensor_read(stream_, handle_, data.data(), count * sizeof(float)));
        return data;
    }

    friend tensor operator+(const tensor &a, const tensor &b)
    {
        return a.call(sinter_add, b);
    }
    friend tensor operator*(const tensor &a, const tensor &b)
    {
        return a.call(sinter_mul, b);
    }
    friend tensor tanh(const tensor &a)
    {
        sinter_tensor out;
        check(sinter_tanh(a.stream_, a.handle_, &out));
        return {a.stream_, out};
    }

  private:
    using binary = sinter_status (*)(sinter_stream *, sinter_tensor, sinter_tensor,
                                     sinter_tensor *);
    tensor call(binary operation, const tensor &other) const
    {
        sinter_tensor out;
        check(operation(stream_, handle_, other.handle_, &out));
        return {stream_, out};
    }

    sinter_stream *stream_;
    sinter_tensor handle_;
};

tensor from(sinter_stream *stream, const std::vector<float> &data)
{
    const int64_t shape[] = {static_cast<int64_t>(data.size())};
    sinter_tensor out;
    check(sinter_tensor_from_host(stream, SINTER_F32, 1, shape, data.data(), &out));
    return {stream, out};
}

void run()
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *raw_context = nullptr;
    check(sinter_context_create(&options, &raw_context));
    const std::unique_ptr<sinter_context, closer> context(raw_context);
    sinter_stream *raw_stream = nullptr;
    check(sinter_stream_create(context.get(), nullptr, &raw_stream));
    const std::unique_ptr<sinter_stream, closer> stream(raw_stream);

    const tensor x = from(stream.get(), {0.0f, 0.5f, 1.0f});
    const tensor w = from(stream.get(), {2.0f, 2.0f, 2.0f});
    const tensor y = tanh(x * w + x); // the temporaries are gone before anything runs
    for (const float value : y.read(3))
        std::printf("%g ", static_cast<double>(value));
    sinter_stats stats = SINTER_STATS_INIT;
    check(sinter_context_stats(context.get(), &stats));
    std::printf("in %d launch(es)\n", static_cast<int>(stats.launches));
}

} // namespace

int main()
{
    try {
        run();
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "embed: %s\n", error.what());
        return 1;
    }
}
