#!/bin/sh
# An interestingness test for top-reduce: does top-tile refuse to cut this op by
# its groups? top-reduce gives the file to look at and takes exit status 0 for
# "no", any other for "yes".
! top-opt "$1" --top-tile="channels=3" 2>&1 | grep -q "with 'group' 4 expected a multiple or a divisor"
