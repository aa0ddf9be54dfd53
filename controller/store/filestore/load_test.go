package filestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

const taskText = `{"spec": {"workPlan": "p", "expectedOutput": "%s"}}`

func writeFile(t *testing.T, root layout.Root, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(root.Abs(file)), 0o755))
	require.NoError(t, os.WriteFile(root.Abs(file), []byte(text), 0o644))
}

// loaded loads a repository that nobody has open. A store of one that is gone is gone.
func loaded(t *testing.T, root layout.Root, kinds ...string) (*graph.Snapshot, error) {
	t.Helper()
	s := &Store{root: root}
	return s.Load(t.Context(), time.Time{}, kinds...)
}

// Whatever the order and number of readers, objects come out by name, and each with its own text.
func TestAllFilesAreRead(t *testing.T) {
	root := layout.Root(t.TempDir())
	var want []string
	for i := range 300 {
		name := fmt.Sprintf("t-%03d", i)
		writeFile(t, root, ".idumb/tasks/"+name+".json", fmt.Sprintf(taskText, name))
		want = append(want, name)
	}
	writeFile(t, root, ".idumb/checkpoints/t-007.jsonl", `{"tool": "edit", "filesModified": ["f"]}`+"\n")
	writeFile(t, root, ".idumb/archive/tasks/old.json", "{}")
	s, err := loaded(t, root)
	require.NoError(t, err)
	var got []string
	for _, key := range s.List(resources.Tasks) {
		task, ok := s.Task(key.Name)
		require.True(t, ok)
		assert.Equal(t, key.Name, task.Spec.ExpectedOutput)
		assert.NotEmpty(t, task.Origin.Revision)
		assert.False(t, task.Origin.ModTime.IsZero())
		got = append(got, key.Name)
	}
	assert.Equal(t, want, got)
	assert.Equal(t, 1, s.Evidence("t-007").Count)
	assert.True(t, s.Archived(resources.Key{Kind: resources.Tasks, Name: "old"}))
	assert.WithinDuration(t, time.Now(), s.Now(), time.Minute)
}

func TestNothingToRead(t *testing.T) {
	root := layout.Root(t.TempDir())
	_, err := loaded(t, root)
	require.ErrorIs(t, err, store.ErrGone)
	writeFile(t, root, ".idumb/tasks/a.json", fmt.Sprintf(taskText, "a"))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s, err := Open(string(root))
	require.NoError(t, err)
	_, err = s.Load(ctx, time.Time{})
	require.True(t, errors.Is(err, context.Canceled), "%v", err)
}

// A save that truncates a file first is waited for: the file is not taken for broken. The wait
// is short, so on a busy machine the writer may come too late for it, but not each time.
func TestAFileThatIsBeingWritten(t *testing.T) {
	root := layout.Root(t.TempDir())
	const file = ".idumb/tasks/a.json"
	for range 20 {
		writeFile(t, root, file, "")
		require.NoError(t, os.Chtimes(root.Abs(file), time.Now(), time.Now().Add(time.Second)))
		var writer sync.WaitGroup
		writer.Go(func() {
			time.Sleep(3 * time.Millisecond)
			assert.NoError(t, os.WriteFile(root.Abs(file), fmt.Appendf(nil, taskText, "whole"), 0o644))
		})
		s, err := loaded(t, root, resources.Tasks)
		writer.Wait()
		require.NoError(t, err)
		if task, ok := s.Task("a"); ok {
			assert.Equal(t, "whole", task.Spec.ExpectedOutput)
			return
		}
	}
	t.Fatal("nobody waits for the writer")
}

// Whoever saves meanwhile, no object is missing from a Snapshot that was there all the time.
func TestNoObjectIsMissedUnderChurn(t *testing.T) {
	root := layout.Root(t.TempDir())
	var names []string
	for i := range 301 {
		names = append(names, fmt.Sprintf("t-%03d.json", i))
		writeFile(t, root, ".idumb/tasks/"+names[i], fmt.Sprintf(taskText, "x"))
	}
	dir, stop := root.Abs(".idumb/tasks"), make(chan struct{})
	var writers sync.WaitGroup
	for writer := range 2 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				temp := filepath.Join(dir, fmt.Sprintf(".tmp-%d", writer))
				assert.NoError(t, os.WriteFile(temp, fmt.Appendf(nil, taskText, strings.Repeat("y", i%9+1)), 0o644))
				assert.NoError(t, os.Rename(temp, filepath.Join(dir, names[(i*7+writer)%len(names)])))
			}
		})
	}
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		s, err := loaded(t, root, resources.Tasks)
		require.NoError(t, err)
		assert.Len(t, s.List(resources.Tasks), len(names))
		assert.Empty(t, s.Problems())
	}
	close(stop)
	writers.Wait()
}

func TestLoadSeesTempFiles(t *testing.T) {
	root := layout.Root(t.TempDir())
	writeFile(t, root, ".idumb/tasks/a.json", fmt.Sprintf(taskText, "a"))
	writeFile(t, root, ".idumb/tasks/.tmp-1", "")
	s, err := Open(string(root))
	require.NoError(t, err)
	_, err = s.Load(t.Context(), now)
	require.NoError(t, err)
	assert.Equal(t, []string{".idumb/tasks"}, s.temps.take())
}
