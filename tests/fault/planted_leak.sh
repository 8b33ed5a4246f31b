#!/bin/sh
# The OpenCL library for tests finds what is left and what is released twice.
#   planted_leak.sh COMMAND
for case in none:0 leak:99 twice:99; do
    "$1" "${case%:*}"
    status=$?
    if [ $status -ne "${case#*:}" ]; then
        echo "$case: exit status $status"
        exit 1
    fi
done
