package scaffold

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ExecutorRole is the entry of the role that writes source.
const ExecutorRole = "roles/executor.json"

// outputs are folders that hold what was built or fetched.
var outputs = [...]string{"node_modules", "dist", "build", "out", "target", "vendor", "bin", "obj", "coverage", "tmp", "__pycache__", "venv"}

// sourceEndings are endings of files that people write programs in.
var sourceEndings = [...]string{
	".go", ".rs", ".py", ".rb", ".php", ".java", ".kt", ".scala", ".cs", ".fs", ".c", ".h", ".cc", ".cpp", ".hpp", ".m", ".swift", ".zig",
	".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".dart", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".lua", ".pl", ".r", ".jl",
	".sh", ".bash", ".sql", ".html", ".css", ".scss", ".tf", ".proto", ".nix",
}

// Fit lets the executor of a repository at root write where its source is: the
// shipped role names src, tests and planning, and many a repository has none of them.
// It returns the entries with that role changed, and the patterns that it added.
func Fit(entries []Entry, root string) (fitted []Entry, added []string, err error) {
	fitted = slices.Clone(entries)
	at := slices.IndexFunc(fitted, func(e Entry) bool { return e.Path == ExecutorRole })
	if at < 0 {
		return fitted, nil, nil
	}
	o, _, err := resources.Read(resources.Key{Kind: resources.Roles, Name: "executor"}, fitted[at].Data)
	if err != nil {
		return nil, nil, err
	}
	role := o.(*resources.Role)
	for _, pattern := range sourcePatterns(root) {
		if !slices.Contains(role.Spec.Paths.Write, pattern) {
			added = append(added, pattern)
		}
	}
	role.Spec.Paths.Write = append(role.Spec.Paths.Write, added...)
	fitted[at].Data, err = resources.Encode(role)
	return fitted, added, err
}

// sourcePatterns are globs for the top folders with source in them, and for source
// that stands in the root itself; sorted.
func sourcePatterns(root string) (patterns []string) {
	found, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	for _, d := range found {
		name := d.Name()
		switch {
		case strings.HasPrefix(name, ".") || strings.ContainsAny(name, `*?[]{}\`):
		case d.IsDir() && !slices.Contains(outputs[:], strings.ToLower(name)) && holdsSource(filepath.Join(root, name)):
			patterns = append(patterns, name+"/**")
		case d.Type().IsRegular() && isSource(name):
			patterns = append(patterns, "*"+path.Ext(name))
		}
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

func isSource(name string) bool {
	return slices.Contains(sourceEndings[:], strings.ToLower(path.Ext(name)))
}

// mostFiles bounds the search through a folder: source stands near its top.
const mostFiles = 500

// holdsSource reports whether there is source in a folder.
func holdsSource(folder string) bool {
	seen, found := 0, false
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > mostFiles:
			return fs.SkipAll
		case d.IsDir() && file != folder && (strings.HasPrefix(d.Name(), ".") || slices.Contains(outputs[:], strings.ToLower(d.Name()))):
			return fs.SkipDir
		case d.Type().IsRegular() && isSource(d.Name()):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
