package mutate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

var sharedKey = resources.Key{Kind: resources.Tasks, Name: "shared"}

func taskFile(repo Repo, name string) string {
	return filepath.Join(string(repo.Store.Root()), ".idumb", "tasks", name+".json")
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func newTask(name string) *resources.Task {
	kind, _ := resources.KindOf(resources.Tasks)
	task := kind.New().(*resources.Task)
	task.Metadata.Name, task.Spec.WorkPlan, task.Spec.ExpectedOutput = name, "auth", "x"
	return task
}

// An editor that saves before every attempt is never overwritten: after ten attempts the change is refused.
func TestEditorAlwaysSaves(t *testing.T) {
	repo := newRepo(t, planText)
	rounds, written := 0, 0
	repo.OnWrite = func(resources.Key, []byte) { written++ }
	_, err := repo.One(t.Context(), sharedKey, func(o resources.Object, v *View) (resources.Object, error) {
		want := "x"
		if rounds > 0 {
			want = fmt.Sprint("by hand ", rounds)
		}
		assert.Equal(t, want, o.(*resources.Task).Spec.ExpectedOutput, "each attempt reads the file again")
		rounds++
		save(t, taskFile(repo, "shared"), fmt.Sprintf(`{"spec": {"workPlan": "auth", "expectedOutput": "by hand %d"}}`, rounds))
		return annotate("mark")(o, v)
	})
	assert.True(t, IsConflict(err), "%v", err)
	assert.Equal(t, 10, rounds)
	assert.Zero(t, written)
	assert.JSONEq(t, `{"spec": {"workPlan": "auth", "expectedOutput": "by hand 10"}}`, textOf(t, taskFile(repo, "shared")))
}

// A file that an editor creates while an object of its name is created stays, and the user is told.
func TestEditorCreatesMeanwhile(t *testing.T) {
	repo := newRepo(t, planText)
	const byHand = `{"spec": {"workPlan": "auth", "expectedOutput": "by hand"}}`
	rounds := 0
	err := repo.Run(t.Context(), func(tx *Tx) error {
		c, err := tx.planOver(newTask("fresh"), "")
		if err != nil {
			return err
		}
		if rounds++; rounds == 1 {
			save(t, taskFile(repo, "fresh"), byHand)
		}
		_, err = tx.commit(c)
		return err
	})
	var status *apierrors.Status
	require.ErrorAs(t, err, &status)
	assert.Equal(t, "AlreadyExists", status.Reason)
	assert.Equal(t, byHand, textOf(t, taskFile(repo, "fresh")))
}

// A version is written only over the revision that its author read.
func TestPreconditions(t *testing.T) {
	repo := newRepo(t, planText)
	file := taskFile(repo, "shared")
	var before [][]byte
	repo.OnWrite = func(_ resources.Key, old []byte) { before = append(before, old) }
	reason := func(err error) string {
		if status := (*apierrors.Status)(nil); assert.ErrorAs(t, err, &status) {
			return status.Reason
		}
		return ""
	}
	first, err := repo.Record(t.Context(), sharedKey)
	require.NoError(t, err)
	next := get(t, repo, "shared").(*resources.Task)
	next.Spec.ExpectedOutput = "y"

	results, err := repo.Put(t.Context(), []resources.Object{next}, []string{first.Rev})
	require.NoError(t, err)
	assert.Equal(t, Configured, results[0].Operation)
	second, err := repo.Record(t.Context(), sharedKey)
	require.NoError(t, err)
	assert.Equal(t, second.Rev, results[0].New.Source().Revision, "the next change goes over it")
	assert.Equal(t, [][]byte{first.Spec}, before)
	text := textOf(t, file)

	late := get(t, repo, "shared").(*resources.Task)
	late.Spec.ExpectedOutput = "z"
	_, err = repo.Put(t.Context(), []resources.Object{late}, []string{first.Rev})
	assert.Equal(t, "Conflict", reason(err))
	_, err = repo.Put(t.Context(), []resources.Object{late}, []string{""})
	assert.Equal(t, "AlreadyExists", reason(err))
	_, err = repo.Put(t.Context(), []resources.Object{newTask("none")}, []string{first.Rev})
	assert.Equal(t, "NotFound", reason(err))

	_, err = repo.Put(t.Context(), []resources.Object{newTask("fresh"), late}, []string{"", first.Rev})
	var about *ObjectError
	require.ErrorAs(t, err, &about)
	assert.Equal(t, sharedKey, about.Key)
	assert.Equal(t, "Conflict", reason(err))
	assert.NoFileExists(t, taskFile(repo, "fresh"), "all or none")
	_, err = repo.Create(t.Context(), newTask("twin"), newTask("twin"))
	assert.Equal(t, "AlreadyExists", reason(err), "twice in one change")
	assert.Equal(t, text, textOf(t, file))
	assert.Len(t, before, 1, "nothing was written")

	created, err := repo.Create(t.Context(), newTask("fresh"))
	require.NoError(t, err)
	assert.Equal(t, Created, created[0].Operation)
	assert.Nil(t, before[1], "there was no file before")
}

// A change to the content that is there writes nothing, whatever the format of the file.
func TestUnchangedIsNotWritten(t *testing.T) {
	repo := newRepo(t, planText)
	const byHand = `{"spec":{"expectedOutput":"x","workPlan":"auth"}}`
	save(t, taskFile(repo, "shared"), byHand)
	repo.OnWrite = func(resources.Key, []byte) { t.Error("it is written") }
	result, err := repo.One(t.Context(), sharedKey, func(o resources.Object, _ *View) (resources.Object, error) { return o, nil })
	require.NoError(t, err)
	assert.Equal(t, Unchanged, result.Operation)
	assert.Equal(t, byHand, textOf(t, taskFile(repo, "shared")))

	repo.OnWrite, repo.DryRun = nil, true
	result, err = repo.One(t.Context(), sharedKey, annotate("mark"))
	require.NoError(t, err)
	assert.Equal(t, Configured, result.Operation)
	assert.Equal(t, byHand, textOf(t, taskFile(repo, "shared")), "a dry run writes nothing")
}

// sealed is a store that this process may read and not write.
type sealed struct{ Store }

func (sealed) Update(context.Context, func(store.Tx) error) error {
	return &fs.PathError{Op: "open", Path: ".idumb", Err: fs.ErrPermission}
}

// A change that this process may not write goes to the queue, with the revision that it replaces. One that
// changes nothing or is refused does not.
func TestForbiddenWriteIsQueued(t *testing.T) {
	repo := newRepo(t, planText)
	record, err := repo.Record(t.Context(), sharedKey)
	require.NoError(t, err)
	repo.Store, repo.Author.Session = sealed{repo.Store}, "s-1"
	_, err = repo.One(t.Context(), sharedKey, annotate("mark"))
	require.ErrorIs(t, err, fs.ErrPermission, "there is no queue")

	var queued []requests.Args
	repo.Queue = func(wish requests.Args, why error) error {
		assert.ErrorIs(t, why, fs.ErrPermission)
		queued = append(queued, wish)
		return nil
	}
	_, err = repo.One(t.Context(), sharedKey, annotate("mark"))
	require.NoError(t, err)
	require.Len(t, queued, 1)
	assert.Equal(t, []string{"task/shared"}, queued[0].Names)
	assert.Equal(t, []string{record.Rev}, queued[0].Revisions)
	assert.Equal(t, "s-1", queued[0].Session)
	assert.Contains(t, string(queued[0].Objects[0]), `"mark": "1"`)

	repo.request = &requests.Args{Task: "shared"}
	_, err = repo.One(t.Context(), sharedKey, annotate("mark"))
	require.NoError(t, err)
	assert.Equal(t, requests.Args{Task: "shared", Session: "s-1"}, queued[1], "a command goes to the queue as one")
	repo.request = nil
	_, err = repo.One(t.Context(), sharedKey, func(o resources.Object, _ *View) (resources.Object, error) { return o, nil })
	require.NoError(t, err)
	missing := newTask("other")
	missing.Spec.WorkPlan = "ghost"
	_, err = repo.Create(t.Context(), missing)
	require.Error(t, err)
	assert.Len(t, queued, 2)
}

// A queued command that is executed again does not change its objects twice.
func TestQueuedCommandChangesOnce(t *testing.T) {
	repo := newRepo(t, planText)
	repo.Once = "q-1"
	add := func(o resources.Object, _ *View) (resources.Object, error) {
		o.(*resources.Task).Spec.ExpectedOutput += "!"
		return o, nil
	}
	for _, want := range []string{Configured, Unchanged} {
		result, err := repo.One(t.Context(), sharedKey, add)
		require.NoError(t, err)
		assert.Equal(t, want, result.Operation)
	}
	assert.Equal(t, "x!", get(t, repo, "shared").(*resources.Task).Spec.ExpectedOutput)
	for range 2 {
		_, err := repo.Put(t.Context(), []resources.Object{newTask("fresh")}, []string{""})
		require.NoError(t, err, "the first execution made it")
	}
	repo.Once = "q-2"
	_, err := repo.One(t.Context(), sharedKey, add)
	require.NoError(t, err)
	assert.Equal(t, "x!!", get(t, repo, "shared").(*resources.Task).Spec.ExpectedOutput)
}

// meddler is a store in which an editor saves between the checks of a change and its write.
type meddler struct {
	Store
	save func(writes []store.Write)
}

func (m meddler) Update(ctx context.Context, f func(store.Tx) error) error {
	return m.Store.Update(ctx, func(tx store.Tx) error { return f(meddledTx{tx, m.save}) })
}

type meddledTx struct {
	store.Tx
	save func(writes []store.Write)
}

func (m meddledTx) PutAll(writes []store.Write, meanwhile func() error) []error {
	m.save(writes)
	return m.Tx.PutAll(writes, meanwhile)
}

// A generated name that an editor takes meanwhile is replaced by another one. A chosen name is not.
func TestGeneratedNameTaken(t *testing.T) {
	repo := newRepo(t, planText)
	taken := ""
	repo.Store = meddler{repo.Store, func(writes []store.Write) {
		if taken == "" {
			taken = string(repo.Store.Root().Abs(".idumb/mems/" + writes[0].Key.Name + ".json"))
			require.NoError(t, os.MkdirAll(filepath.Dir(taken), 0o755))
			save(t, taken, `{"spec": {"content": "by hand"}}`)
		}
	}}
	create := func(name string) ([]Result, error) {
		kind, _ := resources.KindOf(resources.Mems)
		mem := kind.New().(*resources.Mem)
		mem.Metadata.Name, mem.Spec.Content = name, "x"
		return repo.Create(t.Context(), mem)
	}
	results, err := create("")
	require.NoError(t, err)
	assert.NotContains(t, taken, results[0].Key.Name+".json")
	assert.Contains(t, textOf(t, taken), "by hand")
	assert.FileExists(t, repo.Store.Root().Abs(".idumb/mems/"+results[0].Key.Name+".json"))
	taken = ""
	_, err = create("chosen")
	var status *apierrors.Status
	require.ErrorAs(t, err, &status)
	assert.Equal(t, "AlreadyExists", status.Reason)
}

// A start that cannot be written leaves no lease.
func TestRefusedStartLeavesNoLease(t *testing.T) {
	repo := newRepo(t, planText)
	start := func() error {
		_, err := repo.One(t.Context(), sharedKey, func(o resources.Object, _ *View) (resources.Object, error) {
			o.(*resources.Task).Spec.State = resources.TaskActive
			return o, nil
		})
		return err
	}
	held := func() (names []string) { return leases.Open(repo.Store.Root()).Snapshot().Tasks() }
	files := repo.Store
	repo.Store = meddler{files, func([]store.Write) {
		save(t, taskFile(repo, "shared"), fmt.Sprintf(`{"spec": {"workPlan": "auth", "expectedOutput": %q}}`, rand.Text()))
	}}
	assert.True(t, IsConflict(start()))
	assert.Empty(t, held())
	repo.Store = files
	require.NoError(t, start())
	assert.Equal(t, []string{"shared"}, held())
}

// An error of the author's function, or of a file that is no file, refuses the change.
func TestRefusedChanges(t *testing.T) {
	repo := newRepo(t, planText)
	refused := errors.New("not that")
	before := textOf(t, taskFile(repo, "shared"))
	_, err := repo.One(t.Context(), sharedKey, func(o resources.Object, v *View) (resources.Object, error) {
		o, _ = annotate("mark")(o, v)
		return o, refused
	})
	require.ErrorIs(t, err, refused)
	assert.Equal(t, before, textOf(t, taskFile(repo, "shared")))

	_, err = repo.One(t.Context(), resources.Key{Kind: resources.Tasks, Name: "none"}, annotate("mark"))
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	result, err := repo.One(t.Context(), trajectoryKey, annotate("mark"))
	require.NoError(t, err, "the focus exists without a file")
	assert.Equal(t, Created, result.Operation)

	outside := filepath.Join(t.TempDir(), "outside")
	save(t, outside, before)
	require.NoError(t, os.Symlink(outside, taskFile(repo, "odd")))
	err = repo.Run(t.Context(), func(tx *Tx) error {
		_, err := tx.Put(newTask("odd"))
		return err
	})
	require.Error(t, err)
	assert.Equal(t, before, textOf(t, outside))
}

// A document that replaces an object keeps its identity, and the line ends of its file.
func TestReplacementKeepsIdentity(t *testing.T) {
	repo := newRepo(t, planText)
	old := get(t, repo, "shared").Head().Metadata
	require.NotEmpty(t, old.UID)
	record, err := repo.Record(t.Context(), sharedKey)
	require.NoError(t, err)
	next := newTask("shared")
	next.Spec.ExpectedOutput = "y"
	_, err = repo.Put(t.Context(), []resources.Object{next}, []string{record.Rev})
	require.NoError(t, err)
	now := get(t, repo, "shared").Head().Metadata
	assert.Equal(t, old.UID, now.UID)
	assert.Equal(t, old.CreationTimestamp, now.CreationTimestamp)
	assert.NotContains(t, textOf(t, taskFile(repo, "shared")), "\r")
}

// A mem that its rules refuse is not saved, and the reason is returned.
func TestRefusedMem(t *testing.T) {
	repo := newRepo(t, planText)
	refused := errors.New("not that")
	kind, _ := resources.KindOf(resources.Mems)
	mem := kind.New().(*resources.Mem)
	mem.Metadata.Name, mem.Spec.Content = "m", "x"
	_, _, err := repo.SaveMem(t.Context(), mem, func(*resources.Mem, mems.View) (mems.Saved, error) { return mems.Saved{}, refused })
	require.ErrorIs(t, err, refused)
	mem.Spec.Content = ""
	_, _, err = repo.SaveMem(t.Context(), mem, mems.Save)
	require.ErrorContains(t, err, "spec.content")
	assert.NoFileExists(t, repo.Store.Root().Abs(".idumb/mems/m.json"))
}
