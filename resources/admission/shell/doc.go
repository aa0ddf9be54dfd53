// Package shell reads command lines. Parse says what a line runs, which files its
// redirections write, and what its exit code says about each command; Judge says whether
// it may run, ask or deny, by what it would do.
//
// # Judging
//
// A line is interpreted and never run: words are resolved as far as the line itself
// tells (quotes, braces, variables, the output of echo and printf and of filters over
// them), pipes, functions, traps and files that the line writes are followed, and
// commands that run others (sudo, xargs, sh -c, ssh, find -exec, an alias of git) are
// taken apart until what would happen is seen. What is then done is held against one
// table of rules (rules.go); which commands do harm by which words and options stands
// in tables beside it (dangers.go, databaseTable, wrapperTable, interpreterTable).
// What is only known when it runs is asked about where it is a command, code or the
// folder of a deletion, and let be elsewhere. A command with a name of its own that no
// table knows is let through: projects have tools of their own.
//
// It is a seat belt and not a sandbox: a program does what it does, and a script of the
// repository is trusted as its sources are.
//
// # Reading
//
// It is a small reader of bash's grammar and not a full one, because it is linked into a
// program that starts for every tool call: mvdan.cc/sh, which its tests check it
// against, would cost 8 % of that program's start (hack/DEPENDENCIES.md).
package shell
