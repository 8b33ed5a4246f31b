# The engine: its parts one by one, and what they decide together.

sinter_host_test(test_suballoc unit/test_suballoc.c)
sinter_host_test(test_schema unit/test_schema.c)
sinter_host_test(test_relative unit/test_relative.c)
sinter_host_test(test_store unit/test_store.c)
sinter_host_test(test_queue unit/test_queue.c)
sinter_host_test(test_handles unit/test_handles.c)
sinter_host_test(test_store_budget decision/test_store_budget.c)
sinter_host_test(test_groups decision/test_groups.c)
sinter_host_test(test_reuse decision/test_reuse.c)
sinter_device_test(test_replay decision/test_replay.c)
sinter_host_test(test_poison decision/test_poison.c)
sinter_device_test(test_streams decision/test_streams.c)

# The same under each switch that forces the slow way, on the host: what a switch changes on purpose is passed over,
# values and everything else hold.
function(sinter_under_switches name)
    foreach(switch NO_FUSE=1 NO_REUSE=1 FLUSH_EVERY_OP=1 TINY_LIMITS=1 MEMORY_MODE=poison MEMORY_MODE=separate)
        string(REGEX REPLACE "=1$" "" short ${switch})
        string(REGEX REPLACE "^.*=" "" short ${short})
        string(TOLOWER ${short} short)
        sinter_add_test(${name}.${short} host 300 ${name})
        set_tests_properties(${name}.${short} PROPERTIES ENVIRONMENT "SINTER_DEVICE=host;SINTER_${switch}")
    endforeach()
endfunction()

sinter_under_switches(test_tiny)
sinter_under_switches(test_groups)
sinter_under_switches(test_replay)
sinter_under_switches(test_poison)
sinter_under_switches(test_reuse)
sinter_under_switches(test_streams)
sinter_under_switches(test_handles)
