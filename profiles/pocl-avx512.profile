# Machine: AMD EPYC, 2 virtual processors with AVX-512; PoCL 3.1
# Date: 2026-11-22
# Of 3 runs of sinter doctor while the machine did other work as well: the best of the figures, the median
# of the costs. Schedules are the defaults: none was faster in every run.
#
# What sinter knows of a device. Numbers decide speed, never results.

format = 1                   # of this file
device = "pthread-skylake-avx512-AMD EPYC"
driver = "3.1+debian"
style = "cpu"               # form of the kernels: cpu or gpu

# What was measured.
copy_near = 67826            # MB/s, copying in the caches, bytes read and written together
copy_far = 21370             # MB/s, copying in the memory
read_near = 30736            # MB/s, reading in the caches, as a sum does
read_far = 17511             # MB/s, reading in the memory
launch = 2246                # ns, one of many launches in a row, of 16 elements
round_trip = 28143           # ns, one launch of 16 elements and the wait for it

# Picoseconds per element in vectors of 1, 2, 4, 8 and 16 lanes; 0: not measured.
cost_add = 0, 0, 0, 0, 41    # addition
cost_mul = 0, 0, 0, 0, 58    # multiplication
cost_fma = 0, 0, 0, 0, 88    # multiplication and addition, rounded once
cost_div = 0, 0, 0, 0, 74    # division
cost_sqrt = 0, 0, 0, 0, 488  # square root
cost_mul_i32 = 0, 0, 0, 0, 54 # multiplication of i32
cost_div_i32 = 0, 0, 0, 0, 1379 # division of i32
cost_cast_f16 = 0, 0, 0, 0, 156 # conversion from or to f16
cost_pow = 0, 0, 0, 0, 854   # power
cost_exp = 0, 0, 0, 0, 333   # e to the power
cost_log2 = 0, 0, 0, 0, 71   # logarithm to base 2
