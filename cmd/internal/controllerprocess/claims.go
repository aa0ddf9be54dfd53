package controllerprocess

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
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// Times between exchanges with the team.
const (
	claimsDelay        = 300 * time.Millisecond // after a change of a task, so that related changes are sent together
	claimsInterval     = 2 * time.Second        // between two exchanges for changed tasks
	noticeDelay        = 20 * time.Millisecond  // after a notice of the team: several come together
	noticeSettle       = time.Millisecond       // after a change or notice, with an engine that sends notices
	noticeInterval     = 20 * time.Millisecond  // between two exchanges for changes with such an engine
	claimsPollInterval = 30 * time.Second       // between two exchanges without changes while the repository is in use
	unusedTimeout      = 2 * time.Minute        // the repository is not in use after this time without changes
	roundTimeout       = time.Minute            // timeout of an exchange
	maxRetryInterval   = 5 * time.Minute        // maximum between two failed exchanges

	plansInterval = 5 * time.Minute // between two exchanges that send objects without claims: remotes limit pushes
	plansJitter   = time.Minute     // maximal random addition to plansInterval
)

// claimsLoop synchronizes the leases of a clone with its team's claims while the repository is in
// use, and its objects if the user shares them. It is idle while no object changes. For a change it
// reads at least the user's settings.
type claimsLoop struct {
	store        mutate.Store
	root         layout.Root
	log          *slog.Logger
	events       func() controller.Client
	renew        func()        // called while the team must be notified of this clone to keep its claims
	tasks        chan struct{} // signals a changed task
	shared       chan struct{} // signals a change of another object that a team may share
	otherChanges chan struct{} // signals any other change: the repository is in use
	news         chan struct{} // signals a notice of the team

	changed changeSet // changed objects
	send    time.Time // objects without a claim are not sent before this time
	failing bool      // the last exchange failed

	team      *sync.Team // current team; nil for none
	following context.Context
	unfollow  context.CancelFunc
	followed  atomic.Bool // a goroutine receives the team's notices
}

// newClaimsLoop returns a loop that exchanges claims once it runs. events returns the client that
// records events. held is called while the team must be notified of this clone to keep its claims.
func newClaimsLoop(files mutate.Store, log *slog.Logger, events func() controller.Client, held func()) *claimsLoop {
	l := &claimsLoop{store: files, root: files.Root(), log: log, events: events, renew: held}
	for _, c := range []*chan struct{}{&l.tasks, &l.shared, &l.otherChanges, &l.news} {
		*c = make(chan struct{}, 1)
	}
	return l
}

// poke signals a channel without blocking.
func poke(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// change notes a change in the repository and wakes the loop, because any change shows that the
// repository is in use. It does not block and reads no files: each call of a hook changes a session.
func (l *claimsLoop) change(c controller.Change) {
	l.changed.add(c)
	to := l.otherChanges
	switch {
	case c.Key.Kind == resources.Tasks:
		to = l.tasks
	case slices.Contains(sync.SharedKinds(), c.Key.Kind):
		to = l.shared
	}
	poke(to)
}

// run exchanges claims and objects with the team until ctx is cancelled.
func (l *claimsLoop) run(ctx context.Context) {
	defer l.leave()
	var due <-chan time.Time
	var last, heard, when time.Time
	plan := func(p pace) {
		when = p.next(last)
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
			poke(l.otherChanges)
			continue
		case <-l.otherChanges:
			if heard = time.Now(); due == nil {
				plan(pace{claimsDelay, claimsPollInterval})
			}
			continue
		case <-l.news:
			p := pace{noticeDelay, claimsInterval}
			if l.atOnce() {
				p = pace{noticeSettle, noticeInterval}
			}
			if due == nil || p.next(last).Before(when) { // otherwise a series of notices would delay it
				plan(p)
			}
			continue
		case <-due:
			due = nil
		}
		last = time.Now()
		if wait, must := l.exchange(ctx); wait > 0 && (must || time.Since(heard) < unusedTimeout) {
			when = last.Add(wait)
			due = time.After(wait)
		}
	}
}

// pace is the delay of an exchange after a change, and after the previous exchange.
type pace struct{ settle, apart time.Duration }

// next returns the time of the next exchange, given the time of the last one.
func (p pace) next(last time.Time) time.Time {
	return time.Now().Add(max(p.settle, time.Until(last.Add(p.apart))))
}

// pace returns the pace for the current team.
func (l *claimsLoop) pace() pace {
	if l.atOnce() {
		return pace{noticeSettle, noticeInterval}
	}
	return pace{claimsDelay, claimsInterval}
}

