package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// tsconfig contains the relevant parts of a tsconfig.json or jsconfig.json. Directories are
// paths from the root.
type tsconfig struct {
	based      bool // baseUrl is set
	baseURL    string
	paths      []pathRule
	conditions []string // customConditions
	outDir     string
	rootDir    string
	pathsNode  *manifest.Node // paths before conversion
	writtenIn  string         // directory of the file with paths
	lookups    []string       // lookups of files and package names on which it depends
}

// pathRule is an element of paths: a name, or a pattern with one *, and its targets in the
// same form.
type pathRule struct {
	pattern string
	targets []string
}

// maxConfigs limits the files that one tsconfig may include.
const maxConfigs = 64

// configOf returns the nearest tsconfig of a directory, or an empty one.
func (j *javascript) configOf(dir string) *tsconfig {
	if c := j.nearest[dir]; c != nil {
		return c
	}
	c := &tsconfig{}
	upwards(dir, func(at string) bool {
		for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
			if file := below(at, name); j.tree.files[file] {
				c = j.effective(file, dir)
				return true
			}
		}
		return false
	})
	j.nearest[dir] = c
	return c
}

// effective returns a tsconfig. If it only contains references, it returns the first
// referenced one that maps names and covers the directory.
func (j *javascript) effective(file, dir string) *tsconfig {
	c, n := j.config(file), j.parsed(file)
	if c.paths != nil || c.based {
		return c
	}
	for _, reference := range n.Get("references").List() {
		other, inside := join(parent(file), reference.Text("path"))
		if !inside {
			continue
		}
		if !strings.HasSuffix(other, ".json") {
			other = below(other, "tsconfig.json")
		}
		if c.lookups = append(c.lookups, other); !j.tree.files[other] || other == file {
			continue
		}
		if r := j.config(other); (r.paths != nil || r.based) && isAbout(j.parsed(other), parent(other), dir) {
			return r
		}
	}
	return c
}

// isAbout reports whether a tsconfig in at covers a directory, by the prefixes of its
// include patterns.
func isAbout(n *manifest.Node, at, dir string) bool {
	if at != "" && dir != at && !strings.HasPrefix(dir, at+"/") {
		return false
	}
	all := n.Get("include").List()
	return len(all) == 0 || slices.ContainsFunc(all, func(pattern *manifest.Node) bool {
		fixed, _, _ := strings.Cut(pattern.Value, "*")
		root, inside := join(at, fixed)
		return inside && (root == "" || dir == root || strings.HasPrefix(dir, root+"/"))
	})
}

// parsed reads and parses a tsconfig.
func (j *javascript) parsed(file string) *manifest.Node {
	data, _ := j.readFile(file)
	return jsonc(data)
}

// config reads a tsconfig and everything that it extends. Its own settings have precedence,
// then the last base in the list with its bases.
func (j *javascript) config(file string) *tsconfig {
	if c := j.configs[file]; c != nil {
		return c
	}
	c := &tsconfig{}
	j.configs[file] = c
	seen := map[string]bool{}
	for todo := []string{file}; len(todo) > 0 && len(seen) < maxConfigs; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		c.lookups = append(c.lookups, at)
		n := j.parsed(at)
		c.take(n.Get("compilerOptions"), parent(at), parent(file))
		for _, base := range listOf(n.Get("extends")) {
			if base, found := j.baseConfig(c, at, base); found {
				todo = append(todo, base)
			}
		}
	}
	c.mapPaths(parent(file))
	return c
}

// rank returns the precedence of a rule; the greatest one matches first.
func (r pathRule) rank() int {
	before, _, pattern := strings.Cut(r.pattern, "*")
	if !pattern {
		return maxSpecifier + 1
	}
	return len(before)
}

// listOf returns the elements of a list, or a single value as a list.
func listOf(n *manifest.Node) (all []string) {
	if n == nil {
		return nil
	}
	if len(n.Children) == 0 && n.Value != "" {
		return []string{n.Value}
	}
	for _, c := range n.Children {
		all = append(all, c.Value)
	}
	return all
}

// take sets unset options. dir is the directory of the file with the options, and config
// the directory of the extending file.
func (c *tsconfig) take(options *manifest.Node, dir, config string) {
	folder := func(value string) string { return folderIn(dir, config, value) }
	if base := options.Text("baseUrl"); base != "" && !c.based {
		c.based, c.baseURL = true, folder(base)
	}
	if out := options.Text("outDir"); out != "" && c.outDir == "" {
		c.outDir = folder(out)
	}
	if root := options.Text("rootDir"); root != "" && c.rootDir == "" {
		c.rootDir = folder(root)
	}
	if all := options.Get("customConditions"); all != nil && c.conditions == nil {
		c.conditions = listOf(all)
	}
	if all := options.Get("paths"); all != nil && c.pathsNode == nil {
		c.pathsNode, c.writtenIn = all, dir
	}
}

// mapPaths converts paths after all bases are read. They are relative to baseUrl, or to
// their own file without a baseUrl.
func (c *tsconfig) mapPaths(config string) {
	if c.pathsNode == nil {
		return
	}
	dir := c.writtenIn
	if c.based {
		dir = c.baseURL
	}
	c.paths = []pathRule{}
	for _, rule := range c.pathsNode.Children {
		r := pathRule{pattern: rule.Key}
		for _, target := range rule.Children {
			r.targets = append(r.targets, folderIn(dir, config, target.Value))
		}
		c.paths = append(c.paths, r)
	}
	// exact names first, then the longest prefix before the star
	slices.SortStableFunc(c.paths, func(a, b pathRule) int { return cmp.Compare(b.rank(), a.rank()) })
}

// folderIn resolves a path in dir. config is the directory of the effective tsconfig.
func folderIn(dir, config, value string) string {
	if rest, found := strings.CutPrefix(value, "${configDir}"); found {
		return rooted(config, rest)
	}
	return rooted(dir, value)
}

// baseConfig returns the file that a tsconfig extends: a path, or a file in a workspace
// package.
func (j *javascript) baseConfig(c *tsconfig, file, base string) (string, bool) {
	p, inside := join(parent(file), base)
	if !strings.HasPrefix(base, ".") {
		if base == "" || base[0] == '/' {
			return "", false
		}
		name, rest := splitPackage(base)
		q := &query{Resolver: j.Resolver, file: file, dir: parent(file)}
		dir, found := j.packageNamed(q, name)
		c.lookups = append(c.lookups, q.lookups...)
		if !found {
			return "", false
		}
		p, inside = join(dir, rest)
	}
	if !inside {
		return "", false
	}
	for _, candidate := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
		if c.lookups = append(c.lookups, candidate); j.tree.files[candidate] {
			return candidate, true
		}
	}
	return "", false
}

// mapped resolves a name by paths and baseUrl of the nearest tsconfig.
func (j *javascript) mapped(q *query, from string) (string, bool) {
	c := j.configOf(q.dir)
	for _, r := range c.paths {
		before, after, pattern := strings.Cut(r.pattern, "*")
		if !pattern && from != r.pattern || pattern && (len(from) < len(before)+len(after) || !strings.HasPrefix(from, before) || !strings.HasSuffix(from, after)) {
			continue
		}
		for _, target := range r.targets {
			if pattern {
				target = strings.Replace(target, "*", from[len(before):len(from)-len(after)], 1)
			}
			if file, found := j.relative(q, "", target); found {
				return file, true
			}
		}
		return "", false // as in TypeScript, no other rule applies
	}
	if !c.based {
		return "", false
	}
	return j.relative(q, c.baseURL, from)
}
