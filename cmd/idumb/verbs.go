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
	{name: "version", group: setup, build: newVersion},
}