// atOnce reports whether objects are sent when they change: the engine is the team's server, sends
// notices, has no limit, and was reached.
func (l *claimsLoop) atOnce() bool {
	return l.team != nil && l.team.SharesPlans() && l.team.RenewInterval() > 0 && !l.failing
}

// exchange performs an exchange. It returns the time until the next one, and whether that one must
// happen even if the repository is not in use. The time is 0 if the next exchange waits for a
// change.
func (l *claimsLoop) exchange(ctx context.Context) (next time.Duration, must bool) {
	team := l.current(ctx)
	if team == nil {
		l.changed.exchanged() // the first exchange with a team compares all objects
		return 0, false
	}
	beat := team.RenewInterval()
	if team.Notes().Person {
		return l.stopped(beat)
	}
	team.Share(l.store)
	team.SetSlow()
	team.SetDelayPushes(team.RenewInterval() == 0 && time.Now().Before(l.send))
	team.Changed(l.changed.exchanged())
	ctx, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	r, err := team.Round(ctx, time.Now())
	if l.failing = err != nil; l.failing {
		notes := team.Notes()
		if notes.Waiting == 1 || notes.Person {
			l.log.Warn("cannot exchange claims with the team", "controller", "sync", "error", err)
		}
		switch {
		case notes.Person:
			return l.stopped(beat)
		case notes.SendOnly: // what the team changes is received as before
			return claimsPollInterval, beat > 0
		}
		return retry(notes.Waiting, beat > 0), beat > 0
	}
	for _, lost := range r.Conflicts {
		l.events().Event(resources.Key{Kind: resources.Tasks, Name: lost.Task}, resources.Warning, "ClaimLost", "%s", lost)
	}
	l.tell(r.Plans)
	if beat == 0 {
		return claimsPollInterval, false
	}
	l.follow(team)
	if r.Mine > 0 {
		l.renew()
	}
	return beat, r.Mine > 0
}

// stopped waits for a user, who may solve the problem with a command. It stops receiving notices: a
// team that was reset would send none until it reaches its old revision.
func (l *claimsLoop) stopped(beat time.Duration) (next time.Duration, must bool) {
	l.leave()
	if beat == 0 {
		return 0, false // a remote sends no notices: the next local change is soon enough
	}
	return claimsPollInterval, true
}

// retry returns the time until the next attempt after a number of failures. own is true for a server
// of the team, which is queried sooner than a host with limits. Its time is random, so that a team
// that comes back online does not retry at once.
func retry(failed int, own bool) time.Duration {
	if !own {
		return min(claimsPollInterval<<min(failed, 10), maxRetryInterval)
	}
	wait := min(time.Second<<min(max(failed-1, 0), 10), maxRetryInterval)
	return wait - rand.N(wait/2)
}

// current returns the team of the user's settings, or nil. It keeps the connection while the
// settings stay the same.
func (l *claimsLoop) current(ctx context.Context) *sync.Team {
	team, err := sync.Open(l.root, os.Getenv)
	if err != nil {
		l.log.Warn("claims are not shared", "controller", "sync", "error", err)
	}
	if team != nil && team.Equal(l.team) {
		return l.team
	}
	l.leave()
	if l.team = team; team != nil {
		l.following, l.unfollow = context.WithCancel(ctx)
	}
	return team
}

// leave closes the connection to the team.
func (l *claimsLoop) leave() {
	if l.team == nil {
		return
	}
	l.unfollow()
	_ = l.team.Close()
	l.team = nil
}

// follow receives the team's notices, if its engine sends them. When it ends, an exchange reports
// the reason.
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

// tell emits events about conflicts and restored files in an exchange. If objects without claims
// were sent, it delays the next ones.
func (l *claimsLoop) tell(r *exchange.Report) {
	if r == nil {
		return
	}
	if len(r.Pushed) > 0 {
		l.send = time.Now().Add(plansInterval + rand.N(plansJitter))
	}
	for _, key := range r.Marked {
		l.events().Event(key, resources.Warning, "SyncConflict", "conflict with another clone: kept the team's value; yours is saved, see idumb sync conflicts")
	}
	if len(r.PutBack) > 0 {
		l.events().Event(configKey, resources.Normal, "SyncPutBack", "restored %d missing files; to remove a resource for the whole team, use idumb delete or idumb archive", len(r.PutBack))
	}
}

// remember records local changes before they are sent, so that an acknowledged change is not lost
// with its file.
func (l *claimsLoop) remember(ctx context.Context) {
	keys := l.changed.noted()
	if len(keys) == 0 {
		return
	}
	team := l.current(ctx)
	if team == nil {
		return // the next exchange reports the error
	}
	team.Share(l.store)
	ctx, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	if err := team.Remember(ctx, keys...); err != nil {
		l.log.Warn("cannot record local changes", "controller", "sync", "error", err)
	}
}
