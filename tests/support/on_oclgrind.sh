#!/bin/sh
# Runs a command on Oclgrind with every check on. Its own exit status says nothing of what it found: the log must
# hold nothing afterwards.
#   on_oclgrind.sh LOG COMMAND [ARGUMENT ...]
log=$1
shift
rm -f "$log"
OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED="${OCLGRIND_UNINITIALIZED:-1}" OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20 OCLGRIND_LOG=$log \
    SINTER_MEMORY_MODE=separate "$@"
status=$?
if [ -s "$log" ]; then
    echo "Oclgrind found errors:"
    cat "$log"
    exit 1
fi
exit $status
