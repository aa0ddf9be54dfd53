package filestore

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Statuses are not watched, but that somebody took all of them away is.
func TestWatchTellsOfFoldersThatWereTakenAway(t *testing.T) {
	for _, folder := range []string{layout.StatusDir, layout.ContextDir, layout.RunDir, layout.QuarantineDir} {
		t.Run(folder, func(t *testing.T) {
			s := empty(t)
			d, err := s.root.Make(folder)
			require.NoError(t, err)
			d.Close()
			ctx, cancel := context.WithCancel(t.Context())
			hints, ended := make(chan resources.Key, 16), make(chan error, 1)
			go func() { ended <- s.Watch(ctx, func(key resources.Key) { hints <- key }) }()
			assert.Zero(t, <-hints, "the first hint: anything may have changed")

			require.NoError(t, os.RemoveAll(s.root.Abs(folder)))
			select {
			case key := <-hints:
				assert.Zero(t, key)
			case <-time.After(10 * time.Second):
				t.Error("no hint")
			}
			cancel()
			require.NoError(t, <-ended)
		})
	}
}

// A mark of quarantine holds the version that a broken file counts as: who changes it or takes
// it away changes what holds.
func TestWatchTellsOfMarks(t *testing.T) {
	s := empty(t)
	task := resources.Key{Kind: resources.Tasks, Name: "a"}
	config := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	for _, key := range []resources.Key{task, config} {
		require.NoError(t, s.root.Marks().Put(key, store.Mark{}))
	}
	ctx, cancel := context.WithCancel(t.Context())
	hints, ended := make(chan resources.Key, 16), make(chan error, 1)
	go func() { ended <- s.Watch(ctx, func(key resources.Key) { hints <- key }) }()
	assert.Zero(t, <-hints)
	for _, key := range []resources.Key{task, config} {
		require.NoError(t, os.Remove(s.root.Abs(layout.QuarantinePath(key))))
		select {
		case hinted := <-hints:
			assert.Equal(t, key, hinted)
		case <-time.After(10 * time.Second):
			t.Error("no hint of ", key)
		}
	}
	cancel()
	require.NoError(t, <-ended)
}

// A file with an invalid name is hinted like one that a listing names.
func TestWatchTellsOfInvalidNames(t *testing.T) {
	s := empty(t)
	d, err := s.root.Make(layout.Folder(resources.Tasks))
	require.NoError(t, err)
	d.Close()
	ctx, cancel := context.WithCancel(t.Context())
	hints, ended := make(chan resources.Key, 16), make(chan error, 1)
	go func() { ended <- s.Watch(ctx, func(key resources.Key) { hints <- key }) }()
	assert.Zero(t, <-hints)
	key := resources.Key{Kind: resources.Tasks, Name: "Bad_Name"}
	for _, file := range []string{".tmp-0011.json", "4913", "a.json~", "Bad_Name.json"} { // the first three are no objects
		require.NoError(t, os.WriteFile(s.root.Abs(layout.Folder(resources.Tasks)+"/"+file), []byte("{}"), 0o644))
	}
	select {
	case hinted := <-hints:
		assert.Equal(t, key, hinted)
	case <-time.After(10 * time.Second):
		t.Error("no hint")
	}
	cancel()
	require.NoError(t, <-ended)
}
