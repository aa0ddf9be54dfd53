package migrate

import (
	"path"
	"slices"
	"strings"
)

// hivemindReaders is the table of files of HiveMind, by folder and name, in the order in which they are read: the
// graph before the flat files, which count only where the graph says nothing, and what refers to tasks after
// the tasks.
var hivemindReaders = []struct {
	folders string // that it stands in, "." for .hivemind itself
	name    string
	read    func(*hivemind, File, *Record)
}{
	{"graph", "plans.json", (*hivemind).plans},
	{"graph", "phases.json", (*hivemind).phases},
	{"graph", "tasks.json", (*hivemind).tasks},
	{"graph", "subtasks.json", (*hivemind).subtasks},
	{"graph", "orphans.json", (*hivemind).orphans},
	{"state .", "hierarchy.json", (*hivemind).hierarchy},
	{"state .", "tasks.json", (*hivemind).tasks},
	{"state .", "todo.json", (*hivemind).tasks},
	{"graph memory .", "mems.json", (*hivemind).mems},
	{"graph", "session-memory.json", (*hivemind).mems},
	{"state .", "anchors.json", (*hivemind).anchors},
	{"graph", "trajectory.json", (*hivemind).trajectory},
	{"state .", "brain.json", (*hivemind).brain},
	{"graph", "delegations.json", (*hivemind).delegations},
	{"graph", "sessions.json", (*hivemind).sessions},
	{"system .", "config.json", (*hivemind).config},
}

// hivemind is a conversion of a .hivemind folder.
type hivemind struct {
	*Builder
	stages map[string]stage // by the id of the phase
}

// IsHivemind reports whether a file, whose path is given from .hivemind, is one that Hivemind reads
// or keeps: the flat folders and the graph, not exported sessions and the like.
func IsHivemind(file string) bool {
	folder := path.Dir(file)
	return strings.HasSuffix(file, ".json") && slices.Contains([]string{".", "graph", "state", "memory", "system"}, folder)
}

// Hivemind turns the files of a .hivemind folder, by their paths from there, into objects.
func Hivemind(in Input) Outcome {
	b := &hivemind{NewBuilder("hivemind", "HiveMind", in), map[string]stage{}}
	done := map[string]bool{}
	for _, row := range hivemindReaders {
		for folder := range strings.FieldsSeq(row.folders) {
			for _, f := range in.Files {
				if f.Path == path.Join(folder, row.name) {
					b.yields[f.Path] = true
					b.parsed(f, func(f File, r *Record) { row.read(b, f, r) })
					done[f.Path] = true
				}
			}
		}
	}
	files := slices.Clone(in.Files)
	slices.SortFunc(files, func(a, c File) int { return strings.Compare(a.Path, c.Path) })
	for _, f := range files {
		if !done[f.Path] {
			b.Keep(f)
			b.report.Note(&b.report.Left, "files that are made anew here, or not at all", f.Path)
		}
	}
	return b.Finish()
}

// each reads the records of a file in a field of one of these names.
func each(r *Record, read func(*Record), names ...string) {
	for _, item := range r.Records(append(names, "items", "nodes", "value")...) {
		read(item)
	}
}
