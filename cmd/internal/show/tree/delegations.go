package tree

import (
	"io"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// DrawDelegations writes the delegations in effect and the expired ones, each below the delegation
// that it follows from. It reports false if there are no such delegations.
func DrawDelegations(w io.Writer, s *queries.Source, o Options) (bool, error) {
	f := &delegationTree{snap: s, successors: map[string][]*resources.Delegation{}}
	var nodes []*node
	for _, d := range f.selectRoots(o.Plans) {
		nodes = append(nodes, f.delegationNode(d, 0))
	}
	return draw(w, nodes, o.Look)
}

// delegationTree contains the delegations and their successors.
type delegationTree struct {
	snap       *queries.Source
	successors map[string][]*resources.Delegation
}

// selectRoots selects the delegations to draw, and returns the roots.
func (f *delegationTree) selectRoots(plans []string) []*resources.Delegation {
	var shown, roots []*resources.Delegation
	for _, key := range f.snap.List(resources.Delegations) {
		o, _ := f.snap.Get(key)
		if d, ok := o.(*resources.Delegation); ok && f.holds(d) && f.isOf(d, plans) {
			shown = append(shown, d)
		}
	}
	for _, d := range shown {
		before := status.FollowsFrom(d, f.snap)
		if before == nil || !slices.Contains(shown, before) || f.circular(d) {
			roots = append(roots, d)
			continue
		}
		f.successors[before.Metadata.Name] = append(f.successors[before.Metadata.Name], d)
	}
	return roots
}

// circular reports whether a delegation follows from itself. The members of such a cycle are drawn
// as roots.
func (f *delegationTree) circular(d *resources.Delegation) bool {
	_, circle := status.DelegationChain(d, f.snap)
	return circle
}

// holds reports whether a delegation is open: assigned, accepted or lapsed.
func (f *delegationTree) holds(d *resources.Delegation) bool {
	switch statusOf[resources.DelegationStatus](f.snap, d.Key()).Phase {
	case "assigned", "accepted", status.DelegationLapsed:
		return true
	}
	return false
}

// isOf reports whether a delegation's task belongs to one of the plans. An empty list matches any
// plan.
func (f *delegationTree) isOf(d *resources.Delegation, plans []string) bool {
	t, ok := f.snap.Task(d.Spec.Task)
	return len(plans) == 0 || ok && slices.Contains(plans, t.Spec.WorkPlan)
}

// maxDepth is the maximal drawn depth; three delegations of a chain may be in effect.
const maxDepth = 8

// delegationNode returns the node of a delegation with its successors.
func (f *delegationTree) delegationNode(d *resources.Delegation, depth int) *node {
	s := statusOf[resources.DelegationStatus](f.snap, d.Key())
	n := &node{text: d.Spec.From + " > " + d.Spec.To + "  task/" + d.Spec.Task, phase: s.Phase, note: f.note(d, s)}
	for _, c := range s.Conditions {
		if what, _, _ := strings.Cut(c.Message, "; "); c.Status == resources.True && c.Type != resources.Ready {
			n.add(&node{text: c.Type + ": " + what})
		}
	}
	if depth < maxDepth {
		for _, next := range f.successors[d.Metadata.Name] {
			n.add(f.delegationNode(next, depth+1))
		}
	}
	return n
}

// note returns the delegation's name, its sessions and its tools.
func (f *delegationTree) note(d *resources.Delegation, s *resources.DelegationStatus) string {
	parts := []string{"delegation/" + d.Metadata.Name}
	if len(s.Sessions) > 0 {
		parts = append(parts, "sessions: "+strings.Join(s.Sessions, ", "))
	}
	if len(d.Spec.AllowedTools) > 0 {
		parts = append(parts, "tools: "+strings.Join(d.Spec.AllowedTools, ", "))
	}
	return strings.Join(parts, "  ")
}
