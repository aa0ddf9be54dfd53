// Package imports contains the table of import and export formats: older formats in a
// repository, other trackers, and our own JSON. All functions are pure. Package intake
// reads the files and writes the result.
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
	Name  string // name in commands
	Title string // display name
	// Folder is the directory in a repository with the format's files, which migrate converts
	// in place. It is empty for an imported format.
	Folder string
	// Folders lists the directories below Folder that are searched: "." means Folder, "*" each
	// subdirectory, "brain/..." brain and everything below it. nil means all.
	Folders []string
	// Accepts reports whether a file is read. Its path is relative to Folder or to the
	// imported directory.
	Accepts func(file string, data []byte) bool
	// Belongs reports whether a file or directory (with a final '/') belongs to the tool
	// but is not read. Such files are reported and not changed. nil means that there are
	// none.
	Belongs func(file string) bool
	// Moves means that converted files are renamed to <name>.bak. Otherwise they are
	// copied, because the tool may still use them.
	Moves bool
	// Takes is the argument of import in the usage; empty for a format that is not
	// imported.
	Takes string
	// Roots lists subdirectories that are used instead of the named directory if they
	// exist.
	Roots []string
	// Find lists the locations in a directory where import looks for the format's file, in
	// order. nil means that the directory itself is imported.
	Find    []string
	Convert migrate.Converter
	Doc     string // description of the conversion, for help
	Example string
	// Export writes objects in this format. nil means that the format is not exported.
	Export func(Reader) ([]byte, migrate.Report)
}

// formats is the table of formats. Help, completion, migrate, import, export, init and
// doctor use it.
var formats = [...]Format{
	{
		Name: "idumb", Title: "iDumb v1/v2", Folder: ".idumb", Folders: []string{".", "brain/...", "sessions", "anchors"}, Moves: true,
		Accepts: migrate.IsOldIdumb, Convert: migrate.Idumb,
		Belongs: func(file string) bool { return strings.HasPrefix(file, "brain/") },
		Doc:     "epics, tasks, subtasks and work plans to plans and tasks; checkpoints to logs; sessions, anchors, delegations, knowledge, settings",
	},
	{
		Name: "hivemind", Title: "HiveMind", Folder: ".hivemind", Folders: []string{".", "graph", "state", "memory", "system", "session-tracker", "session-tracker/*"},
		Accepts: func(file string, _ []byte) bool { return migrate.IsHivemind(file) }, Convert: migrate.Hivemind,
		Belongs: func(string) bool { return true },
		Doc:     "the graph, and the flat files for records that it lacks: plans and phases, tasks, mems (stale 72 hours after the migration, with --strict after their creation), anchors, trajectory; sessions and their delegations",
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
		Accepts: func(file string, _ []byte) bool { return backlog.Accepts(file) },
		Belongs: func(string) bool { return true },
		Convert: backlog.Convert,
		Doc: `Turn a folder of Backlog.md into plans and tasks: a milestone is a plan, a
decision a mem, the acceptance criteria of a task its expected output.`,
		Example: "  idumb import backlog backlog/",
	},
	{
		Name: "spec-kit", Title: "spec-kit", Takes: "DIR|tasks.md", Roots: []string{"specs", ".specify/specs"},
		Folders: []string{".", "*"},
		Accepts: func(file string, _ []byte) bool { return speckit.Accepts(file) },
		Belongs: func(string) bool { return true },
		Convert: speckit.Convert,
		Doc: `Turn the features of spec-kit into plans and tasks: a folder with a tasks.md is
a plan, a line T012 a task. A task waits for the task or phase before it; [P]
tasks in a row have the same dependencies. Success criteria are the plan's.`,
		Example: "  idumb import spec-kit . --dry-run\n  idumb import spec-kit specs/001-login/tasks.md",
	},
	{
		Name: "gsd", Title: "GSD", Takes: "DIR", Roots: []string{".planning"},
		Folders: []string{".", "phases/...", "milestones/...", "quick/...", "todos/...", "workstreams/..."},
		Accepts: func(file string, _ []byte) bool { return gsd.Accepts(file) },
		Belongs: func(string) bool { return true },
		Convert: gsd.Convert,
		Doc: `Turn the .planning folder of GSD ("get shit done") into plans and tasks: a phase
is a plan with its success criteria, a file 01-02-PLAN.md a task with its truths
as expected output, its SUMMARY.md the task's result and a mem for each decision.
Todos and phases without plans are planned ahead.`,
		Example: "  idumb import gsd . --dry-run\n  idumb import gsd .planning",
	},
	{Name: "json", Title: "our own JSON", Export: exportJSON, Example: "  idumb export json > all.json\n  idumb apply -f all.json"},
}

// Formats returns the formats for which has returns true.
func Formats(has func(*Format) bool) []*Format {
	var list []*Format
	for i := range formats {
		if has(&formats[i]) {
			list = append(list, &formats[i])
		}
	}
	return list
}

// Migrated reports whether a format is converted in place.
func Migrated(f *Format) bool { return f.Folder != "" }

// Imported reports whether a format is read from files that the user names.
func Imported(f *Format) bool { return f.Takes != "" }

// Exported reports whether a format is written.
func Exported(f *Format) bool { return f.Export != nil }

// Names returns the names of formats.
func Names(list []*Format) []string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name
	}
	return names
}

// HasFolder reports whether files of a directory are searched. Its path is relative to Folder.
func (f *Format) HasFolder(folder string) bool {
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

// LeadsTo reports whether a directory, or a directory below it, is searched.
func (f *Format) LeadsTo(folder string) bool {
	return folder == "." || f.HasFolder(folder) ||
		slices.ContainsFunc(f.Folders, func(w string) bool { return strings.HasPrefix(w, folder+"/") })
}

// Wants reports whether a file is read.
func (f *Format) Wants(file string, data []byte) bool {
	return f.HasFolder(path.Dir(file)) && (f.Accepts == nil || f.Accepts(file, data))
}

// LooksLike returns the imported format of files, other than apart. It returns nil if no
// format matches.
func LooksLike(files []migrate.File, apart *Format) *Format {
	for _, f := range Formats(Imported) {
		if f.Name != apart.Name && f.Convert(migrate.Input{Files: files}).Foreign == "" {
			return f
		}
	}
	return nil
}
