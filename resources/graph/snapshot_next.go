package graph

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// ReadyTasks returns the ready tasks of a plan, sorted by name. Read-only.
func (s *Snapshot) ReadyTasks(plan string) []*resources.Task { return s.tally(plan).tasks }

// Unblocker returns Unblocks for many tasks, which are counted by their numbers. It is for
// one goroutine.
func (s *Snapshot) Unblocker() func(task string) int {
	waiting := s.indexes.chains()[resources.Tasks].waiting
	seen, round, todo := make([]int, len(waiting)), 0, []int(nil) // seen: in which round
	return func(task string) int {
		first, known := s.tasks.find(task)
		if !known || len(waiting[first]) == 0 {
			return 0
		}
		round++
		seen[first] = round
		count := 0
		for todo = append(todo[:0], waiting[first]...); len(todo) > 0 && count < status.MaxUnblocks; {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if t, ok := s.tasks.objects[n].(*resources.Task); ok && seen[n] != round && status.LiveTask(t) {
				seen[n] = round
				count++
				todo = append(todo, waiting[n]...)
			}
		}
		return count
	}
}
