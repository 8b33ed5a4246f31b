/* The entry of `sinter bench`, for the command-line program. */
#ifndef SINTER_BENCH_BENCH_H
#define SINTER_BENCH_BENCH_H

/* Runs the benchmark with the arguments behind the subcommand's name; argv[0] is passed over.
 * Writes to stdout and stderr. Returns the exit status: 0 done, 1 something failed or results
 * differ, 2 the arguments are wrong. */
int sinter_bench_main(int argc, char **argv);

#endif /* SINTER_BENCH_BENCH_H */
