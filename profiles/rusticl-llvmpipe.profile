# Machine: AMD EPYC, 2 virtual processors with AVX-512; rusticl of Mesa 22.3.6 on llvmpipe
# Date: 2026-11-23
# Of 3 runs of sinter doctor with nothing else running: the best of the figures, the median
# of the costs. Schedules are the defaults: none was faster in every run.
# The style is that of a GPU, whose kernels are 1.4 to 7 times as fast there (docs/decisions/rusticl.md).
#
# What sinter knows of a device. Numbers decide speed, never results.

format = 1                   # of this file
device = "llvmpipe (LLVM 15.0.6, 256 bits)"
driver = "22.3.6"
style = "gpu"                # form of the kernels: cpu or gpu

# What was measured.
copy_near = 713              # MB/s, copying in the caches, bytes read and written together
copy_far = 3598              # MB/s, copying in the memory
read_near = 228              # MB/s, reading in the caches, as a sum does
read_far = 1857              # MB/s, reading in the memory
launch = 355038              # ns, one of many launches in a row, of 16 elements
round_trip = 397501          # ns, one launch of 16 elements and the wait for it

# Picoseconds per element in vectors of 1, 2, 4, 8 and 16 lanes; 0: not measured.
cost_add = 0, 0, 654, 0, 0   # addition
cost_mul = 0, 0, 1705, 0, 0  # multiplication
cost_fma = 0, 0, 11669, 0, 0 # multiplication and addition, rounded once
cost_div = 0, 0, 3217, 0, 0  # division
cost_sqrt = 0, 0, 4000, 0, 0 # square root
cost_mul_i32 = 0, 0, 1910, 0, 0 # multiplication of i32
cost_div_i32 = 0, 0, 12611, 0, 0 # division of i32
cost_cast_f16 = 0, 0, 1993, 0, 0 # conversion from or to f16
cost_pow = 0, 0, 629526, 0, 0 # power
