package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// fileRow is a row of the table of a tool's files: path.Match patterns in reading order,
// and the function that reads a record of the files.
type fileRow struct {
	files   string
	convert func(File, *Record)
	// list contains names of the field with the records, in addition to the common names.
	// It is empty if the file is one record.
	list string
	// newer lists files with the same data in a newer format. If they exist, the older
	// files only add records that the newer ones do not contain.
	newer string
}

// readFiles reads the JSON files of a table, records their versions, and reports the data
// that is not converted.
func (b *Builder) readFiles(files []File, rows []fileRow) {
	for _, row := range rows {
		b.yielding = slices.ContainsFunc(files, func(f File) bool { return matches(row.newer, f.Path) })
		for pattern := range strings.FieldsSeq(row.files) {
			for _, f := range files {
				if !b.done[f.Path] && matches(pattern, f.Path) {
					b.done[f.Path] = true
					b.readFile(f, row)
				}
			}
		}
	}
}

// readFile converts the records of a file by its row.
func (b *Builder) readFile(f File, row fileRow) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	records := []*Record{r}
	if row.list != "" {
		records = r.Records(append(strings.Fields(row.list), "items", "nodes", "value")...)
	}
	if v := r.Text("version", "structureFormat"); v != "" && strings.Count(f.Path, "/") < 2 { // versions of deeper files are omitted
		b.versions = append(b.versions, f.Path+" "+v)
	}
	for _, record := range records {
		row.convert(f, record)
	}
	what := "fields of " + f.Path
	if path.Base(f.Path) == "config.json" {
		what = "settings"
	}
	b.LeaveRest(f, r, what)
}

// leaveFiles reports the files that were not read.
func (b *Builder) leaveFiles(files []File) {
	for _, f := range files {
		if !b.done[f.Path] {
			b.Leave(f, "files that idumb generates or does not use", "")
		}
	}
}

// matches reports whether a path matches one of the patterns.
func matches(patterns, file string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
		ok, _ := path.Match(pattern, file)
		return ok
	})
}

// ByPath returns the files sorted by path.
func ByPath(files []File) []File {
	return slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// File is one file of a source.
type File struct {
	Path string // from the source's root, with '/'
	Data []byte
}

// Input is the input of a conversion.
type Input struct {
	Files []File
	// Get returns the existing object with a key (mutate.View.Get). nil means that no
	// objects exist.
	Get func(resources.Key) (resources.Object, bool)
}

// Log is a line for a task's checkpoint log.
type Log struct {
	Task       string // name of the task
	Checkpoint resources.Checkpoint
}

// Outcome is the result of a conversion.
type Outcome struct {
	// Objects are the objects to write, plans before tasks, each kind by name. They are new
	// objects, and objects with a changed source that were not edited here.
	Objects []resources.Object
	// Logs are lines for checkpoint logs. They include lines that already exist.
	Logs []Log
	// Leftovers are source files to store below archive/unmapped.
	Leftovers []Leftover
	Report    Report
	// Foreign is the reason why the source is not in this format. Empty if it is, or may
	// be.
	Foreign string
}

// Leftover is a source file to archive unchanged. Its name contains a digest, so that an
// identical file is stored once and different versions are stored separately.
type Leftover struct {
	Path string // below archive/unmapped, with '/'
	Data []byte
}

// Converter converts a source to objects. It never fails: data that it cannot read is in
// the report and among the leftovers.
type Converter func(Input) Outcome
