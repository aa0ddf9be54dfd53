package filestore

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// content is everything that a Snapshot says, as text that can be compared.
func content(t *testing.T, s *Store) string {
	t.Helper()
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	var b strings.Builder
	for _, k := range resources.Kinds() {
		for _, key := range snapshot.List(k.Plural) {
			object, ok := snapshot.Get(key)
			fmt.Fprintln(&b, key, ok)
			if ok {
				text, err := resources.Encode(object)
				require.NoError(t, err)
				fmt.Fprintln(&b, string(text), object.Source().Revision, object.Source().ModTime.UnixNano())
				derived, err := json.Marshal(snapshot.Derived(key))
				require.NoError(t, err)
				fmt.Fprintln(&b, string(derived))
			}
			if m, isMem := object.(*resources.Mem); isMem {
				same := snapshot.MemsSaying(memory.NormalText(m.Spec.Content))
				require.Contains(t, same, m, "it is found by its words")
				fmt.Fprintln(&b, len(same), len(snapshot.Topic(m.Spec.TopicKey)))
			}
			if k.Plural == resources.Tasks {
				seen, err := json.Marshal(snapshot.Evidence(key.Name))
				require.NoError(t, err)
				fmt.Fprintln(&b, string(seen))
			}
		}
	}
	for _, p := range snapshot.Problems() {
		fmt.Fprintf(&b, "%+v\n", p)
	}
	archived, err := s.ListArchived(t.Context())
	require.NoError(t, err)
	for _, key := range archived {
		fmt.Fprintln(&b, key, snapshot.Archived(key))
	}
	return b.String()
}

// populated returns a store with n tasks, a plan, mems, a log and a broken file.
func populated(t *testing.T, n int) *Store {
	t.Helper()
	s := withTasks(t, n)
	put(t, s, resources.Key{Kind: resources.WorkPlans, Name: "user-auth"}, `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`, "")
	put(t, s, resources.Key{Kind: resources.Mems, Name: "m"}, `{"spec": {"content": "c", "confidence": 0}}`, "")
	put(t, s, task("broken"), `{"spec": {`, "")
	require.NoError(t, s.AppendCheckpoint(t.Context(), "task-00001", resources.Checkpoint{Tool: "shell", Command: "go test ./...", Succeeded: new(bool)}))
	return s
}

// Two versions of a file may have the same time and length: the clock of the file system
// stands still here.
func TestAnEditWithinOneTick(t *testing.T) {
	s := withTasks(t, 40)
	path := s.root.Abs(layout.Path(task("task-00007")))
	at := time.Now()
	require.NoError(t, os.Chtimes(path, at, at))
	content(t, s)
	changed := strings.Replace(string(taskFile(7)), "Task number", "TASK NUMBER", 1)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o644))
	require.NoError(t, os.Chtimes(path, at, at))
	assert.Contains(t, content(t, s), "TASK NUMBER")
}

func TestLoadKindsLeavesTheOthersAlone(t *testing.T) {
	s := populated(t, 3)
	snapshot, err := s.Load(t.Context(), now, resources.Tasks)
	require.NoError(t, err)
	assert.Len(t, snapshot.List(resources.Tasks), 4)
	assert.Empty(t, snapshot.List(resources.Mems))
	assert.Zero(t, snapshot.Evidence("task-00001").Count)
	_, err = s.Load(t.Context(), now, "nothings")
	assert.Error(t, err)
}

func TestWhatIsWrongIsAmongTheProblems(t *testing.T) {
	s := populated(t, 3)
	require.NoError(t, os.Mkdir(s.root.Abs(".idumb/tasks/folder.json"), 0o755))
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/Upper.json"), []byte("{}"), 0o644))
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/config.json"), []byte(`{"spec": {"mode": "loud"}}`), 0o644))
	require.NoError(t, os.Symlink("elsewhere", s.root.Abs(".idumb/anchors")))
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	var got []string
	for _, p := range snapshot.Problems() {
		assert.NotEmpty(t, p.Reason)
		assert.NotEmpty(t, p.Remedy)
		got = append(got, p.Object+" in "+p.File)
	}
	assert.Equal(t, []string{
		"anchors in .idumb/anchors", "config/config in .idumb/config.json", "tasks/Upper in .idumb/tasks/Upper.json",
		"tasks/broken in .idumb/tasks/broken.json", "tasks/folder in .idumb/tasks/folder.json",
	}, got)
}

func TestALastGoodVersionStandsIn(t *testing.T) {
	s := populated(t, 3)
	mark := store.Mark{LastGood: []byte(`{"spec": {"workPlan": "user-auth", "expectedOutput": "the last good one"}}`), Revision: "r"}
	require.NoError(t, s.root.Marks().Put(task("broken"), mark))
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	got, ok := snapshot.Task("broken")
	require.True(t, ok)
	assert.Equal(t, "the last good one", got.Spec.ExpectedOutput)
	assert.Equal(t, "r", got.Origin.Revision)
	_, broken := snapshot.Problem(task("broken"))
	assert.True(t, broken)
}
