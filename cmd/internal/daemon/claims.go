package daemon

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"sync/atomic"
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
	claimsTold   = 20 * time.Millisecond  // after the team told of a change: several come together
	toldSettle   = time.Millisecond       // after an object changed, or the team told of one, where an engine tells of changes
	toldApart    = 20 * time.Millisecond  // between two exchanges that changes cause there
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
	held   func()        // called while the team must hear of this clone for its claims to stand
	tasks  chan struct{} // a task changed
	shared chan struct{} // another object did that a team may share
	others chan struct{} // something else did: somebody is there
	news   chan struct{} // the team told of something

	changed changed   // the objects
	send    time.Time // before then objects wait, unless a claim goes with them
	failing bool      // the last exchange did

	team      *sync.Team // that is talked with; nil: none
	following context.Context
	unfollow  context.CancelFunc
	followed  atomic.Bool // somebody listens to the team
}

func newClaimsLoop(files mutate.Store, log *slog.Logger, events func() controller.Client, held func()) *claimsLoop {
	l := &claimsLoop{store: files, root: files.Root(), log: log, events: events, held: held}
	for _, c := range []*chan struct{}{&l.tasks, &l.shared, &l.others, &l.news} {
		*c = make(chan struct{}, 1)
	}
	return l
}

// poke says that there is something to do. It does not wait.
func poke(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// change hears of every change in the repository. It does not wait. Sessions change with each call of
// a hook: nothing is read for them.
func (l *claimsLoop) change(c controller.Change) {
	l.changed.add(c)
	to := l.others
	switch {
	case c.Key.Kind == resources.Tasks:
		to = l.tasks
	case slices.Contains(sync.Synced(), c.Key.Kind):
		to = l.shared
	}
	poke(to)
}

// run exchanges until ctx ends.
func (l *claimsLoop) run(ctx context.Context) {
	defer l.leave()
	var due <-chan time.Time
	var last, heard, when time.Time
	plan := func(p pace) {
		when = p.after(last)
		due = time.After(time.Until(when))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.tasks:
			heard = time.Now()
			plan(l.pace())
			continue
		case <-l.shared:
			if l.atOnce() {
				heard = time.Now()
				plan(l.pace())
				continue
			}
			l.remember(ctx)
			poke(l.others)
			continue
		case <-l.others:
			if heard = time.Now(); due == nil {
				plan(pace{claimsSettle, claimsPoll})
			}
			continue
		case <-l.news:
			p := pace{claimsTold, claimsApart}
			if l.atOnce() {
				p = pace{toldSettle, toldApart}
			}
			if due == nil || p.after(last).Before(when) { // else many that come one after the other would put it off
				plan(p)
			}
			continue
		case <-due:
			due = nil
		}
		last = time.Now()
		if wait, must := l.exchange(ctx); wait > 0 && (must || time.Since(heard) < claimsQuiet) {
			when = last.Add(wait)
			due = time.After(wait)
		}
	}
}

// pace is how long after a change an exchange comes, and after the last one.
type pace struct{ settle, apart time.Duration }

func (p pace) after(last time.Time) time.Time {
	return time.Now().Add(max(p.settle, time.Until(last.Add(p.apart))))
}

// pace is that of the team.
func (l *claimsLoop) pace() pace {
	if l.atOnce() {
		return pace{toldSettle, toldApart}
	}
	return pace{claimsSettle, claimsApart}
}

// atOnce reports whether objects go to the team as they change: its engine is one's own, tells of
// changes and bears many, and was reached.
func (l *claimsLoop) atOnce() bool {
	return l.team != nil && l.team.SharesPlans() && l.team.Beat() > 0 && !l.failing
}

