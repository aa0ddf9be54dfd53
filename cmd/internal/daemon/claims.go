package daemon

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

// When a clone's claims are exchanged with the team.
const (
	claimsSettle = 300 * time.Millisecond // after a task changed: what changes with it is exchanged at once
	claimsApart  = 2 * time.Second        // between two exchanges that tasks cause
	claimsPoll   = 30 * time.Second       // between two that nothing causes, while somebody works
	claimsQuiet  = 2 * time.Minute        // without a change nobody works, and nothing is asked
	claimsRound  = time.Minute            // how long one may take
	claimsMost   = 5 * time.Minute        // between two that fail
)

// claimsLoop keeps the leases of a clone level with its team's claims, while somebody works. It
// costs nothing where nothing changes, and a look at the person's settings where it does.
type claimsLoop struct {
	root   layout.Root
	log    *slog.Logger
	events func() controller.Client
	tasks  chan struct{} // a task changed
	others chan struct{} // something else did: somebody is there
}

func newClaimsLoop(root layout.Root, log *slog.Logger, events func() controller.Client) *claimsLoop {
	return &claimsLoop{root: root, log: log, events: events, tasks: make(chan struct{}, 1), others: make(chan struct{}, 1)}
}

// change hears of every change in the repository. It does not wait.
func (l *claimsLoop) change(c controller.Change) {
	to := l.others
	if c.Key.Kind == resources.Tasks {
		to = l.tasks
	}
	select {
	case to <- struct{}{}:
	default:
	}
}

// run exchanges until ctx ends.
func (l *claimsLoop) run(ctx context.Context) {
	var due <-chan time.Time
	var last, heard time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.tasks:
			heard = time.Now()
			due = time.After(max(claimsSettle, time.Until(last.Add(claimsApart))))
			continue
		case <-l.others:
			if heard = time.Now(); due == nil {
				due = time.After(max(claimsSettle, time.Until(last.Add(claimsPoll))))
			}
			continue
		case <-due:
			due = nil
		}
		last = time.Now()
		if wait := l.exchange(ctx); wait > 0 && time.Since(heard) < claimsQuiet {
			due = time.After(wait)
		}
	}
}

// exchange does it once, and returns how long it is until the next one; 0: somebody has to do
// something before.
func (l *claimsLoop) exchange(ctx context.Context) time.Duration {
	team, err := sync.Open(l.root, os.Getenv)
	if err != nil {
		l.log.Warn("claims are not shared", "controller", "sync", "error", err)
	}
	if team == nil || team.Notes().Person {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, claimsRound)
	defer cancel()
	r, err := team.Round(ctx, time.Now())
	if err != nil {
		notes := team.Notes()
		if notes.Waiting == 1 || notes.Person {
			l.log.Warn("claims were not exchanged with the team", "controller", "sync", "error", err)
		}
		return min(claimsPoll<<min(notes.Waiting, 10), claimsMost)
	}
	for _, lost := range r.Lost {
		l.events().Event(resources.Key{Kind: resources.Tasks, Name: lost.Task}, resources.Warning, "ClaimLost",
			"%s has it, and reached the team first; put the work aside, or agree with them", lost.By.Holder())
	}
	return claimsPoll
}
