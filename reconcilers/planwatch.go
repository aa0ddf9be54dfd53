package reconcilers

import (
	"sync"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources/status"
)

// planWatch records which answers to "are all tasks of this plan done?" were used in statuses. When
// the answer changes, and only then, the statuses that used the old answer are computed again.
// Counts change with every task, but the answer changes rarely.
//
// Reading the answer and recording it is one step under the lock, and so is the check after a
// change. The cache changes before the change is delivered, so a reader after the check reads the
// new answer.
type planWatch struct {
	mu      sync.Mutex
	answers map[string]answers
}

// answers records which answers were given since the last check.
type answers struct{ yes, no bool }

// planWatcher is a Client that records its answers in a planWatch.
type planWatcher struct {
	snapshot
	watch *planWatch
}

// PlanCounts returns the counts and records the answer that they imply.
func (w planWatcher) PlanCounts(plan string) map[string]int {
	w.watch.mu.Lock()
	defer w.watch.mu.Unlock()
	counts := w.snapshot.PlanCounts(plan)
	a := w.watch.answers[plan]
	if status.TasksDone(counts) {
		a.yes = true
	} else {
		a.no = true
	}
	if w.watch.answers == nil {
		w.watch.answers = map[string]answers{}
	}
	w.watch.answers[plan] = a
	return counts
}

// isOutdated reports whether a recorded answer is wrong now. If so it deletes the records of the
// plan, and the caller requeues everything that used them.
func (p *planWatch) isOutdated(plan string, c controller.Client) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, asked := p.answers[plan]
	if !asked {
		return false
	}
	if done := status.TasksDone(c.PlanCounts(plan)); done && !a.no || !done && !a.yes {
		return false
	}
	delete(p.answers, plan)
	return true
}
