// Package imports is the one table of formats that are read and written: older ones that a repository holds, other
// trackers, and our own JSON. Everything in it is a pure function of bytes and objects; package intake reads the files and
// writes what came out.
package imports

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/backlog"
	"github.com/idumb-dev/idumb/resources/imports/beads"
	"github.com/idumb-dev/idumb/resources/imports/gsd"
	"github.com/idumb-dev/idumb/resources/imports/speckit"
	"github.com/idumb-dev/idumb/resources/imports/taskmaster"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Format is one row of the table of formats.
type Format struct {
	Name  string // in commands
	Title string // for people
	// Here is the folder in a repository that the format's files stand in; migrate converts them there. ""
	// for a format that is imported.
	Here string
	// Folders are those below Here that are looked at, "." for itself, "*" for each in it, "brain/..." with all below. nil: all.
	Folders []string
	// Wanted reports whether a file, by its path from Here or from what is imported, is read.
	Wanted func(file string, data []byte) bool
	// Belongs reports whether a file or a folder (with a '/' behind it) is the tool's, though nobody reads it: it is
	// left where it is, and named. nil: none.
	Belongs func(file string) bool
	// Moves: files are moved to <name>.bak when they are converted. Otherwise a copy is made and the file stays, since
	// the tool that it belongs to may still use it.
	Moves bool
	// Takes is what import takes, as usage shows it; "" for a format that is not imported.
	Takes string
	// Roots are folders that stand for the folder that was named, if they are in it.
	Roots []string
	// Find are the places in a folder where import looks for the format's file, in this order. nil: the folder
	// itself is what is imported.
	Find    []string
	Convert migrate.Converter
	Doc     string // what becomes of what, for help
	Example string
	// Export writes objects in this format; nil: it cannot.
	Export func(Reader) ([]byte, migrate.Report)
}

// formats is the one table of formats; help, completion, migrate, import, export, init and doctor follow it.
var formats = [...]Format{
	{
		Name: "idumb", Title: "iDumb v1/v2", Here: ".idumb", Folders: []string{".", "brain/...", "sessions", "anchors"}, Moves: true,
		Wanted: migrate.IsOldIdumb, Convert: migrate.Idumb,
		Belongs: func(file string) bool { return strings.HasPrefix(file, "brain/") },
		Doc:     "epics, tasks, subtasks and work plans to plans and tasks; checkpoints to logs; sessions, anchors, delegations, knowledge, settings",
	},
	{
		Name: "hivemind", Title: "HiveMind", Here: ".hivemind", Folders: []string{".", "graph", "state", "memory", "system", "session-tracker", "session-tracker/*"},
		Wanted: func(file string, _ []byte) bool { return migrate.IsHivemind(file) }, Convert: migrate.Hivemind,
		Belongs: func(string) bool { return true },
		Doc:     "the graph, and the flat files where it says nothing: plans and phases, tasks, mems (stale 72 hours after the migration, with --strict after they were made), anchors, trajectory; sessions, and the work that they handed over",
	},
	{
		Name: "beads", Title: "beads", Takes: "FILE.jsonl|DIR",
		Find:    []string{".beads/issues.jsonl", ".beads/beads.jsonl", "issues.jsonl", "beads.jsonl", ".beads/*.jsonl", "*.jsonl"},
		Convert: beads.Convert, Export: exportBeads,
		Doc: `Turn an export of beads into plans and tasks: epics and parents, blocks to
dependsOn, other edges to annotations. A list of issues (bd list --json) and
.beads in a folder do as well.`,
		Example: "  bd export > issues.jsonl\n  idumb import beads issues.jsonl --dry-run",
	},
	{
		Name: "taskmaster", Title: "Task Master", Takes: "FILE.json|DIR",
		Find:    []string{".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"},
		Convert: taskmaster.Convert,
		Doc: `Turn the tasks.json of Task Master into plans and tasks: a tag is a plan, a
subtask a task below its task, tag-23.4.`,
		Example: "  idumb import taskmaster .taskmaster/tasks/tasks.json",
	},
	{
		Name: "backlog", Title: "Backlog.md", Takes: "DIR|FILE.md", Roots: []string{"backlog", ".backlog"},
		Folders: []string{".", "tasks/...", "drafts/...", "completed/...", "archive/...", "milestones/...", "decisions/..."},
		Wanted:  func(file string, _ []byte) bool { return backlog.Wanted(file) },
		Belongs: func(string) bool { return true },
		Convert: backlog.Convert,
		Doc: `Turn a folder of Backlog.md into plans and tasks: a milestone is a plan, a
decision a mem; acceptance criteria are what is expected.`,
		Example: "  idumb import backlog backlog/",
	},
	{
		Name: "spec-kit", Title: "spec-kit", Takes: "DIR|tasks.md", Roots: []string{"specs", ".specify/specs"},
		Folders: []string{".", "*"},
		Wanted:  func(file string, _ []byte) bool { return speckit.Wanted(file) },
		Belongs: func(string) bool { return true },
		Convert: speckit.Convert,
		Doc: `Turn the features of spec-kit into plans and tasks: a folder with a tasks.md is
a plan, a line T012 a task; a phase waits for the one before it, [P] for what
comes before all of its like. Success criteria are what the plan must meet.`,
		Example: "  idumb import spec-kit . --dry-run\n  idumb import spec-kit specs/001-login/tasks.md",
	},
	{
		Name: "gsd", Title: "GSD", Takes: "DIR", Roots: []string{".planning"},
		Folders: []string{".", "phases/...", "milestones/...", "quick/...", "todos/...", "workstreams/..."},
		Wanted:  func(file string, _ []byte) bool { return gsd.Wanted(file) },
		Belongs: func(string) bool { return true },
		Convert: gsd.Convert,
		Doc: `Turn the .planning folder of GSD ("get shit done") into plans and tasks: a phase
is a plan, its success criteria what the plan must meet; a file 01-02-PLAN.md is
a task, its truths what is expected; its SUMMARY.md is the result, and what was
decided there are mems. Todos and phases without plans are planned ahead.`,
		Example: "  idumb import gsd . --dry-run\n  idumb import gsd .planning",
	},
	{Name: "json", Title: "our own JSON", Export: exportJSON, Example: "  idumb export json > all.json\n  idumb apply -f all.json"},
}

