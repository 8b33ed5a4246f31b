#!/bin/sh
# Runs a command on Oclgrind with every check on. Its own exit status says nothing of what it found: the log must
# hold nothing afterwards. Oclgrind empties its log whenever a context is created, so it is given a pipe.
#   on_oclgrind.sh LOG COMMAND [ARGUMENT ...]
log=$1
shift
export OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED="${OCLGRIND_UNINITIALIZED:-1}" OCLGRIND_CHECK_API=1
export OCLGRIND_MAX_ERRORS=20 OCLGRIND_LOG=/dev/fd/3 SINTER_MEMORY_MODE=separate
# 3 is the pipe, 4 standard output and 5 what the command exits with.
exec 4>&1
status=$({ { "$@" 3>&1 >&4 4>&- 5>&-; echo $? >&5; } | cat >"$log"; } 5>&1)
if [ -s "$log" ]; then
    echo "Oclgrind found errors:"
    cat "$log"
    exit 1
fi
exit "$status"
