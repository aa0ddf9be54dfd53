package tree

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// MemOptions select the mems to draw, and the form.
type MemOptions struct {
	Mems    []string // only these, with their neighbors; empty means all, by shelf and type
	History bool     // includes mems that were replaced, purged or are no longer valid
	Look
}

// DrawMems writes mems by shelf and type, each below the mem that it refines. With o.Mems it writes
// the selected mems with their neighbors. It reports false if there is nothing to draw.
func DrawMems(w io.Writer, s *queries.Source, o MemOptions) (bool, error) {
	g := newMemTree(s, o)
	byShelf := map[string]map[string]*node{}
	for _, m := range g.roots() {
		types := byShelf[m.Spec.Shelf]
		if types == nil {
			types = map[string]*node{}
			byShelf[m.Spec.Shelf] = types
		}
		kind := resources.MemType(m.Mem)
		if types[kind] == nil {
			types[kind] = &node{text: kind}
		}
		types[kind].add(g.memNode(m))
	}
	var nodes []*node
	for _, shelf := range slices.Sorted(maps.Keys(byShelf)) {
		n := &node{text: "shelf " + shelf}
		if shelf == "" {
			n.text = "(no shelf)"
		}
		for _, kind := range slices.Sorted(maps.Keys(byShelf[shelf])) {
			n.add(byShelf[shelf][kind])
		}
		nodes = append(nodes, n)
	}
	if len(o.Mems) > 0 {
		nodes = nil
		for _, name := range o.Mems {
			nodes = append(nodes, g.neighborNode(s.Mem(name)))
		}
	}
	return draw(w, nodes, o.Look)
}

// memTree contains the mems to draw and their relations.
type memTree struct {
	snap     *queries.Source
	options  MemOptions
	all      []mem
	children map[string][]mem // children by spec.parent
	seen     map[string]bool  // mems that are already drawn; ends a cycle of parents
}

// mem is a mem with its status.
type mem struct {
	*resources.Mem
	status *resources.MemStatus
}

// mem returns a mem with its status.
func (g *memTree) mem(m *resources.Mem) mem {
	return mem{m, statusOf[resources.MemStatus](g.snap, m.Key())}
}

// newMemTree reads the mems to draw. It skips hidden ones, unless o.History includes them.
func newMemTree(s *queries.Source, o MemOptions) *memTree {
	entries, _ := s.Entries([]string{resources.Mems}, nil, false)
	g := &memTree{snap: s, options: o, children: map[string][]mem{}, seen: map[string]bool{}}
	for _, e := range entries {
		m := mem{}
		m.Mem, _ = e.Object.(*resources.Mem)
		if m.status, _ = e.Status.(*resources.MemStatus); m.status == nil {
			m.status = &resources.MemStatus{}
		}
		if phase := m.status.Phase; m.Mem == nil || memory.IsHidden(phase) && (!o.History || phase == resources.Superseded && len(o.Mems) == 0) {
			continue // replaced mems are drawn below their replacement
		}
		g.all = append(g.all, m)
		if m.Spec.Parent != "" {
			g.children[m.Spec.Parent] = append(g.children[m.Spec.Parent], m)
		}
	}
	return g
}

// roots returns the mems that refine no drawn mem, and the first by name of each cycle.
func (g *memTree) roots() []mem {
	there := map[string]*resources.Mem{} // mems with children
	for _, m := range g.all {
		if g.children[m.Metadata.Name] != nil {
			there[m.Metadata.Name] = m.Mem
		}
	}
	var roots []mem
	for _, m := range g.all {
		if m.Spec.Parent == "" || there[m.Spec.Parent] == nil || firstOfCircle(m.Mem, there) {
			roots = append(roots, m)
		}
	}
	return roots
}

// firstOfCircle reports whether a mem is in a cycle of spec.parent and is its first member by name.
func firstOfCircle(m *resources.Mem, there map[string]*resources.Mem) bool {
	seen := map[string]bool{}
	for up := there[m.Spec.Parent]; up != nil && !seen[up.Metadata.Name]; up = there[up.Spec.Parent] {
		if up == m {
			return true
		}
		if up.Metadata.Name < m.Metadata.Name {
			return false
		}
		seen[up.Metadata.Name] = true
	}
	return false
}

