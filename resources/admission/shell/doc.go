// Package shell reads a command line as far as the gate and the checkpoint log
// need it: which commands it runs, which files its redirections write, and what
// its exit code says about each command. It parses (mvdan.cc/sh) and never
// runs or expands anything: a word that is not literal is unknown, and what is
// unknown is left out.
package shell
