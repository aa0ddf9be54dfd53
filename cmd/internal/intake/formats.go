// Package intake brings in what other tools wrote, and gives it out again: the table of formats, the
// files that belong to one, and writing what a conversion made.
package intake

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/backlog"
	"github.com/idumb-dev/idumb/cmd/internal/beads"
	"github.com/idumb-dev/idumb/cmd/internal/taskmaster"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Format is one row of the table of formats.
type Format struct {
	Name  string // in commands
	Title string // for people
	// Here is the folder in a repository that the format's files stand in; migrate converts them there. ""
	// for a format that is imported.
	Here string
	// Within are the folders below Here that are looked at, "." for itself, "brain/..." with all below. nil: all.
	Within []string
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
	Export func(Store) ([]byte, migrate.Report)
}

// formats is the one table of formats; help, completion, migrate, import, export, init and doctor follow it.
var formats = [...]Format{
	{
		Name: "idumb", Title: "iDumb v1/v2", Here: ".idumb", Within: []string{".", "brain/...", "sessions", "anchors"}, Moves: true,
		Wanted: migrate.IsOldIdumb, Convert: migrate.Idumb,
		Belongs: func(file string) bool { return strings.HasPrefix(file, "brain/") },
		Doc:     "epics, tasks, subtasks and work plans to plans and tasks; checkpoints to logs; sessions, anchors, delegations, knowledge, settings",
	},
	{
		Name: "hivemind", Title: "HiveMind", Here: ".hivemind", Within: []string{".", "graph", "state", "memory", "system"},
		Wanted: func(file string, _ []byte) bool { return migrate.IsHivemind(file) }, Convert: migrate.Hivemind,
		Belongs: func(string) bool { return true },
		Doc:     "the graph, and the flat files where it says nothing: plans and phases, tasks, mems (stale 72 hours after they were made), anchors, trajectory",
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
		Within:  []string{".", "tasks/...", "drafts/...", "completed/...", "archive/...", "milestones/...", "decisions/..."},
		Wanted:  func(file string, _ []byte) bool { return backlog.Wanted(file) },
		Belongs: func(string) bool { return true },
		Convert: backlog.Convert,
		Doc: `Turn a folder of Backlog.md into plans and tasks: a milestone is a plan, a
decision a mem; acceptance criteria are what is expected.`,
		Example: "  idumb import backlog backlog/",
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

// within reports whether a folder, by its path from Here, is looked at.
func (f *Format) within(folder string) bool {
	if f.Within == nil {
		return true
	}
	for _, w := range f.Within {
		deep, isDeep := strings.CutSuffix(w, "/...")
		if folder == w || isDeep && (folder == deep || strings.HasPrefix(folder, deep+"/")) {
			return true
		}
	}
	return false
}

// wanted reports whether a file is read.
func (f *Format) wanted(file string, data []byte) bool {
	return f.within(path.Dir(file)) && (f.Wanted == nil || f.Wanted(file, data))
}
