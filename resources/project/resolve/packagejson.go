package resolve

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// packageJSON is what counts of a package.json when imports are resolved.
type packageJSON struct {
	name, version string
	entries       []string          // what the package itself means, best first: types, main, module
	exports       []exportRule      // for "." and "./..."
	imports       []exportRule      // for "#..."
	members       []string          // patterns of folders
	local         map[string]string // dependencies that are folders: their names and paths
	wanted        map[string]string // other dependencies, with their versions
}

// exportRule says which paths a name, or a pattern with one *, stands for.
type exportRule struct {
	pattern string
	targets []exportTarget
}

// exportTarget is one of several paths; it counts if all of its conditions hold.
type exportTarget struct {
	conditions []string
	path       string // "" forbids the name
}

// packageAt reads a package.json, once. One that cannot be read says nothing.
func (j *javascript) packageAt(file string) *packageJSON {
	if p := j.packages[file]; p != nil {
		return p
	}
	data, _ := j.read(file)
	p := newPackageJSON(jsonc(data))
	j.packages[file] = p
	return p
}

func newPackageJSON(n *manifest.Node) *packageJSON {
	p := &packageJSON{name: n.Text("name"), version: n.Text("version"), exports: rulesOf(n.Get("exports"), "."), imports: rulesOf(n.Get("imports"), "#"),
		local: map[string]string{}, wanted: map[string]string{}}
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
	return p
}

// depend adds a dependency.
func (p *packageJSON) depend(name, version string) {
	for _, protocol := range []string{"file:", "link:", "portal:"} {
		if dir, found := strings.CutPrefix(version, protocol); found {
			p.local[name] = dir
			return
		}
	}
	if !strings.HasPrefix(version, "workspace:") {
		p.wanted[name] = version
	}
}

// rulesOf reads exports or imports: a path, a list, conditions, or an object whose keys begin
// with first.
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

// targetsOf lists the paths below a node in their order, each with the conditions on the way.
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
