package controller_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// patience is how long a hint may take before a test gives up on it.
const patience = 10 * time.Second

// watched begins to watch and returns the hints as they come.
func watched(t *testing.T, s store.Store) <-chan resources.Key {
	t.Helper()
	hints := make(chan resources.Key, 1000)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Watch(ctx, func(key resources.Key) { hints <- key }) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended, "the end of its context is no error for Watch")
	})
	awaitHint(t, hints, resources.Key{})
	return hints
}

// awaitHint waits for a hint of that key; others may come before it.
func awaitHint(t *testing.T, hints <-chan resources.Key, want resources.Key) {
	t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case got := <-hints:
			if got == want {
				return
			}
		case <-timeout:
			t.Fatalf("no hint of %s", want)
		}
	}
}

func watchBeginsWithLoss(t *testing.T, s store.Store) { watched(t, s) }

func watchHintsEveryChange(t *testing.T, s store.Store) {
	hints := watched(t, s)
	one := put(t, s, task("a"), "1", "")
	awaitHint(t, hints, task("a"))
	two := put(t, s, task("a"), "2", one)
	awaitHint(t, hints, task("a"))
	require.NoError(t, s.Delete(t.Context(), task("a"), two))
	awaitHint(t, hints, task("a"))
	plan := resources.Key{Kind: resources.WorkPlans, Name: "p"}
	put(t, s, plan, "1", "")
	awaitHint(t, hints, plan)
	require.NoError(t, s.AppendCheckpoint(t.Context(), "a", resources.Checkpoint{Tool: "edit"}))
	awaitHint(t, hints, resources.Key{Kind: resources.CheckpointsKind, Name: "a"})
}

func levelHintsAtOnce(t *testing.T, s store.Store) {
	leveler := as[store.Syncer](t, s)
	require.ErrorIs(t, leveler.WaitSynced(t.Context()), store.ErrNotSynced, "nobody watches")
	hints, rev := watched(t, s), ""
	for n := range 50 {
		rev = put(t, s, task("a"), fmt.Sprint(n), rev)
		if err := leveler.WaitSynced(t.Context()); err != nil {
			require.ErrorIs(t, err, store.ErrNotSynced) // the machine is short of time
			continue
		}
		hinted := false
		for len(hints) > 0 {
			key := <-hints
			hinted = hinted || key == task("a") || key == resources.Key{}
		}
		assert.True(t, hinted, "change %d was not hinted", n)
	}
}
