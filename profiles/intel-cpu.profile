# Machine: AMD EPYC, 2 virtual processors with AVX-512; Intel's CPU runtime 2026.22.10
# Date: 2026-11-22
# Of 3 runs of sinter doctor while the machine did other work as well: the best of the figures, the median
# of the costs. Schedules are the defaults: none was faster in every run,
# but for item_max, of 2026-11-23, and short_items, of 2026-11-24, by sinter bench
# (docs/decisions/profile.md, replay.md).
#
# What sinter knows of a device. Numbers decide speed, never results.

format = 1                   # of this file
device = "AMD EPYC"
driver = "2026.22.10.0.01_160000"
style = "cpu"               # form of the kernels: cpu or gpu

# What was measured.
copy_near = 64005            # MB/s, copying in the caches, bytes read and written together
copy_far = 23739             # MB/s, copying in the memory
read_near = 38953            # MB/s, reading in the caches, as a sum does
read_far = 34688             # MB/s, reading in the memory
launch = 2364                # ns, one of many launches in a row, of 16 elements
round_trip = 3507            # ns, one launch of 16 elements and the wait for it

# Picoseconds per element in vectors of 1, 2, 4, 8 and 16 lanes; 0: not measured.
cost_add = 0, 0, 0, 0, 15    # addition
cost_mul = 0, 0, 0, 0, 15    # multiplication
cost_fma = 0, 0, 0, 0, 19    # multiplication and addition, rounded once
cost_div = 0, 0, 0, 0, 89    # division
cost_sqrt = 0, 0, 0, 0, 94   # square root
cost_mul_i32 = 0, 0, 0, 0, 12 # multiplication of i32
cost_div_i32 = 0, 0, 0, 0, 459 # division of i32
cost_cast_f16 = 0, 0, 0, 0, 15 # conversion from or to f16
cost_pow = 0, 0, 0, 0, 1016  # power
cost_exp = 0, 0, 0, 0, 134   # e to the power
cost_exp2 = 0, 0, 0, 0, 97   # 2 to the power
cost_expm1 = 0, 0, 0, 0, 196 # exp - 1
cost_log = 0, 0, 0, 0, 264   # natural logarithm
cost_log2 = 0, 0, 0, 0, 371  # logarithm to base 2
cost_log10 = 0, 0, 0, 0, 470 # logarithm to base 10

item_max = 65536             # most elements that a work-item of a CPU works through
short_items = 1              # at most so many where they are soon done, since each takes its time to hand out
