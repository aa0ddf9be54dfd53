package beads

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// line writes one issue; edges are "type id".
func issueLine(id, kind, status string, edges ...string) string {
	var list []string
	for _, e := range edges {
		edgeType, on, _ := strings.Cut(e, " ")
		list = append(list, fmt.Sprintf(`{"issue_id":%q,"depends_on_id":%q,"type":%q}`, id, on, edgeType))
	}
	return fmt.Sprintf(`{"id":%q,"title":"T","status":%q,"priority":2,"issue_type":%q,"created_at":"2026-01-01T00:00:00Z","dependencies":[%s]}`,
		id, status, kind, strings.Join(list, ","))
}

func TestReadiness(t *testing.T) {
	for _, test := range []struct {
		name   string
		export string
		want   []string
	}{
		{"nothing in the way", lines(issueLine("a", "task", "open")), []string{"a"}},
		{"blocked by an open one", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "open")), []string{"b"}},
		{"blocked by one in progress", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "in_progress")), []string{}},
		{"blocked by a deferred one", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "deferred")), []string{}},
		{"blocked by a pinned one", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "pinned")), []string{}},
		{"blocked by a closed one", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "closed")), []string{"a"}},
		{"blocked by a tombstone", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "tombstone")), []string{"a"}},
		{"blocked by a closed one that is blocked", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "closed", "blocks c"), issueLine("c", "task", "open")), []string{"a", "c"}},
		{"blocked by what is not there", lines(issueLine("a", "task", "open", "blocks nowhere")), []string{}},
		{"related edges do not block", lines(issueLine("a", "task", "open", "related b", "discovered-from b", "tracks b"), issueLine("b", "task", "open")), []string{"a", "b"}},
		{"an open epic with nothing below it", lines(issueLine("e", "epic", "open")), []string{"e (epic)"}},
		{"one that is blocked", lines(issueLine("e", "epic", "open", "blocks a"), issueLine("a", "task", "open")), []string{"a"}},
		{"one whose children are closed", lines(issueLine("e", "epic", "open"), issueLine("e.1", "task", "closed", "parent-child e")), []string{"e (epic)"}},
		{"one that is no work", lines(issueLine("e", "epic", "deferred"), issueLine("f", "epic", "pinned")), []string{}},
		{"blocked by an open epic", lines(issueLine("a", "task", "open", "blocks e"), issueLine("e", "epic", "open")), []string{"e (epic)"}},
		{"blocked by an open epic whose children are closed", lines(issueLine("a", "task", "open", "blocks e"), issueLine("e", "epic", "open"), issueLine("e.1", "task", "closed", "parent-child e")), []string{"e (epic)"}},
		{"blocked by a closed epic with an open child", lines(issueLine("a", "task", "open", "blocks e"), issueLine("e", "epic", "closed"), issueLine("e.1", "task", "open", "parent-child e")), []string{"a", "e.1"}},
		{"child of a blocked epic", lines(issueLine("e", "epic", "open", "blocks b"), issueLine("e.1", "task", "open", "parent-child e"), issueLine("b", "task", "open")), []string{"b"}},
		{"child of an epic that is no longer blocked", lines(issueLine("e", "epic", "open", "blocks b"), issueLine("e.1", "task", "open", "parent-child e"), issueLine("b", "task", "closed")), []string{"e.1"}},
		{"child of an epic that is blocked by an epic", lines(issueLine("e", "epic", "open", "blocks f"), issueLine("e.1", "task", "open", "parent-child e"), issueLine("f", "epic", "open"), issueLine("f.1", "task", "open", "parent-child f")), []string{"f.1"}},
		{"grandchild of a blocked epic", lines(issueLine("e", "epic", "open", "blocks b"), issueLine("f", "epic", "open", "parent-child e"), issueLine("f.1", "task", "open", "parent-child f"), issueLine("b", "task", "open")), []string{"b"}},
		{"child of a blocked task", lines(issueLine("p", "task", "open", "blocks b"), issueLine("p.1", "task", "open", "parent-child p"), issueLine("b", "task", "open")), []string{"b"}},
		{"the parent of a blocked child is free", lines(issueLine("p", "task", "open"), issueLine("p.1", "task", "open", "parent-child p", "blocks b"), issueLine("b", "task", "open")), []string{"b", "p"}},
		{"an open parent does not block its child", lines(issueLine("p", "feature", "open"), issueLine("p.1", "task", "open", "parent-child p")), []string{"p", "p.1"}},
		{"one of two parents is blocked", lines(issueLine("p", "epic", "open"), issueLine("q", "epic", "open", "blocks b"), issueLine("p.1", "task", "open", "parent-child p", "parent-child q"), issueLine("b", "task", "open")), []string{"b"}},
		{"a closed parent passes nothing on", lines(issueLine("p", "task", "closed", "blocks b"), issueLine("p.1", "task", "open", "parent-child p"), issueLine("b", "task", "open")), []string{"b", "p.1"}},
		{"an epic that waits for its own child does not hold it up", lines(issueLine("e", "epic", "open", "blocks e.1"), issueLine("e.1", "task", "open", "parent-child e"), issueLine("e.2", "task", "open", "parent-child e")), []string{"e.1", "e.2"}},
		{"a child of a deferred epic", lines(issueLine("e", "epic", "deferred"), issueLine("e.1", "task", "open", "parent-child e")), []string{"e.1"}},
		{"a child of a closed epic", lines(issueLine("e", "epic", "closed"), issueLine("e.1", "task", "open", "parent-child e")), []string{"e.1"}},
		{"a child of a tombstone", lines(issueLine("e", "epic", "tombstone"), issueLine("e.1", "task", "open", "parent-child e")), []string{"e.1"}},
		{"a child of what is not there", lines(issueLine("e.1", "task", "open", "parent-child e")), []string{"e.1"}},
		{"a circle", lines(issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "open", "blocks a")), []string{}},
		{"blocked by itself", lines(issueLine("a", "task", "open", "blocks a")), []string{}},
		{"its own parent", lines(issueLine("a", "task", "open", "parent-child a")), []string{"a"}},
		{"parents in a circle", lines(issueLine("a", "task", "open", "parent-child b"), issueLine("b", "task", "open", "parent-child a")), []string{"a", "b"}},
		{"epics in a circle", lines(issueLine("e", "epic", "open", "parent-child f"), issueLine("f", "epic", "open", "parent-child e"), issueLine("e.1", "task", "open", "parent-child e")), []string{"e.1"}},
		{"statuses that are not open", lines(issueLine("a", "task", "blocked"), issueLine("b", "task", "hooked"), issueLine("c", "task", "my_own"), issueLine("d", "task", "deferred")), []string{}},
		{"what is no work", lines(issueLine("a", "message", "open"), issueLine("b", "gate", "open"), issueLine("c", "merge-request", "open"), issueLine("d", "molecule", "open"), issueLine("x-mol-1", "task", "open"), issueLine("y", "task", "open")), []string{"y"}},
		{"no status and no type", lines(`{"id":"a","title":"T"}`), []string{"a"}},
		{"marked as no work", lines(`{"id":"a","title":"T","ephemeral":true}`, `{"id":"b","title":"T","pinned":true}`, `{"id":"c","title":"T","is_template":true}`), []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := newImported(t)
			i.take(test.export)
			assert.Equal(t, test.want, i.next())
		})
	}
}

