/* Price of a call; rate 2 %, volatility 30 %. */
F normal_cdf(F x)
{
    return (F)(0.5f) + (F)(0.5f) * ERF(x * (F)(0.70710678f));
}

__kernel void black_scholes(__global const float *restrict spot, __global const float *restrict strike,
                            __global const float *restrict time, __global float *restrict price,
                            EXTENTS)
{
    EACH(i, a)
    {
        F s = LOAD(spot, i);
        F k = LOAD(strike, i);
        F t = LOAD(time, i);
        F spread = (F)(0.3f) * sqrt(t);
        F d1 = (LOG(s / k) + t * (F)(0.065f)) / spread;
        F d2 = d1 - spread;
        STORE_LAST(s * normal_cdf(d1) - k * EXP(t * (F)(-0.02f)) * normal_cdf(d2), price, i);
    }
}
