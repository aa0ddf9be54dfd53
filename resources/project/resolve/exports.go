package resolve

import (
	"slices"
	"strings"
)

// exported resolves a name by the export rules of the package in dir. It prefers targets
// with matching conditions, then other targets, then the sources of targets.
func (j *javascript) exported(q *query, dir string, rules []exportRule, name string) (string, bool) {
	if name != "." && name[0] != '#' {
		name = "./" + name
	}
	rule, star, found := matchRule(rules, name)
	if !found {
		return "", false
	}
	custom := append(j.configOf(q.dir).conditions, conditions(q.file)...)
	for _, way := range []struct {
		find          func(*query, string, string) (string, bool)
		holds, others bool // accepted targets, by whether their conditions match
	}{{j.exact, true, false}, {j.exact, false, true}, {j.sourceOf, true, true}} {
		for _, t := range rule.targets {
			if holds := t.holds(custom); t.path == "" || holds && !way.holds || !holds && !way.others {
				continue
			}
			if file, found := way.find(q, dir, strings.ReplaceAll(t.path, "*", star)); found {
				return file, true
			}
		}
	}
	return "", false
}

// exact resolves a target: a path in its package, or a name in another package.
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

// matchRule returns the rule of a name: an exact match, or the pattern with the longest
// prefix. star is the part that the star matches.
func matchRule(rules []exportRule, name string) (rule exportRule, star string, found bool) {
	longest := -1
	for _, r := range rules {
		before, after, pattern := strings.Cut(r.pattern, "*")
		switch {
		case !pattern && r.pattern == name:
			return r, "", true
		case !pattern && strings.HasSuffix(r.pattern, "/") && strings.HasPrefix(name, r.pattern): // the syntax before patterns
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

// conditions returns the standard conditions for a file.
func conditions(file string) []string {
	own := "import"
	if strings.HasSuffix(file, ".cjs") || strings.HasSuffix(file, ".cts") {
		own = "require"
	}
	return []string{"types", own, "default", "node"}
}

// holds reports whether conditions contains all conditions of a target.
func (t exportTarget) holds(conditions []string) bool {
	return !slices.ContainsFunc(t.conditions, func(c string) bool {
		c, _, _ = strings.Cut(c, "@") // without the version range of "types@..."
		return !slices.Contains(conditions, c)
	})
}
