package dash

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// repository is one with these files below .idumb.
func repository(t *testing.T, files map[string]string) *filestore.Store {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	for name, text := range files {
		write(t, root, name, text)
	}
	store, err := filestore.Open(root)
	require.NoError(t, err)
	return store
}

func write(t *testing.T, root, name, text string) {
	file := filepath.Join(root, layout.Dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// next is the next state for which something holds.
func next(t *testing.T, states <-chan State, holds func(*State) bool) State {
	for end := time.After(20 * time.Second); ; {
		select {
		case s := <-states:
			if holds(&s) {
				return s
			}
		case <-end:
			t.Fatal("it does not come")
		}
	}
}

// Without a controller the files are told, and each change of them; nothing is told where nothing is.
func TestFromFiles(t *testing.T) {
	t.Parallel()
	files := repository(t, map[string]string{
		"workplans/p.json": `{"spec": {"title": "P", "acceptance": ["a"], "state": "active"}}`,
		"tasks/a.json":     `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`,
	})
	ctx, cancel := context.WithCancel(t.Context())
	states, ended := make(chan State), make(chan struct{})
	f := &Feed{Files: files, Now: time.Now, Load: func(ctx context.Context) (*queries.Source, error) {
		snapshot, err := files.Load(ctx, time.Now())
		return queries.FromFiles(files.Root(), snapshot), err
	}}
	go func() { f.Run(ctx, states); close(ended) }()
	first := next(t, states, func(s *State) bool { return len(s.Tasks) == 1 })
	assert.False(t, first.Live)
	assert.Zero(t, first.Since, "there never was one")
	assert.Equal(t, "p", first.Plans[0].Name)
	began := time.Now()
	for i := range 200 {
		write(t, string(files.Root()), "tasks/b.json", `{"spec": {"workPlan": "p", "expectedOutput": "x", "title": "`+string(rune('a'+i%26))+`"}}`)
	}
	write(t, string(files.Root()), "tasks/b.json", `{"spec": {"workPlan": "p", "expectedOutput": "x", "title": "last"}}`)
	told := 0
	next(t, states, func(s *State) bool { told++; return len(s.Tasks) == 2 && s.Tasks[1].Title == "last" })
	assert.LessOrEqual(t, told, 2+int(time.Since(began)/minInterval), "a burst is a few screens")
	write(t, string(files.Root()), "events/"+time.Now().UTC().Format(time.DateOnly)+".jsonl", `{"time": "`+time.Now().UTC().Format(time.RFC3339)+`", "type": "Normal", "reason": "Completed", "object": "task/a", "message": "done"}`+"\n")
	next(t, states, func(s *State) bool { return len(s.Events) == 1 && s.Events[0].Message == "done" })
	cancel()
	<-ended
}

func TestLooked(t *testing.T) {
	dir := t.TempDir()
	env := func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] }
	one, other := LastSeenFile("/a", env), LastSeenFile("/b", env)
	assert.Zero(t, one.Time())
	at := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	one.Set(at)
	assert.Equal(t, at, LastSeenFile("/a", env).Time())
	assert.Zero(t, other.Time())
	info, err := os.Stat(one.file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, os.WriteFile(one.file, []byte("junk"), 0o600))
	assert.Zero(t, one.Time())
	nowhere := LastSeenFile("/a", func(string) string { return "" })
	nowhere.Set(at)
	assert.Zero(t, nowhere.Time())
}
