# Machine: AMD EPYC, 2 virtual processors with AVX-512; rusticl of Mesa 22.3.6 on llvmpipe
# Date: 2026-11-22
# Of 3 runs of sinter doctor while the machine did other work as well: the best of the figures, the median
# of the costs. Schedules are the defaults: none was faster in every run.
# The style is that of a GPU, whose kernels are 1.4 to 7 times as fast there (docs/decisions/rusticl.md).
#
# What sinter knows of a device. Numbers decide speed, never results; a line that is
# taken out counts as its default.

format = 1                   # of this file
device = "llvmpipe (LLVM 15.0.6, 256 bits)"
driver = "22.3.6"
style = "gpu"               # form of the kernels: cpu or gpu

# What was measured.
copy_near = 540              # MB/s, copying in the caches, bytes read and written together
copy_far = 401               # MB/s, copying in the memory
read_near = 125              # MB/s, reading in the caches, as a sum does
read_far = 111               # MB/s, reading in the memory
launch = 313481              # ns, one of many launches in a row, of 16 elements
round_trip = 364171          # ns, one launch of 16 elements and the wait for it

# Picoseconds per element in vectors of 1, 2, 4, 8 and 16 lanes; 0: not measured.
cost_add = 0, 0, 859, 0, 0   # addition
cost_mul = 0, 0, 201, 0, 0   # multiplication
cost_fma = 0, 0, 41748, 0, 0 # multiplication and addition, rounded once
cost_div = 0, 0, 3312, 0, 0  # division
cost_sqrt = 0, 0, 2294, 0, 0 # square root
cost_mul_i32 = 0, 0, 848, 0, 0 # multiplication of i32
cost_div_i32 = 0, 0, 25249, 0, 0 # division of i32
cost_cast_f16 = 0, 0, 7785, 0, 0 # conversion from or to f16
cost_pow = 0, 0, 2779902, 0, 0 # power
cost_exp = 0, 0, 721279, 0, 0 # e to the power
cost_exp2 = 0, 0, 314728, 0, 0 # 2 to the power
cost_expm1 = 0, 0, 554115, 0, 0 # exp - 1
