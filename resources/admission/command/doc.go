// Package command reads command lines. Parse says how a line is written: its commands, and
// what its exit code says about each. Line.Read interprets it, once, and says all else: what
// would run, which files that writes, moves or removes, what it sets, and whether it may
// run, ask or deny.
//
// # Reading
//
// A line is interpreted and never run: words are resolved as far as the line itself
// tells (quotes, braces, variables, the output of echo and printf and of filters over
// them), pipes, functions, traps and files that the line writes are followed, and
// commands that run others (sudo, xargs, sh -c, ssh, find -exec, an alias of git) are
// taken apart until what would happen is seen. What is known of commands by their names
// stands in one table, commands.txt: what runs others, what runs code, what touches files,
// what is given SQL, and what does harm by its words and options.
//
// # Judging
//
// What is then done is held against one table of rules (rules.go). What is only known when
// it runs is asked about where it is a command, code or the folder of a deletion, and let
// be elsewhere. A command with a name of its own that no table knows is let through:
// projects have tools of their own. Which files are governed, and what else is, is for
// package admission, which takes the Reading.
//
// It is a seat belt and not a sandbox: a program does what it does, and a script of the
// repository is trusted as its sources are.
//
// # Syntax
//
// parse.go, scan.go and word.go are a small reader of bash's grammar and not a full one,
// because it is linked into a program that starts for every tool call: mvdan.cc/sh, which
// its tests check it against, would cost 8 % of that program's start (hack/DEPENDENCIES.md).
package command
