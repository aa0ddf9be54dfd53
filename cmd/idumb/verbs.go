package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
)

// A verb is one row of the table of verbs.
type verb struct {
	name  string
	group string
	build func(*app) *cobra.Command
	named bool // completion proposes KIND NAME... and KIND/NAME...; a verb may have a completion of its own
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

// otherWords are words that people type for a verb: those of git, of other trackers, of English.
var otherWords = map[string]string{
	"ls": "get", "list": "get", "ps": "top sessions", "show": "describe", "cat": "describe", "view": "describe", "info": "describe",
	"new": "add", "todo": "add", "task": "add", "done": "complete", "finish": "complete", "close": "complete", "resolve": "complete",
	"begin": "start", "work": "start", "claim": "start", "take": "start", "submit": "review", "block": "fail", "cancel": "abandon", "drop": "abandon",
	"rm": "delete", "remove": "delete", "del": "delete", "modify": "edit", "update": "edit", "set": "patch", "later": "defer", "postpone": "defer", "snooze": "defer",
	"checkout": "focus", "switch": "focus", "use": "focus", "log": "events", "history": "events", "logs": "controller logs", "denials": "violations", "denied": "violations",
	"ready": "next", "what": "next", "overview": "tree", "dashboard": "dash", "ui": "dash", "web": "dash", "graph": "tree", "plan": "tree", "plans": "tree", "remember": "mem save", "learn": "mem save", "search": "mem recall",
	"undo": "restore", "unarchive": "restore", "check": "doctor", "fix": "doctor", "setup": "init", "install": "hook install", "daemon": "up", "serve": "up", "kubectl": "kubeconfig", "k9s": "kubeconfig", "stop": "controller stop", "update-hooks": "upgrade",
}

// verbs is the one table of verbs.
var verbs = [...]verb{
	{name: "add", group: working, build: newAdd},
	{name: "status", group: working, build: newStatus},
	{name: "next", group: working, build: newNext},
	{name: "start", group: working, build: newMove(lifecycle.Start)},
	{name: "run", group: working, build: newRun, long: true},
	{name: "review", group: working, build: newReview},
	{name: "complete", group: working, build: newMove(lifecycle.Complete)},
	{name: "fail", group: working, build: newMove(lifecycle.Fail)},
	{name: "abandon", group: working, build: newMove(lifecycle.Abandon)},
	{name: "branch", group: working, build: newBranch},
	{name: "defer", group: working, build: newMove(lifecycle.Defer)},
	{name: "validate", group: working, build: newValidate, named: true},
	{name: "focus", group: working, build: newFocus},
	{name: "accept", group: working, build: newHandOver(lifecycle.Accept)},
	{name: "recall", group: working, build: newHandOver(lifecycle.Recall)},
	{name: "research", group: working, build: newResearch, long: true},
	{name: "decide", group: working, build: newDecide},
	{name: "comment", group: working, build: newComment},
	{name: "allow", group: working, build: newAllow},
	{name: "mem", group: working, build: newMem},
	{name: "artifact", group: working, build: newArtifact},
	{name: "context", group: working, build: newContext},
	{name: "session", group: working, build: newSession},

	{name: "dash", group: reading, build: newDash, long: true},
	{name: "map", group: reading, build: newMap},
	{name: "get", group: reading, build: newGet},
	{name: "describe", group: reading, build: newDescribe},
	{name: "tree", group: reading, build: newTree},
	{name: "report", group: reading, build: newReport},
	{name: "events", group: reading, build: newEvents},
	{name: "violations", group: reading, build: newViolations},
	{name: "top", group: reading, build: newTop},
	{name: "wait", group: reading, build: newWait, long: true},
	{name: "explain", group: reading, build: newExplain},
	{name: "api-resources", group: reading, build: newAPIResources},
	{name: "shell", group: reading, build: newShell},

	{name: "create", group: writing, build: newCreate},
	{name: "apply", group: writing, build: newApply("apply", mutate.CreateOrReplace)},
	{name: "replace", group: writing, build: newApply("replace", mutate.ReplaceOnly)},
	{name: "diff", group: writing, build: newDiff},
	{name: "edit", group: writing, build: newEdit, named: true},
	{name: "patch", group: writing, build: newPatch, named: true},
	{name: "delete", group: writing, build: newDelete, named: true},
	{name: "label", group: writing, build: newTagging(labels), named: true},
	{name: "annotate", group: writing, build: newTagging(annotations), named: true},
	{name: "archive", group: writing, build: newArchive, named: true},
	{name: "restore", group: writing, build: newRestore},
	{name: "import", group: writing, build: newImport},
	{name: "export", group: writing, build: newExport},

	{name: "up", group: running, build: newUp, long: true},
	{name: "controller", group: running, build: newController},
	{name: "hook", group: running, build: newHook},
	{name: "sync", group: running, build: newSync},
	{name: "kubeconfig", group: running, build: newKubeconfig},

	{name: "init", group: setup, build: newInit},
	{name: "onboard", group: setup, build: newOnboard},
	{name: "upgrade", group: setup, build: func(a *app) *cobra.Command { return newSetup("upgrade", a.upgrade) }},
	{name: "uninstall", group: setup, build: newUninstall},
	{name: "migrate", group: setup, build: newMigrate},
	{name: "trust", group: setup, build: func(a *app) *cobra.Command { return newSetup("trust", a.trust) }},
	{name: "untrust", group: setup, build: plain("untrust", (*app).untrust)},
	{name: "demo", group: setup, build: plain("demo", (*app).demo), long: true},
	{name: "auth", group: setup, build: newAuth},
	{name: "doctor", group: setup, build: newDoctor},
	{name: "completion", group: setup, build: newCompletion},
	{name: "version", group: setup, build: newVersion},
}
