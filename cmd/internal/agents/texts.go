package agents

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed files
var files embed.FS

// text is a command or an agent's profile that we ship: for any host.
type text struct {
	name        string
	description string
	body        string
}

// textsIn returns the shipped texts of a folder, by name. tool is what stands
// before the names of our tools in a host.
func textsIn(folder, host, tool string) (all []text) {
	found, _ := fs.Glob(files, path.Join("files", folder, "*.md")) // the pattern is ours
	for _, file := range found {
		data := strings.NewReplacer("{{tool}}", tool, "{{host}}", host).Replace(embedded(file))
		description, body, _ := strings.Cut(data, "\n")
		all = append(all, text{strings.TrimSuffix(path.Base(file), ".md"), description, body})
	}
	return all
}

// embedded returns a file that is part of the program; its absence would be a
// mistake that the first test finds.
func embedded(file string) string {
	data, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return string(data)
}
