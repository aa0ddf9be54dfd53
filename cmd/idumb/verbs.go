package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// verb is one row of the table of verbs.
type verb struct {
	name  string
	group string
	build func(*app) *cobra.Command
	named bool // completion proposes KIND NAME... and KIND/NAME..., unless the command has another completion
	long  bool // runs until it is stopped: the garbage collector keeps its default
}

// Groups of verbs, as help lists them. A verb without a group is hidden: idumb help --all lists it.
const (
	tasking   = "tasks"
	overviews = "overview"
	knowing   = "knowledge"
	sharing   = "team"
	objects   = "resources"
	setup     = "setup"
)

var groups = [...]*cobra.Group{
	{ID: tasking, Title: "Tasks:"},
	{ID: overviews, Title: "Overview:"},
	{ID: knowing, Title: "Knowledge:"},
	{ID: sharing, Title: "Agents and team:"},
	{ID: objects, Title: "Resources (kubectl-compatible):"},
	{ID: setup, Title: "Setup:"},
}

// verbAliases maps words of git, of other trackers, and of English to verbs.
var verbAliases = map[string]string{
	"ls": "get", "list": "get", "ps": "top", "show": "describe", "cat": "describe", "view": "describe", "info": "describe",
	"new": "add", "todo": "add", "task": "add", "done": "complete", "finish": "complete", "close": "complete", "resolve": "complete",
	"begin": "start", "work": "start", "claim": "start", "take": "start", "block": "fail", "cancel": "abandon", "drop": "abandon",
	"rm": "delete", "remove": "delete", "del": "delete", "modify": "edit", "update": "edit", "set": "patch", "later": "defer", "postpone": "defer", "snooze": "defer",
	"checkout": "focus", "switch": "focus", "use": "focus", "log": "get events", "history": "get events", "logs": "controller logs", "denials": "get violations", "denied": "get violations",
	"ready": "next", "what": "next", "overview": "tree", "dashboard": "dash", "ui": "dash", "web": "dash", "graph": "tree", "plan": "tree", "plans": "tree", "remember": "mem save", "learn": "mem save", "search": "mem search",
	"undo": "restore", "unarchive": "restore", "check": "doctor", "fix": "doctor", "setup": "init", "install": "hook install", "daemon": "up", "serve": "up", "kubectl": "controller kubeconfig", "k9s": "controller kubeconfig", "shell": "auth check-command", "grants": "get grants", "claims": "get claims", "stop": "controller stop", "update-hooks": "upgrade",
}

// groupOf is the group of the acts on a kind.
var groupOf = map[string]string{resources.Tasks: tasking, resources.Mems: knowing, resources.Delegations: sharing}

// verbs lists the verbs. Some acts have no row.
var verbs = [...]verb{
	{name: "add", group: tasking, build: newAdd},
	{name: "next", group: tasking, build: newNext},
	{name: "run", group: tasking, build: newRun, long: true},
	{name: "focus", group: tasking, build: newFocus},
	{name: "comment", group: tasking, build: newComment},

	{name: "status", group: overviews, build: newStatus},
	{name: "dash", group: overviews, build: newDash, long: true},
	{name: "tree", group: overviews, build: newTree},
	{name: "top", group: overviews, build: newTop},
	{name: "report", group: overviews, build: newReport},

	{name: "mem", group: knowing, build: newMem},
	{name: "decide", group: knowing, build: newDecide},
	{name: "artifact", group: knowing, build: newArtifact},
	{name: "review", group: knowing, build: newReview},
	{name: "supersede", group: knowing, build: newSupersede, named: true},
	{name: "map", group: knowing, build: newMap},

	{name: "delegation", group: sharing, build: newDelegation},
	{name: "allow", group: sharing, build: newAllow},
	{name: "auth", group: sharing, build: newAuth},
	{name: "session", group: sharing, build: newSession},
	{name: "context", group: sharing, build: newContext},
	{name: "sync", group: sharing, build: newSync},

	{name: "get", group: objects, build: newGet},
	{name: "describe", group: objects, build: newDescribe},
	{name: "explain", group: objects, build: newExplain},
	{name: "create", group: objects, build: newCreate},
	{name: "apply", group: objects, build: newApply("apply", mutate.CreateOrReplace)},
	{name: "edit", group: objects, build: newEdit, named: true},
	{name: "patch", group: objects, build: newPatch, named: true},
	{name: "delete", group: objects, build: newDelete, named: true},
	{name: "archive", group: objects, build: newArchive, named: true},
	{name: "restore", group: objects, build: newRestore},
	{name: "import", group: objects, build: newImport},

	{name: "init", group: setup, build: newInit},
	{name: "onboard", group: setup, build: newOnboard},
	{name: "trust", group: setup, build: newTrust},
	{name: "hook", group: setup, build: newHook},
	{name: "controller", group: setup, build: newController},
	{name: "up", group: setup, build: newUp, long: true},
	{name: "doctor", group: setup, build: newDoctor},
	{name: "upgrade", group: setup, build: func(a *app) *cobra.Command { return newSetup("upgrade", a.upgrade) }},
	{name: "uninstall", group: setup, build: newUninstall},

	{name: "annotate", build: newTagging(annotations), named: true},
	{name: "api-resources", build: newAPIResources},
	{name: "completion", build: newCompletion},
	{name: "demo", build: bareCommand("demo", (*app).demo), long: true},
	{name: "diff", build: newDiff},
	{name: "export", build: newExport},
	{name: "label", build: newTagging(labels), named: true},
	{name: "migrate", build: newMigrate},
	{name: "replace", build: newApply("replace", mutate.ReplaceOnly)},
	{name: "research", build: newResearch, long: true},
	{name: "version", build: newVersion},
	{name: "wait", build: newWait, long: true},
}
