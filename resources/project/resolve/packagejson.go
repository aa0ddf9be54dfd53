package resolve

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// packageJSON contains the relevant parts of a package.json.
type packageJSON struct {
	name, version string
	entries       []string          // entry points in order of precedence: types, typings, main, module, source
	exports       []exportRule      // for "." and "./..."
	imports       []exportRule      // for "#..."
	members       []string          // directory patterns
	local         map[string]string // dependencies on directories: paths by name
	dependencies  map[string]string // other dependencies: versions by name
}

// exportRule lists the targets of a name, or of a pattern with one *.
type exportRule struct {
	pattern string
	targets []exportTarget
}

// exportTarget is one target; it applies if all its conditions match.
type exportTarget struct {
	conditions []string
	path       string // empty if the name is not exported
}

// packageAt returns a parsed package.json, which is cached. An unreadable file is empty.
func (j *javascript) packageAt(file string) *packageJSON {
	if p := j.packages[file]; p != nil {
		return p
	}
	data, _ := j.readFile(file)
	n := jsonc(data)
	p := &packageJSON{name: n.Text("name"), version: n.Text("version"), exports: rulesOf(n.Get("exports"), "."), imports: rulesOf(n.Get("imports"), "#"),
		local: map[string]string{}, dependencies: map[string]string{}}
	for _, key := range []string{"types", "typings", "main", "module", "source"} {
		if entry := n.Text(key); entry != "" {
			p.entries = append(p.entries, entry)
		}
	}
	members := n.Get("workspaces")
	if packages := members.Get("packages"); packages != nil {
		members = packages
	}
	for _, m := range members.List() {
		p.members = append(p.members, m.Value)
	}
	for _, key := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		for _, d := range n.Get(key).List() {
			p.depend(d.Key, d.Value)
		}
	}
	j.packages[file] = p
	return p
}

// depend adds a dependency of the package with its required version or local directory. It omits
// members of the workspace.
func (p *packageJSON) depend(name, version string) {
	for _, protocol := range []string{"file:", "link:", "portal:"} {
		if dir, found := strings.CutPrefix(version, protocol); found {
			p.local[name] = dir
			return
		}
	}
	if !strings.HasPrefix(version, "workspace:") {
		p.dependencies[name] = version
	}
}

// rulesOf parses exports or imports: a path, a list, conditions, or an object with keys
// that begin with first.
func rulesOf(n *manifest.Node, first string) []exportRule {
	if n == nil {
		return nil
	}
	if len(n.Children) == 0 || !strings.HasPrefix(n.Children[0].Key, first) {
		return []exportRule{{first, targetsOf(n)}}
	}
	var rules []exportRule
	for _, c := range n.Children {
		rules = append(rules, exportRule{c.Key, targetsOf(c)})
	}
	return rules
}

// targetsOf returns the paths below a node in order, each with its enclosing conditions.
func targetsOf(n *manifest.Node) (targets []exportTarget) {
	type level struct {
		*manifest.Node
		conditions []string
	}
	for todo := []level{{n, nil}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if len(at.Children) == 0 {
			targets = append(targets, exportTarget{at.conditions, at.Value})
		}
		for i := len(at.Children) - 1; i >= 0; i-- {
			c := at.Children[i]
			conditions := at.conditions
			if c.Key != "" {
				conditions = append(conditions[:len(conditions):len(conditions)], c.Key)
			}
			todo = append(todo, level{c, conditions})
		}
	}
	return targets
}