// TestReadinessOfRandomExports compares with the oracle on exports in which
// nobody waits for what stands below himself and closed parents have no open
// blockers: the two differences that the package comment names.
func TestReadinessOfRandomExports(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kinds := []string{"task", "task", "bug", "feature", "epic"}
	statuses := []string{"open", "open", "open", "in_progress", "closed", "closed", "deferred", "tombstone", "pinned"}
	inherited := 0
	for range 300 {
		var export []string
		n := 2 + r.IntN(25)
		status := make([]string, n)
		parent := make([]int, n)
		for i := range n {
			status[i], parent[i] = statuses[r.IntN(len(statuses))], -1
			var edges []string
			if i > 0 && r.IntN(2) == 0 {
				parent[i] = r.IntN(i)
				edges = append(edges, fmt.Sprintf("parent-child n-%d", parent[i]))
			}
			for range r.IntN(3) {
				if on := r.IntN(n); on < i && status[i] != "closed" && (on != parent[i] || r.IntN(4) == 0) {
					edges = append(edges, fmt.Sprintf("blocks n-%d", on))
				}
			}
			export = append(export, issueLine(fmt.Sprintf("n-%d", i), kinds[r.IntN(len(kinds))], status[i], edges...))
		}
		text := lines(export...)
		i := newImported(t)
		i.take(text)
		want := readyByTheBook(t, []byte(text), true)
		assert.Equal(t, want, i.next(), text)
		if len(want) < len(readyByTheBook(t, []byte(text), false)) {
			inherited++
		}
	}
	assert.Greater(t, inherited, 15, "the test should meet children of blocked parents")
}
