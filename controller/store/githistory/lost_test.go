package githistory

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const openTask = `{"metadata": {"name": "a"}, "spec": {"workPlan": "p", "expectedOutput": "the first of two", "state": "planned"}}
`

// TestFindLost removes the committed task a in several ways.
func TestFindLost(t *testing.T) {
	key := resources.Key{Kind: resources.Tasks, Name: "a"}
	file := layout.Path(key)
	remove := func(r repo) { require.NoError(r.t, os.Remove(r.root.Abs(file))) }
	status := func(r repo, phase string) {
		r.write(layout.StatusPath(key), `{"phase": "`+phase+`"}`)
	}
	for name, c := range map[string]struct {
		do   func(r repo)
		lost bool
	}{
		"removed":                       {remove, true},
		"removed, known to the index":   {func(r repo) { r.write(file, openTask+"\n"); r.git(day(2), "add", file); remove(r) }, true},
		"not removed":                   {func(repo) {}, false},
		"staged removal, known":         {func(r repo) { status(r, "planned"); r.git(day(2), "rm", "-q", file) }, false},
		"staged removal, taken back":    {func(r repo) { r.git(day(2), "rm", "-q", file); r.git(day(2), "reset", "-q") }, true},
		"committed removal":             {func(r repo) { status(r, "planned"); r.git(day(2), "rm", "-q", file); r.commit(day(2), "two") }, false},
		"git is at work":                {func(r repo) { remove(r); r.write(".git/index.lock", "") }, false},
		"removed by a command":          {func(r repo) { remove(r); r.root.RecordWrites([]layout.WriteEntry{{Time: time.Now(), Key: key}}) }, false},
		"removed by an old command":     {func(r repo) { r.root.RecordWrites([]layout.WriteEntry{{Time: day(1), Key: key}}); remove(r) }, true},
		"archived":                      {func(r repo) { remove(r); r.write(layout.ArchivePath(key), openTask) }, false},
		"completed after the commit":    {func(r repo) { status(r, "completed"); remove(r) }, false},
		"merge, removed by the other":   {func(r repo) { status(r, "planned"); r.git(day(2), "rm", "-q", file); r.write(".git/MERGE_HEAD", "") }, false},
		"left out by a sparse checkout": {func(r repo) { r.git(day(2), "update-index", "--skip-worktree", file); remove(r) }, false},
		"finished in the commit": {func(r repo) {
			r.write(file, `{"spec": {"workPlan": "p", "state": "completed"}}`)
			r.git(day(2), "add", file)
			r.commit(day(2), "done")
			remove(r)
		}, false},
		"renamed with git":               {func(r repo) { status(r, "planned"); r.git(day(2), "mv", file, ".idumb/tasks/b.json") }, false},
		"another one is very much alike": {func(r repo) { remove(r); r.write(".idumb/tasks/b.json", openTask) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.write(file, openTask)
			r.git(day(1), "add", ".idumb/tasks")
			r.commit(day(1), "one")
			c.do(r)
			past := time.Now().Add(-time.Hour)
			require.NoError(t, os.Chtimes(r.root.Abs(".git/index"), past, past)) // git is long done
			FindLost(t.Context(), r.root, day(3))
			if !c.lost {
				assert.Nil(t, r.root.MarkOf(key))
				return
			}
			mark := r.root.MarkOf(key)
			require.NotNil(t, mark)
			assert.Contains(t, string(mark.LastGood), "the first of two")
			assert.Equal(t, day(3), mark.ModTime, "the task does not rest since the year 1")
			assert.Equal(t, day(3), mark.Since.UTC())
			assert.Contains(t, mark.Problem.Remedy, "idumb restore task/a")
			FindLost(t.Context(), r.root, day(4))
			assert.Equal(t, day(3), r.root.MarkOf(key).Since.UTC(), "marked once")
		})
	}
}

func TestLostIsForgottenWhenExplained(t *testing.T) {
	r, key := newRepo(t), resources.Key{Kind: resources.Tasks, Name: "a"}
	r.write(layout.Path(key), openTask)
	r.git(day(1), "add", ".idumb/tasks")
	r.commit(day(1), "one")
	require.NoError(t, os.Remove(r.root.Abs(layout.Path(key))))
	FindLost(t.Context(), r.root, time.Now())
	require.NotNil(t, r.root.MarkOf(key))
	r.git(time.Now(), "commit", "-aqm", "the task is not needed")
	FindLost(t.Context(), r.root, time.Now())
	assert.Nil(t, r.root.MarkOf(key))
}

// TestLostIsForgottenWhenRenamed keeps the uid of a lost task in another file, as git mv does.
func TestLostIsForgottenWhenRenamed(t *testing.T) {
	r, key := newRepo(t), resources.Key{Kind: resources.Tasks, Name: "a"}
	const withUID = `{"metadata": {"uid": "u-1"}, "spec": {"workPlan": "p", "expectedOutput": "o"}}`
	r.write(layout.Path(key), withUID)
	r.git(day(1), "add", ".idumb/tasks")
	r.commit(day(1), "one")
	require.NoError(t, os.Remove(r.root.Abs(layout.Path(key))))
	FindLost(t.Context(), r.root, time.Now())
	require.NotNil(t, r.root.MarkOf(key))
	r.write(".idumb/tasks/b.json", withUID)
	FindLost(t.Context(), r.root, time.Now())
	assert.Nil(t, r.root.MarkOf(key))
}

// TestLastGood breaks the file of a committed task.
func TestLastGood(t *testing.T) {
	r, key := newRepo(t), resources.Key{Kind: resources.Tasks, Name: "a"}
	last := func(key resources.Key) string {
		spec, rev := LastGood(t.Context(), r.root, key)
		assert.Equal(t, spec == nil, rev == "")
		return string(spec)
	}
	r.write(layout.Path(key), openTask)
	assert.Empty(t, last(key), "git does not have it")
	r.git(day(1), "add", ".idumb/tasks")
	r.commit(day(1), "one")
	r.write(layout.Path(key), "")
	assert.Equal(t, openTask, last(key), "of the index")
	r.git(day(2), "add", ".idumb/tasks")
	assert.Equal(t, openTask, last(key), "of HEAD, because the index has the broken file")
	require.NoError(t, r.root.Marks().Put(key, store.Mark{LastGood: []byte("{}"), Revision: "r"}))
	assert.Equal(t, "{}", last(key), "of the mark")
	mem := resources.Key{Kind: resources.Mems, Name: "m"}
	r.write(layout.Path(mem), `{"spec": {"content": "x"}}`)
	r.git(day(2), "add", ".idumb/mems")
	assert.Empty(t, last(mem), "only for work that is planned")
}

func TestLostStagedMove(t *testing.T) {
	r, key := newRepo(t), resources.Key{Kind: resources.Tasks, Name: "a"}
	r.write(layout.Path(key), openTask)
	r.git(day(1), "add", ".idumb/tasks")
	r.commit(day(1), "one")
	since := time.Now().Add(-time.Second)
	r.git(day(2), "mv", layout.Path(key), ".idumb/tasks/b.json")
	assert.True(t, IsExplained(t.Context(), r.root, key, since))
	r.commit(day(2), "moved")
	r.git(day(2), "rm", "-q", ".idumb/tasks/b.json")
	assert.True(t, IsExplained(t.Context(), r.root, resources.Key{Kind: resources.Tasks, Name: "b"}, since), "a removal")
}
