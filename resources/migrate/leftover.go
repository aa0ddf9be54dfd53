package migrate

import (
	"encoding/json"
	"path"
	"strings"
)

// Leftover is a file that keeps what nothing could be made of. Its name contains a digest of its
// source, so that the same source gives the same file, and another one another.
type Leftover struct {
	Path string // below archive/unmapped, with '/'
	Data []byte
}

// LeftRecord is a line of a leftover: one record, or one field of it.
type LeftRecord struct {
	At    string          `json:"at"`  // where it stood: "epics[0].tasks[2].assignee"
	Why   string          `json:"why"` // it was left
	Value json.RawMessage `json:"value"`
}

// leftPath is where records of a source file are left.
func leftPath(format string, f File) string { return keptPath(format, f, ".records.jsonl") }

// keptPath is the name of a file that keeps something of a source.
func keptPath(format string, f File, suffix string) string {
	parts := strings.Split(f.Path, "/")
	for i, part := range parts {
		parts[i] = safeName(part)
	}
	return path.Join(format, path.Join(parts...)) + "-" + DigestOf(string(f.Data)) + suffix
}

// safeName keeps of a file's name what every file system bears and nothing takes for a command.
func safeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if isLabelRune(r) {
			return r
		}
		return '-'
	}, name)
	safe = strings.TrimLeft(safe, ".-")
	if len(safe) > 100 {
		safe = safe[:100]
	}
	if safe == "" {
		return "file"
	}
	return safe
}

// lines writes left records as JSON lines.
func lines(records []LeftRecord) []byte {
	var b []byte
	for _, r := range records {
		at, why := quoted(r.At), quoted(r.Why)
		b = append(append(append(append(b, `{"at":`...), at...), `,"why":`...), why...)
		b = append(append(append(b, `,"value":`...), r.Value...), "}\n"...)
	}
	return b
}

// Leftovers are the files that keep these records of a source and, if whole is not "", the source itself.
func Leftovers(format string, f File, records []LeftRecord, whole string) []Leftover {
	var list []Leftover
	if whole != "" {
		list = append(list, Leftover{keptPath(format, f, extension(f.Path)), f.Data})
	}
	if len(records) > 0 {
		list = append(list, Leftover{leftPath(format, f), lines(records)})
	}
	return list
}