// memNode returns the node of a mem with the mems that refine it, and its history if it is requested.
func (g *memTree) memNode(m mem) *node {
	n, below := g.line("", m), g.children[m.Metadata.Name]
	if len(below) == 0 && !g.options.History || g.seen[m.Metadata.Name] {
		return n
	}
	g.seen[m.Metadata.Name] = true
	if g.options.History {
		g.addHistory(n, m.Mem)
	}
	for _, child := range below {
		n.add(g.memNode(child))
	}
	return n
}

// line returns the node of one mem without children. Its text begins with label. Its note holds the
// confidence and the title, or the first line of the content if there is no title.
func (g *memTree) line(label string, m mem) *node {
	text := m.Spec.Title
	if text == "" {
		text, _, _ = strings.Cut(strings.TrimSpace(m.Spec.Content), "\n")
	}
	return &node{text: label + "mem/" + m.Metadata.Name, phase: m.status.Phase, note: strconv.Itoa(m.status.Confidence) + "  " + resources.Shortened(text, 60, "...")}
}

// addHistory adds the chain of mems that a mem replaced, with the period in which each was valid
// and the reason for its replacement.
func (g *memTree) addHistory(n *node, m *resources.Mem) {
	seen := map[string]bool{m.Metadata.Name: true}
	for {
		before := g.snap.Mem(m.Spec.Supersedes)
		if before == nil || seen[before.Metadata.Name] {
			return
		}
		old := g.mem(before)
		seen[old.Metadata.Name] = true
		why := ""
		if reason := m.Spec.SupersedeReason; reason != "" {
			why = ", because " + reason
		}
		child := g.line("replaces ", old)
		child.note = fmt.Sprintf("known %s to %s%s", date(old.status.RecordedAt), cmp.Or(date(old.status.InvalidatedAt), "now"), why)
		n.add(child)
		m = before
	}
}

// date returns the day of t. It returns "" for the zero time.
func date(t resources.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02")
}

// neighborNode returns the node of a mem with its parent, children and related objects.
func (g *memTree) neighborNode(m *resources.Mem) *node {
	n := g.line("", g.mem(m))
	if head := memory.Head(m, g.snap); head != m {
		n.add(g.line("replaced by ", g.mem(head)))
	}
	if up := g.snap.Mem(m.Spec.Parent); up != nil {
		n.add(g.line("part of ", g.mem(up)))
	}
	for _, child := range g.children[m.Metadata.Name] {
		n.add(g.line("refined by ", child))
	}
	beside := map[resources.Key]bool{m.Key(): true}
	for _, key := range resources.RelatedKeys(m) {
		if !beside[key] {
			beside[key] = true
			n.add(g.object("related to ", key))
		}
	}
	for _, other := range g.all {
		if slices.Contains(resources.RelatedKeys(other.Mem), m.Key()) && !beside[other.Key()] {
			beside[other.Key()] = true
			n.add(g.line("related by ", other))
		}
	}
	if task := m.Spec.OriginTask; task != "" {
		n.add(g.origin(m, task, beside))
	}
	for _, e := range m.Spec.Evidence {
		n.add(&node{text: "shown by " + cmp.Or(e.Cites(), e.Note)})
	}
	g.addHistory(n, m)
	return n
}

// origin returns the node of the task in which a mem was learnt, with the other mems of that task.
func (g *memTree) origin(m *resources.Mem, task string, beside map[resources.Key]bool) *node {
	n := g.object("learnt in ", resources.Key{Kind: resources.Tasks, Name: task})
	for _, other := range g.all {
		if other.Spec.OriginTask == task && other.Mem != m && !beside[other.Key()] {
			n.add(g.line("", other))
		}
	}
	return n
}

func (g *memTree) object(label string, key resources.Key) *node {
	if m := g.snap.Mem(key.Name); key.Kind == resources.Mems && m != nil {
		return g.line(label, g.mem(m))
	}
	kind, ok := resources.KindOf(key.Kind)
	if !ok {
		return &node{text: label + key.String(), phase: "missing"}
	}
	return &node{text: label + kind.Singular + "/" + key.Name, phase: queries.PhaseOf(g.snap, key)}
}
