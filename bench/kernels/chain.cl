/* 2, 8 or 32 cheap operations: -DSTEPS=. */
F first_two(F v)
{
    v = v * (F)(1.01f);
    return v + (F)(0.25f);
}

F all_eight(F v)
{
    v = first_two(v);
    v = LARGER(v, (F)(-1.5f));
    v = v - (F)(0.125f);
    v = v * (F)(0.98f);
    v = SMALLER(v, (F)(1.75f));
    v = -v;
    return v + (F)(0.5f);
}

F chain(F v)
{
#if STEPS == 2
    return first_two(v);
#elif STEPS == 8
    return all_eight(v);
#else
    return all_eight(all_eight(all_eight(all_eight(v))));
#endif
}

/* With the operations of halves rounded one by one, as sinter does, or kept in float till the end. The last one is
 * rounded by the store. */
F chain_half(F v)
{
#ifdef SAME
    v = TO_HALF(v * TO_HALF((F)(1.01f)));
    v = TO_HALF(v + (F)(0.25f));
    v = LARGER(v, (F)(-1.5f));
    v = TO_HALF(v - (F)(0.125f));
    v = TO_HALF(v * TO_HALF((F)(0.98f)));
    v = SMALLER(v, (F)(1.75f));
    return -v + (F)(0.5f);
#else
    return chain(v);
#endif
}

__kernel void chain_f32(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH(i, a)
        STORE_LAST(chain(LOAD(x, i)), y, i);
}

__kernel void chain_f16(__global const half *restrict x, __global half *restrict y, EXTENTS)
{
    EACH(i, a)
        STORE_HALF(chain_half(LOAD_HALF(x, i)), y, i);
}
