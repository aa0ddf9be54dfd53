package resolve

import (
	"slices"
	"strings"
)

// exported resolves a name by the rules of a package in dir: first to files that are there,
// then to those that targets are built from.
func (j *javascript) exported(q *query, dir string, rules []exportRule, name string) (string, bool) {
	if name != "." && name[0] != '#' {
		name = "./" + name
	}
	rule, star, found := matchRule(rules, name)
	if !found {
		return "", false
	}
	custom := j.configOf(q.dir).conditions
	var paths []string
	for _, t := range rule.targets {
		if t.path != "" && t.holds(custom) {
			paths = append(paths, strings.ReplaceAll(t.path, "*", star))
		}
	}
	for _, find := range []func(*query, string, string) (string, bool){j.exact, j.sourceOf} {
		for _, p := range paths {
			if file, found := find(q, dir, p); found {
				return file, true
			}
		}
	}
	return "", false
}

// exact resolves a target: a path in its package, or what another package gives.
func (j *javascript) exact(q *query, dir, target string) (string, bool) {
	if strings.HasPrefix(target, "./") {
		p, inside := join(dir, target)
		if !inside || p == dir {
			return "", false
		}
		return j.module(q, p)
	}
	if target == "" || target[0] == '#' || target[0] == '/' || target[0] == '.' || q.nested {
		return "", false
	}
	q.nested = true
	return j.member(q, target)
}

// matchRule finds the rule of a name: the one that is it, else the pattern with most before its
// star. star is what stands for that.
func matchRule(rules []exportRule, name string) (rule exportRule, star string, found bool) {
	longest := -1
	for _, r := range rules {
		before, after, pattern := strings.Cut(r.pattern, "*")
		switch {
		case !pattern && r.pattern == name:
			return r, "", true
		case !pattern && strings.HasSuffix(r.pattern, "/") && strings.HasPrefix(name, r.pattern): // as it was written before patterns
			pattern, before = true, r.pattern
			r.targets = slices.Clone(r.targets)
			for i := range r.targets {
				r.targets[i].path += "*"
			}
		}
		if pattern && len(before) > longest && len(name) > len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			longest = len(before)
			rule, star, found = r, name[len(before):len(name)-len(after)], true
		}
	}
	return rule, star, found
}

// holds reports whether all conditions of a target hold: those of any runtime that this code may
// be written for, and custom ones.
func (t exportTarget) holds(custom []string) bool {
	for _, c := range t.conditions {
		c, _, _ = strings.Cut(c, "@") // of types: for which versions
		switch c {
		case "types", "import", "require", "default", "node", "module", "browser", "source", "development":
		default:
			if !slices.Contains(custom, c) {
				return false
			}
		}
	}
	return true
}
