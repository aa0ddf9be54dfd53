package migrate

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// What iDumb v1 and v2 wrote, below .idumb. v1 kept config.json and state.json in brain/.
const idumbFormat = "idumb-v2"

// idumbReaders is the table of files of iDumb v1 and v2, by name, in the order in which they are
// read: what refers to tasks after the tasks. Some files were renamed, and the older one may still
// be there: what the newer one says counts.
var idumbReaders = []struct {
	name  string
	newer string // the name that the file has had since; "" if it has this one still
	read  func(*idumb, File, *Record)
}{
	{"tasks.json", "", (*idumb).tasks},
	{"graph.json", "", (*idumb).graph},
	{"task-graph.json", "graph.json", (*idumb).graph},
	{"state.json", "", (*idumb).state},
	{"hook-state.json", "state.json", (*idumb).state},
	{"delegations.json", "", (*idumb).delegations},
	{"knowledge.json", "", (*idumb).knowledge},
	{"registry.json", "", (*idumb).registry},
	{"planning-registry.json", "registry.json", (*idumb).registry},
	{"config.json", "", (*idumb).config},
}

// idumb is a conversion of iDumb v1 or v2.
type idumb struct {
	*Builder
	graphs map[string]bool // ids of all that the graph holds
	late   []func()        // is done when the graph is read
}

// IsOldIdumb reports whether a file below .idumb, whose path is given from there, was written by iDumb v1 or v2.
// data is its content, which is looked at only where files of today have the same names.
func IsOldIdumb(file string, data []byte) bool {
	if strings.HasSuffix(file, ".bak") {
		return false
	}
	folder, name := path.Split(file)
	switch {
	case strings.HasPrefix(file, "brain/"):
		return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl")
	case folder == "" && name == "state.json":
		return true
	case folder == "" && name == "config.json":
		return isOldShape(data, "version", "user", "governance", "detection", "paths", "status", "automation", "hierarchy", "enforcement", "installedAt", "initialized")
	case folder == "sessions/" || folder == "anchors/":
		return strings.HasSuffix(name, ".json") && isOldShape(data, "sessionId", "session_id", "content", "governanceLevel", "createdAt", "id")
	}
	return false
}

// isOldShape reports whether a file is an object with one of these fields and nothing of an object of today.
func isOldShape(data []byte, fields ...string) bool {
	v, _, err := Parse(data)
	if err != nil || v.Type != Object {
		return false
	}
	for _, today := range []string{"spec", "metadata", "apiVersion", "kind"} {
		if v.index(today) >= 0 {
			return false
		}
	}
	return slices.ContainsFunc(fields, func(name string) bool { return v.index(name) >= 0 })
}

// Idumb turns the files of iDumb v1 and v2, by their paths from .idumb, into objects. Epics and work plans
// become plans, tasks and subtasks become tasks; checkpoints become lines of the tasks' logs.
func Idumb(in Input) Outcome {
	b := &idumb{Builder: NewBuilder(idumbFormat, "iDumb v1/v2", in), graphs: map[string]bool{}}
	files := slices.Clone(in.Files)
	slices.SortFunc(files, func(a, c File) int { return strings.Compare(a.Path, c.Path) })
	b.lookAhead(files)
	done := map[string]bool{}
	for _, row := range idumbReaders {
		for _, f := range files {
			if !isNamed(f, row.name) {
				continue
			}
			b.yields[f.Path] = row.newer != "" && slices.ContainsFunc(files, func(other File) bool { return isNamed(other, row.newer) })
			b.parsed(f, func(f File, r *Record) { row.read(b, f, r) })
			done[f.Path] = true
		}
		if row.name == "task-graph.json" {
			b.readLate()
		}
	}
	for _, f := range files {
		switch {
		case done[f.Path]:
		case strings.HasPrefix(f.Path, "sessions/"):
			b.session(f)
		case strings.HasPrefix(f.Path, "anchors/"):
			b.anchorFile(f)
		case strings.HasSuffix(f.Path, ".jsonl"):
			b.log(f)
		default:
			b.other(f)
		}
	}
	return b.Finish()
}

// registry reads brain/planning-registry.json. Planning artifacts have no kind here: they are kept.
func (b *idumb) registry(f File, r *Record) {
	for _, name := range []string{"artifacts", "chains", "outliers"} {
		for _, a := range r.Records(name) {
			b.read++
			b.Leave(f, name+" of the planning registry", a.At)
		}
	}
	if v, ok := r.Peek("lastScanAt"); ok && v.Text == "0" {
		r.Take("lastScanAt")
	}
}

// log keeps an audit log as it is: it has no place among objects, and the event log forgets after days.
func (b *idumb) log(f File) {
	n := len(bytes.Fields(bytes.ReplaceAll(f.Data, []byte(" "), nil)))
	b.read += n
	b.Keep(f)
	for range n {
		b.report.Note(&b.report.Left, "lines of logs", f.Path)
	}
}

// other keeps a file that no rule is for: maps of the code, metrics.
func (b *idumb) other(f File) {
	b.Keep(f)
	b.report.Note(&b.report.Left, "files of the brain that are made anew here, or not at all", f.Path)
}

// isNamed reports whether a file is one of the brain, or of .idumb itself, with a name.
func isNamed(f File, name string) bool {
	return path.Base(f.Path) == name && !strings.HasPrefix(f.Path, "sessions/") && !strings.HasPrefix(f.Path, "anchors/")
}
