package migrate

import (
	"path"
	"strings"
)

// Leftover is a file of a source that is kept as it was. Its name contains a digest of it, so that the same file is
// kept once, and another version beside it.
type Leftover struct {
	Path string // below archive/unmapped, with '/'
	Data []byte
}

// keptPath is the name under which a file of a source is kept.
func keptPath(format string, f File) string {
	parts := strings.Split(f.Path, "/")
	for i, part := range parts {
		parts[i] = safeName(part)
	}
	return path.Join(format, path.Join(parts...)) + "-" + DigestOf(string(f.Data)) + extension(f.Path)
}

// safeName keeps of a file's name what every file system bears and nothing takes for a command.
func safeName(name string) string {
	safe := strings.TrimLeft(mapped(name, isLabelRune), ".-")
	if safe == "" {
		return "file"
	}
	return safe[:min(len(safe), 100)]
}

// extension is how a file's name ends, of what is safe in a name.
func extension(file string) string {
	end := path.Ext(file)
	if end == "" || len(end) > 12 {
		return ""
	}
	return "." + safeName(end[1:])
}
