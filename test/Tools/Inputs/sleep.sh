#!/bin/sh
# A tool that hangs, with a child that does.
sleep 100
