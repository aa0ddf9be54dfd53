// Package shell reads a command line as far as the gate and the checkpoint log
// need it: which commands it runs, which files its redirections write, and what
// its exit code says about each command. It runs and expands nothing: a word
// that is not literal is unknown, and what is unknown is left out.
//
// It is a small reader of bash's grammar and not a full one, because it is
// linked into a program that starts for every tool call: mvdan.cc/sh, which its
// tests check it against, would cost 13 % of an empty program's start.
package shell
