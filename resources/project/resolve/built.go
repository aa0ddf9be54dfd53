package resolve

import (
	"path"
	"slices"
	"strings"
)

// outputs lists common names of build output directories.
var outputs = [...]string{"dist", "build", "lib", "out", "output", "esm", "cjs", "es", "umd", "types", "typings", "modern", "legacy", "bundle", "bundles",
	"dts", "module", "modules", "commonjs", "main", "target", ".build", "_esm", "_cjs", "_types", "dist-types", "dist-cjs", "dist-esm", "dist-es", "node", "browser", "mjs"}

// inputs lists common source directories; "" is the package directory.
var inputs = [...]string{"src", "", "source", "lib"}

// writtenSuffixes lists the extensions of source files, in order of precedence.
var writtenSuffixes = [...]string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"}

// styles lists the extensions of style sheet sources.
var styles = [...]string{".css", ".scss", ".sass", ".less", ".styl", ".pcss"}

// sourceOf resolves a path in a package's build output to its source: "dist/esm/x.d.mts"
// becomes "src/x.ts".
func (j *javascript) sourceOf(q *query, dir, target string) (string, bool) {
	rest := strings.TrimPrefix(path.Join("/", target), "/")
	if file, found := j.compiled(q, dir, rest); found {
		return file, true
	}
	for range 4 {
		if file, found := j.unbuilt(q, dir, rest); found {
			return file, true
		}
		first, after, more := strings.Cut(rest, "/")
		if !more || !slices.Contains(outputs[:], first) {
			return "", false
		}
		rest = after
	}
	return "", false
}

// compiled resolves a path in the output directory of the package's tsconfig to
// its source.
func (j *javascript) compiled(q *query, dir, rest string) (string, bool) {
	c := j.configOf(dir)
	q.lookups = append(append(q.lookups, below(dir, "tsconfig.json"), below(dir, "jsconfig.json")), c.lookups...)
	built, inside := strings.CutPrefix(rooted(dir, rest), c.outDir+"/")
	if c.outDir == "" || !inside {
		return "", false
	}
	roots := []string{rooted(dir, "src"), dir}
	if c.rootDir != "" {
		roots = append([]string{c.rootDir}, roots...)
	}
	for _, root := range roots {
		if file, found := q.firstSource(rooted(root, built)); found {
			return file, true
		}
	}
	return "", false
}

// rooted returns a path in a directory. A path that leads out of the repository ends at the
// root.
func rooted(dir, rest string) string { return strings.TrimPrefix(path.Join("/", dir, rest), "/") }

// unbuilt searches for a path without its output directory among the sources.
func (j *javascript) unbuilt(q *query, dir, rest string) (string, bool) {
	for _, input := range inputs {
		if file, found := q.firstSource(below(dir, below(input, rest))); found {
			return file, true
		}
	}
	return "", false
}

// firstSource finds the source of a built file in the same directory: a file of that name,
// without infixes of bundlers ("index.esm.js", "index.d.ts"), or the index of a directory.
func (q *query) firstSource(built string) (string, bool) {
	dir := parent(built)
	if extension := path.Ext(built); extension == ".css" {
		return q.first(strings.TrimSuffix(built, extension), styles[:]...)
	}
	if q.tree.folders[dir] == nil {
		q.hasFolder(dir)
		return "", false
	}
	name := path.Base(built)
	for stem := name; stem != ""; {
		if file, found := q.first(below(dir, stem), writtenSuffixes[:]...); found {
			return file, true
		}
		i := strings.LastIndexByte(stem, '.')
		if i <= 0 {
			return q.first(below(dir, stem+"/index"), writtenSuffixes[:]...)
		}
		stem = stem[:i]
	}
	return "", false
}
