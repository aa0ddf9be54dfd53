package reconcilers

import (
	"sync"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources/status"
)

// planWatch remembers which answers to "is that plan done?" went into statuses, so
// that when the answer changes, and only then, everything that was computed from
// the old one is computed again. A count of tasks changes with every task; whether
// all of them are completed changes twice in the life of a plan.
//
// Reading the answer and noting it is one step under the lock, and so is looking
// for notes after a change: a change of the cache comes before it is delivered, so
// whoever reads after the look has read the new answer.
type planWatch struct {
	mu    sync.Mutex
	noted map[string]answers
}

// answers are those that were given since the last look.
type answers struct{ yes, no bool }

// planWatcher is a Client as planWatch lets it be seen.
type planWatcher struct {
	frozen
	watch *planWatch
}

// PlanCounts notes what it answers.
func (w planWatcher) PlanCounts(plan string) map[string]int {
	w.watch.mu.Lock()
	defer w.watch.mu.Unlock()
	counts := w.frozen.PlanCounts(plan)
	a := w.watch.noted[plan]
	if status.TasksDone(counts) {
		a.yes = true
	} else {
		a.no = true
	}
	if w.watch.noted == nil {
		w.watch.noted = map[string]answers{}
	}
	w.watch.noted[plan] = a
	return counts
}

// outdated reports whether an answer was noted that is wrong by now, and forgets
// the notes if so: the caller has everything computed again.
func (p *planWatch) outdated(plan string, c controller.Client) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, asked := p.noted[plan]
	if !asked {
		return false
	}
	done := status.TasksDone(c.PlanCounts(plan))
	if done && !a.no || !done && !a.yes {
		return false
	}
	delete(p.noted, plan)
	return true
}
