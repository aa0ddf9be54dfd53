package daemon

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/plans"
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

	plansApart  = 5 * time.Minute // between two that send objects alone: remotes bear few pushes a minute
	plansJitter = time.Minute     // at most, on top of that
)

// claimsLoop keeps the leases of a clone level with its team's claims, and its objects with the team's
// where the person shares them, while somebody works. It costs nothing where nothing changes, and a
// look at the person's settings where it does.
type claimsLoop struct {
	store  mutate.Store
	root   layout.Root
	log    *slog.Logger
	events func() controller.Client
	tasks  chan struct{} // a task changed
	others chan struct{} // something else did: somebody is there

	send time.Time // before then objects wait, unless a claim goes with them
}

func newClaimsLoop(files mutate.Store, log *slog.Logger, events func() controller.Client) *claimsLoop {
	return &claimsLoop{store: files, root: files.Root(), log: log, events: events, tasks: make(chan struct{}, 1), others: make(chan struct{}, 1)}
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
			l.remember(ctx)
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
	team.Share(l.store)
	team.Later(time.Now().Before(l.send))
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
	return l.told(r.Plans)
}

// told tells of what became of the objects, and returns how long it is until the next exchange.
func (l *claimsLoop) told(r *plans.Report) time.Duration {
	if r == nil {
		return claimsPoll
	}
	if len(r.Sent) > 0 {
		l.send = time.Now().Add(plansApart + rand.N(plansJitter))
	}
	for _, key := range r.Marked {
		l.events().Event(key, resources.Warning, "SyncConflict", "others changed it as well: the team's value stands, and yours is kept; see idumb sync conflicts")
	}
	if len(r.PutBack) > 0 {
		l.events().Event(configKey, resources.Normal, "SyncPutBack", "%d files went missing and were put back; idumb delete or archive removes an object for all", len(r.PutBack))
	}
	return claimsPoll
}

// remember notes what changed here before it is sent: what was acknowledged is not lost with its file.
func (l *claimsLoop) remember(ctx context.Context) {
	team, err := sync.Open(l.root, os.Getenv)
	if err != nil || team == nil {
		return // the next exchange says what is the matter
	}
	team.Share(l.store)
	ctx, cancel := context.WithTimeout(ctx, claimsRound)
	defer cancel()
	if err := team.Remember(ctx); err != nil {
		l.log.Warn("what changed here was not noted", "controller", "sync", "error", err)
	}
}
