package main

import "github.com/spf13/cobra"

// A verb is one row of the table of verbs.
type verb struct {
	name  string
	group string
	build func(*app) *cobra.Command
	long  bool // runs until it is told to stop: the garbage collector works as usual
}

// Groups of verbs, as help lists them.
const (
	reading = "read"
	writing = "write"
	working = "work"
	running = "run"
	setup   = "setup"
)

var groups = [...]*cobra.Group{
	{ID: working, Title: "Work:"},
	{ID: reading, Title: "Look:"},
	{ID: writing, Title: "Change:"},
	{ID: running, Title: "Run:"},
	{ID: setup, Title: "Set up and help:"},
}

// verbs is the one table of verbs.
var verbs = [...]verb{
	{name: "init", group: setup, build: newInit},
	{name: "create", group: writing, build: newCreate},
	{name: "apply", group: writing, build: newApply},
	{name: "diff", group: writing, build: newDiff},
	{name: "edit", group: writing, build: newEdit},
	{name: "patch", group: writing, build: newPatch},
	{name: "delete", group: writing, build: newDelete},
	{name: "label", group: writing, build: newLabel},
	{name: "annotate", group: writing, build: newAnnotate},
	{name: "archive", group: writing, build: newArchive},
	{name: "restore", group: writing, build: newRestore},
	{name: "import", group: writing, build: newImport},
	{name: "start", group: working, build: newStart},
	{name: "review", group: working, build: newReview},
	{name: "complete", group: working, build: newComplete},
	{name: "fail", group: working, build: newFail},
	{name: "abandon", group: working, build: newAbandon},
	{name: "demo", group: setup, build: newDemo, long: true},
	{name: "version", group: setup, build: newVersion},
}
