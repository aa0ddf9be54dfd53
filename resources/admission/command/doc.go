// Package command analyzes command lines. Parse returns the commands of a line and what its
// exit code proves about each. Line.Read interprets the line once and returns the commands
// that would run, the files that they write, move or remove, the settings, and whether the
// line may run: allow, ask or deny.
//
// # Reading
//
// A line is interpreted, but never run. Words are resolved if the line defines them:
// quotes, braces, variables, the output of echo, printf and filters. The interpreter
// follows pipes, functions, traps and files that the line writes. It unwraps commands that
// run other commands, like sudo, xargs, sh -c, ssh, find -exec and git aliases. The table
// commands.txt lists the known commands: wrappers, interpreters, commands that change files
// or run SQL, and commands that are harmful with certain words and options. Code of other
// languages is not interpreted: codewrites.go searches it for functions that change files.
//
// # Rules
//
// The effects are checked against the table of rules in rules.go. Parts that are only known
// at run time need approval if they are commands, code or the folder of a deletion. Other
// unknown parts are allowed. Projects have their own tools, so commands that are not in a
// table are allowed, except for what general.go reads from the names of their options and
// words: prog --out FILE, prog set FILE, prog -- rm FILE. Package admission decides which
// files are governed, based on the Reading.
//
// The checks prevent accidents. They are not a sandbox: programs can do anything, and
// scripts of the repository are trusted like its sources.
//
// # Syntax
//
// parse.go, scan.go and word.go implement a small, incomplete parser of the bash grammar.
// It is linked into a program that starts for every tool call. mvdan.cc/sh, which the tests
// compare it with, would make that start 8 % slower (hack/DEPENDENCIES.md).
package command
