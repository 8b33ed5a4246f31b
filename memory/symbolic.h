/* Schemas inside the library: what include/sinter/schema.h is made of.
 *
 * The one hard idea: which requests share memory is decided once, by the hint, from lifetimes that no
 * binding changes. A binding then only fills in the sizes: a partition is as large as the largest of
 * its requests, and begins where those before it end. */
#ifndef SINTER_MEMORY_SYMBOLIC_H
#define SINTER_MEMORY_SYMBOLIC_H

#include "core/size.h"
#include "sinter/schema.h"

typedef struct sinter__schema_request {
    const char *id;
    int64_t start, end;
    sinter__size size;
    uint32_t partition;
    uint32_t line; /* of the text; 0: there is none */
    size_t offset; /* of its size in the text */
} sinter__schema_request;

/* What became of a value of a program. */
typedef struct sinter__schema_value {
    sinter_value_place place;
    uint32_t request; /* or the value that it is a view of; SINTER_NO_INDEX: neither */
} sinter__schema_value;

struct sinter_schema {
    sinter__allocator allocator;
    sinter__sizes sizes; /* its arena has everything but the requests while they are added */
    uint64_t alignment_bytes;
    sinter__schema_request *requests;
    size_t count, capacity;
    sinter__size *partitions; /* their sizes, not rounded */
    uint32_t partition_count;
    sinter__size total; /* of the partitions, each rounded up */
    uint32_t *events;   /* twice a request, then 1 for its end: by step, ends first */
    size_t event_count; /* requests that are never alive have none */
    sinter__schema_value *values;
    uint32_t value_count;
};

/* An empty schema; on failure *out is NULL. */
sinter_status sinter__schema_open(const sinter_schema_options *options, sinter_schema **out);

/* An allocator of its own for a call that reads the schema, with the schema's hook. */
void sinter__schema_allocator(const sinter_schema *s, sinter__allocator *out);

/* SINTER_EINVAL unless `id` can stand in a line, and for NULL. */
sinter_status sinter__schema_check_id(const char *id, size_t bytes);

/* One more request; its id is copied. */
sinter_status sinter__schema_add(sinter_schema *s, const sinter__schema_request *request,
                                 size_t id_bytes);

/* All requests are added: partitions, events, total. *wrong is the request at fault, or their count. */
sinter_status sinter__schema_close(sinter_schema *s, const sinter_schema_options *options,
                                   size_t *wrong);

/* Of `count` texts the first that an earlier one is equal to; `count` when there is none. */
sinter_status sinter__schema_find_twice(sinter__sizes *pool, const char *const *texts, size_t count,
                                        size_t *twice);

#endif /* SINTER_MEMORY_SYMBOLIC_H */
