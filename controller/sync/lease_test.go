package sync

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// clocked is a team's place whose clock a test sets, and that ends claims which it does not hear of.
type clocked struct {
	*memengine.Engine
	now time.Time
}

func newClocked() *clocked {
	c := &clocked{now: noon}
	c.Engine = &memengine.Engine{Now: func() time.Time { return c.now }}
	return c
}

const claimTTL = 10 * time.Minute

// timed joins a team whose claims end.
func timed(t *testing.T, c *clocked, name string) *machine {
	m := join(t, c, name)
	m.Team.engine, m.Team.ttl, m.Team.requireClaim = c, claimTTL, true
	return m
}

func (m *machine) roundAt(at time.Time) Report {
	r, err := m.Round(m.t.Context(), at)
	require.NoError(m.t, err)
	return r
}

// A machine that is heard of keeps its task; one that sleeps loses it to whoever starts it then, and
// knew before that it might.
func TestSleepers(t *testing.T) {
	c := newClocked()
	a, b := timed(t, c, "a"), timed(t, c, "b")
	_, err := a.start("login", false)
	require.NoError(t, err)
	began := c.now
	for c.now.Before(began.Add(2 * claimTTL)) {
		c.now = c.now.Add(claimTTL / 3)
		assert.Equal(t, Report{Claims: 1, Mine: 1}, a.roundAt(c.now))
		assert.False(t, a.lease("login").Lapsed(c.now.Add(claimTTL/3)), "until it is heard of again")
	}
	_, err = b.start("login", false)
	var held *leases.HeldError
	require.ErrorAs(t, err, &held)

	believed := a.lease("login").Spec.Team.Until.Time
	c.now = believed.Add(-time.Second)
	_, err = b.start("login", false)
	require.ErrorAs(t, err, &held, "nobody gets it while its holder believes to have it")
	assert.False(t, a.lease("login").Lapsed(c.now))
	c.now = c.now.Add(claimTTL / 3)
	assert.True(t, a.lease("login").Lapsed(c.now), "it slept")
	_, err = b.start("login", false)
	require.NoError(t, err)
	assert.Len(t, a.roundAt(c.now).Conflicts, 1)
	assert.True(t, a.lease("login").InOtherClone())
	_, err = a.start("login", false)
	require.ErrorAs(t, err, &held)
}

// Whoever slept, and whose task nobody took meanwhile, has it again.
func TestWhoeverSleptAlone(t *testing.T) {
	c := newClocked()
	a, b := timed(t, c, "a"), timed(t, c, "b")
	_, err := a.start("login", false)
	require.NoError(t, err)
	c.now = c.now.Add(time.Hour)
	require.True(t, a.lease("login").Lapsed(c.now))
	assert.Equal(t, Report{}, b.roundAt(c.now), "it is nobody's")
	r := a.roundAt(c.now)
	assert.Equal(t, []string{"login"}, r.Claimed)
	assert.False(t, a.lease("login").Lapsed(c.now))
}

// Commands keep a clone's claims as well: all its processes have one lease.
func TestOneLeaseForAllOfAClone(t *testing.T) {
	c := newClocked()
	a := timed(t, c, "a")
	_, err := a.start("login", false)
	require.NoError(t, err)
	c.now = c.now.Add(claimTTL / 2)
	_, err = a.start("logout", false)
	require.NoError(t, err)
	c.now = c.now.Add(claimTTL/2 + time.Minute)
	assert.Equal(t, Report{Claims: 2, Mine: 2}, a.roundAt(c.now), "both stand")
}

// Where the team says so, a task is not started without it; and what is not reached changes nothing.
func TestNoStartWithoutTheTeam(t *testing.T) {
	c := newClocked()
	a := timed(t, c, "a")
	a.way.cut = true
	a.Team.engine = a.way
	_, err := a.start("login", false)
	var unreached *UnreachedError
	require.ErrorAs(t, err, &unreached)
	require.ErrorIs(t, err, errCut)
	assert.Nil(t, a.book.Get(a.task("login", resources.TaskActive)))
	a.Team.engine = c
	_, err = a.start("login", false)
	require.NoError(t, err)
}

// More tasks than an engine takes at once are claimed one part after the other.
func TestManyClaims(t *testing.T) {
	c := newClocked()
	a := timed(t, c, "a")
	for n := range maxOps + 50 {
		_, err := a.book.Claim(a.task(fmt.Sprintf("t-%d", n), resources.TaskActive), a.book.Session("s-a", nil), false, noon)
		require.NoError(t, err)
	}
	assert.Equal(t, maxOps+50, len(a.roundAt(c.now).Claimed))
}

// forgetful is a place whose watch cannot go on, once.
type forgetful struct {
	*memengine.Engine
	watches int
}

func (f *forgetful) Watch(ctx context.Context, prefix, after string, hear func([]engine.Item, string)) error {
	if f.watches++; f.watches == 1 {
		return engine.ErrCompacted
	}
	return f.Engine.Watch(ctx, prefix, after, hear)
}

// Who follows knows what the team changed without asking, also where the watch cannot go on from
// where it was; and a change of one's own is made from what stands, however old what is known.
func TestFollow(t *testing.T) {
	place := &forgetful{Engine: &memengine.Engine{}}
	a, b := join(t, place, "a"), join(t, place, "b")
	a.Team.engine = place
	ctx, cancel := context.WithCancel(t.Context())
	heard, ended := make(chan struct{}, 100), make(chan error)
	go func() { ended <- a.Follow(ctx, func() { heard <- struct{}{} }) }()
	<-heard // listed
	<-heard // listed again
	_, err := b.start("login", false)
	require.NoError(t, err)
	<-heard
	a.Team.engine = struct{ engine.Engine }{a.way}
	a.way.cut = true
	assert.Equal(t, Report{Claims: 1}, a.round(), "nobody is asked")
	assert.True(t, a.lease("login").InOtherClone())
	a.way.cut = false

	taken, err := b.Acquire(t.Context(), b.task("logout", resources.TaskPlanned), b.book.User(), false, noon)
	require.NoError(t, err)
	a.follower.begin(nil, "0", func() {}) // as if it had not heard
	_, err = a.book.Claim(a.task("logout", resources.TaskActive), a.book.Session("s-a", nil), false, noon)
	require.NoError(t, err)
	assert.Len(t, a.round().Conflicts, 1)
	taken.Done(nil)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	_, following := a.follower.snapshot()
	assert.False(t, following)
}
