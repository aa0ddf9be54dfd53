package resolve

import (
	"slices"
	"strings"
)

// exported resolves a name by the rules of a package in dir: to files that are there, first by
// the conditions that hold, then by any, else to those that targets are built from.
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
		holds, others bool // which targets: by their conditions
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

// conditions are those that hold for a file before others do: whoever runs it.
func conditions(file string) []string {
	own := "import"
	if strings.HasSuffix(file, ".cjs") || strings.HasSuffix(file, ".cts") {
		own = "require"
	}
	return []string{"types", own, "default", "node"}
}

// holds reports whether all conditions of a target are among some.
func (t exportTarget) holds(conditions []string) bool {
	return !slices.ContainsFunc(t.conditions, func(c string) bool {
		c, _, _ = strings.Cut(c, "@") // of types: for which versions
		return !slices.Contains(conditions, c)
	})
}