// Formats returns the rows of the table that have what is asked for.
func Formats(has func(*Format) bool) []*Format {
	var list []*Format
	for i := range formats {
		if has(&formats[i]) {
			list = append(list, &formats[i])
		}
	}
	return list
}

// Migrated, Imported and Exported are what a format may be for.
func Migrated(f *Format) bool { return f.Here != "" }

// Imported reports whether a format is read from files that somebody names.
func Imported(f *Format) bool { return f.Takes != "" }

// Exported reports whether a format is written.
func Exported(f *Format) bool { return f.Export != nil }

// Names lists the names of formats.
func Names(list []*Format) []string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name
	}
	return names
}

// Within reports whether files of a folder, by its path from Here, are looked at.
func (f *Format) Within(folder string) bool {
	if f.Folders == nil {
		return true
	}
	for _, w := range f.Folders {
		deep, isDeep := strings.CutSuffix(w, "/...")
		if is, _ := path.Match(w, folder); is || isDeep && (folder == deep || strings.HasPrefix(folder, deep+"/")) {
			return true
		}
	}
	return false
}

// LeadsTo reports whether anything in or below a folder is looked at.
func (f *Format) LeadsTo(folder string) bool {
	return folder == "." || f.Within(folder) ||
		slices.ContainsFunc(f.Folders, func(w string) bool { return strings.HasPrefix(w, folder+"/") })
}

// Wants reports whether a file is read.
func (f *Format) Wants(file string, data []byte) bool {
	return f.Within(path.Dir(file)) && (f.Wanted == nil || f.Wanted(file, data))
}

// LooksLike returns the imported format that files are of, apart from one; nil if nobody knows them.
func LooksLike(files []migrate.File, apart *Format) *Format {
	for _, f := range Formats(Imported) {
		if f.Name != apart.Name && f.Convert(migrate.Input{Files: files}).Foreign == "" {
			return f
		}
	}
	return nil
}
