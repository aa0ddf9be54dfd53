package attention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// MaxBehind limits the count of tasks that wait for an item.
const MaxBehind = 99

// sort sorts the needs by rank, then by waiting time and dependents.
func (f *finder) sort() {
	now := f.View.Now()
	weight := func(n *Need) time.Duration {
		if n.Since.IsZero() {
			return 0
		}
		return time.Duration(1+n.Dependents) * max(0, now.Sub(n.Since.Time))
	}
	slices.SortFunc(f.needs, func(a, b Need) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(weight(&b), weight(&a)), cmp.Compare(b.Dependents, a.Dependents), cmp.Compare(a.Name, b.Name))
	})
}

// waiting returns the number of open tasks that wait for a task or plan, directly or
// indirectly, at most MaxBehind.
func (f *finder) waiting(key resources.Key) int {
	if n, known := f.dependents[key]; known || key.Name == "" || key.Kind != resources.Tasks && key.Kind != resources.WorkPlans {
		return n
	}
	seen, next := map[resources.Key]bool{key: true}, []resources.Key{key}
	for len(next) > 0 && len(seen) <= MaxBehind {
		here := next[len(next)-1]
		next = next[:len(next)-1]
		for _, k := range f.View.Dependents(here) {
			if !seen[k] && f.open(k) && len(seen) <= MaxBehind {
				seen[k] = true
				next = append(next, k)
			}
		}
	}
	f.dependents[key] = len(seen) - 1
	return len(seen) - 1
}

// open reports whether a task or plan is not finished.
func (f *finder) open(key resources.Key) bool {
	if key.Kind == resources.WorkPlans {
		p, ok := f.View.Plan(key.Name)
		return ok && (p.Spec.State == resources.PlanActive || p.Spec.State == resources.PlanDraft || p.Spec.State == "")
	}
	t, ok := f.View.Task(key.Name)
	return ok && status.LiveTask(t)
}

// waitingText returns the number of waiting tasks as text, or "".
func waitingText(n int) string {
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "1 task waits for it"
	case n >= MaxBehind:
		return fmt.Sprintf("%d tasks or more wait for it", MaxBehind)
	}
	return fmt.Sprintf("%d tasks wait for it", n)
}

// maxLine is the maximum length of a need's texts, in characters.
const maxLine = 200

// line returns a text as one line of limited length.
func line(text string) string {
	return resources.Shortened(strings.Join(strings.Fields(text[:min(len(text), 8*maxLine)]), " "), maxLine, "…")
}

// reasons joins the texts that are not empty into the reason of a need.
func reasons(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "; ")
}
