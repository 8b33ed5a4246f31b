/* States of reductions, as two of them become one (fusion/nest/state.h). */

//# chan
/* Chan's formula: a takes in b. A state is n elements, their mean m + r as a rounded number and what that left, and the
 * sum of their squared differences from it. */
FN void SN(chan)(T *a, const T *b)
{
    T n = a[0] + b[0];
    T delta = b[1] - a[1];
    T rest = b[2] - a[2];
    delta = delta + rest;
    T step = delta * DIV(b[0], n);
    T between = delta * a[0];
    between = between * step;
    T squares = a[3] + b[3];
    T add = a[2] + step;
    T mean = a[1] + add;
    T got = mean - a[1];
    T lost = mean - got;
    lost = a[1] - lost;
    rest = add - got;
    a[0] = n;
    a[1] = mean;
    a[2] = lost + rest;
    a[3] = squares + between;
}
