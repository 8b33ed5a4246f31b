# The engine: its parts one by one, and what they decide together.

sinter_host_test(test_suballoc unit/test_suballoc.c)
sinter_host_test(test_schema unit/test_schema.c)
sinter_host_test(test_relative unit/test_relative.c)
sinter_host_test(test_store unit/test_store.c)
sinter_host_test(test_queue unit/test_queue.c)
sinter_host_test(test_store_budget decision/test_store_budget.c)