// exchange does it once, and returns how long it is until the next one, 0: somebody has to do
// something before; and whether that one must be, also where nobody works.
func (l *claimsLoop) exchange(ctx context.Context) (next time.Duration, must bool) {
	team := l.current(ctx)
	if team == nil {
		l.changed.exchanged() // the first exchange with one looks at all
		return 0, false
	}
	beat := team.Beat()
	if team.Notes().Person {
		return l.stopped(beat)
	}
	team.Share(l.store)
	team.Calmly()
	team.Later(team.Beat() == 0 && time.Now().Before(l.send))
	team.Changed(l.changed.exchanged())
	ctx, cancel := context.WithTimeout(ctx, claimsRound)
	defer cancel()
	r, err := team.Round(ctx, time.Now())
	if l.failing = err != nil; l.failing {
		notes := team.Notes()
		if notes.Waiting == 1 || notes.Person {
			l.log.Warn("claims were not exchanged with the team", "controller", "sync", "error", err)
		}
		if notes.Person {
			return l.stopped(beat)
		}
		return retry(notes.Waiting, beat > 0), beat > 0
	}
	for _, lost := range r.Lost {
		l.events().Event(resources.Key{Kind: resources.Tasks, Name: lost.Task}, resources.Warning, "ClaimLost", "%s", lost)
	}
	l.tell(r.Plans)
	if beat == 0 {
		return claimsPoll, false
	}
	l.follow(team)
	if r.Mine > 0 {
		l.held()
	}
	return beat, r.Mine > 0
}

// stopped waits for a person, who may mend it by a command of another process. Nobody is listened to
// meanwhile: a team that was set back would tell of nothing until it is as far as it was.
func (l *claimsLoop) stopped(beat time.Duration) (next time.Duration, must bool) {
	l.leave()
	if beat == 0 {
		return 0, false // a remote tells of nothing: the next change here is soon enough
	}
	return claimsPoll, true
}

// retry is how long it is until the next try, after so many that failed. A server of one's own is
// asked sooner than a host that counts: for a team that came back together, each by a chance of its own.
func retry(failed int, own bool) time.Duration {
	if !own {
		return min(claimsPoll<<min(failed, 10), claimsMost)
	}
	wait := min(time.Second<<min(max(failed-1, 0), 10), claimsMost)
	return wait - rand.N(wait/2)
}

// current is the team as the person's settings name it; nil for none. What reaches it is kept as long
// as they are the same.
func (l *claimsLoop) current(ctx context.Context) *sync.Team {
	team, err := sync.Open(l.root, os.Getenv)
	if err != nil {
		l.log.Warn("claims are not shared", "controller", "sync", "error", err)
	}
	if team != nil && team.Same(l.team) {
		return l.team
	}
	l.leave()
	if l.team = team; team != nil {
		l.following, l.unfollow = context.WithCancel(ctx)
	}
	return team
}

// leave ends what reaches the team.
func (l *claimsLoop) leave() {
	if l.team == nil {
		return
	}
	l.unfollow()
	_ = l.team.Close()
	l.team = nil
}

// follow has the team tell of changes, where it does so by itself. When that ends, an exchange says why.
func (l *claimsLoop) follow(team *sync.Team) {
	if l.followed.Swap(true) {
		return
	}
	ctx := l.following
	go func() {
		defer poke(l.news)
		defer l.followed.Store(false)
		_ = team.Follow(ctx, func() { poke(l.news) })
	}()
}

// tell tells of what became of the objects.
func (l *claimsLoop) tell(r *plans.Report) {
	if r == nil {
		return
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
}

// remember notes what changed here before it is sent: what was acknowledged is not lost with its file.
func (l *claimsLoop) remember(ctx context.Context) {
	keys := l.changed.noted()
	if len(keys) == 0 {
		return
	}
	team := l.current(ctx)
	if team == nil {
		return // the next exchange says what is the matter
	}
	team.Share(l.store)
	ctx, cancel := context.WithTimeout(ctx, claimsRound)
	defer cancel()
	if err := team.Remember(ctx, keys...); err != nil {
		l.log.Warn("what changed here was not noted", "controller", "sync", "error", err)
	}
}
