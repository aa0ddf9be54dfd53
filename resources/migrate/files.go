package migrate

import (
	"path"
	"slices"
	"strings"
)

// fileRow is a row of the table of a tool's files: where they stand, by patterns of path.Match in the order in which they
// are read, and what reads them.
type fileRow struct {
	files string
	read  func(File, *Record)
	// list are names of the field that holds the records, besides those that it has anywhere; each is read. "" for a
	// file that is read whole.
	list string
	// newer are files that say the same where both are there: what these say counts only where those say nothing.
	newer string
}

// readFiles reads the files of JSON that stand in a table, with the versions that they say they are of, and leaves what
// their readers did not take.
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

func (b *Builder) readFile(f File, row fileRow) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	records := []*Record{r}
	if row.list != "" {
		records = r.Records(append(strings.Fields(row.list), "items", "nodes", "value")...)
	}
	if v := r.Text("version", "structureFormat"); v != "" && strings.Count(f.Path, "/") < 2 { // deeper ones are many
		b.versions = append(b.versions, f.Path+" "+v)
	}
	for _, record := range records {
		row.read(f, record)
	}
	what := "fields of " + f.Path
	if path.Base(f.Path) == "config.json" {
		what = "settings"
	}
	b.LeaveRest(f, r, what)
}

// leaveFiles names the files that nobody read.
func (b *Builder) leaveFiles(files []File) {
	for _, f := range files {
		if !b.done[f.Path] {
			b.Leave(f, "files that are made anew here, or not at all", "")
		}
	}
}

// matches reports whether a path is of one of the patterns.
func matches(patterns, file string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
		ok, _ := path.Match(pattern, file)
		return ok
	})
}

// ByPath sorts files by their paths: the order in which they were found means nothing.
func ByPath(files []File) []File {
	return slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}
