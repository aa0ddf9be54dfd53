package layout

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// repository returns the root of a new one with an empty .idumb/tasks.
func repository(t *testing.T) Root {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb", "tasks"), 0o755))
	return Root(root)
}

func task(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

// What cannot be an object is told from what is not there, with a remedy, and
// costs nothing to find out.
func TestReadSpecRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		make   func(t *testing.T, path string)
		reason string // of the problem; "": not found
	}{
		{"nothing", func(*testing.T, string) {}, ""},
		{"a symlink", func(t *testing.T, path string) {
			target := filepath.Join(filepath.Dir(path), "target")
			require.NoError(t, os.WriteFile(target, []byte("{}"), 0o644))
			require.NoError(t, os.Symlink(target, path))
		}, "symbolic link"},
		{"a symlink loop", func(t *testing.T, path string) { require.NoError(t, os.Symlink(path, path)) }, "symbolic link"},
		{"a dangling symlink", func(t *testing.T, path string) { require.NoError(t, os.Symlink("nowhere", path)) }, "symbolic link"},
		{"a folder", func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o755)) }, "is a folder"},
		{"100 MB", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, nil, 0o644))
			require.NoError(t, os.Truncate(path, 100<<20))
		}, "104857600 bytes long; at most 1048576"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := repository(t)
			test.make(t, r.Abs(".idumb/tasks/a.json"))
			_, _, err := r.ReadSpec(task("a"))
			wantProblem(t, err, ".idumb/tasks/a.json", test.reason)
		})
	}
}

func wantProblem(t *testing.T, err error, file, reason string) {
	t.Helper()
	if reason == "" {
		require.ErrorIs(t, err, store.ErrNotFound)
		return
	}
	require.ErrorIs(t, err, store.ErrUnreadable)
	var p resources.Problem
	require.True(t, errors.As(err, &p), "%v wraps no problem", err)
	assert.Equal(t, file, p.File)
	assert.Contains(t, p.Reason, reason)
	assert.NotEmpty(t, p.Remedy)
}

func TestNoFolderMayBeALink(t *testing.T) {
	for _, test := range []struct{ name, link, reason string }{
		{"the store", ".idumb", "symbolic link"},
		{"a kind's folder", ".idumb/tasks", "symbolic link"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := repository(t)
			elsewhere := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(elsewhere, "tasks"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "a.json"), []byte("{}"), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "tasks", "a.json"), []byte("{}"), 0o644))
			require.NoError(t, os.RemoveAll(r.Abs(test.link)))
			require.NoError(t, os.Symlink(elsewhere, r.Abs(test.link)))
			_, _, err := r.ReadSpec(task("a"))
			wantProblem(t, err, test.link, test.reason)
			assert.Error(t, r.Replace(".idumb/tasks/b.json", []byte("{}")))
			assert.NoFileExists(t, filepath.Join(elsewhere, "b.json"))
			assert.NoFileExists(t, filepath.Join(elsewhere, "tasks", "b.json"))
		})
	}
}

func TestAFileInPlaceOfAFolder(t *testing.T) {
	r := repository(t)
	require.NoError(t, os.Remove(r.Abs(".idumb/tasks")))
	require.NoError(t, os.WriteFile(r.Abs(".idumb/tasks"), nil, 0o644))
	_, _, err := r.ReadSpec(task("a"))
	wantProblem(t, err, ".idumb/tasks", "is not a folder")
}

func TestAStoreThatIsGoneIsNotAMissingObject(t *testing.T) {
	r := repository(t)
	require.NoError(t, os.RemoveAll(r.Abs(Dir)))
	_, _, err := r.ReadSpec(task("a"))
	require.ErrorIs(t, err, store.ErrGone)
	assert.NotErrorIs(t, err, store.ErrNotFound)
	require.ErrorIs(t, r.Replace(StatusPath(task("a")), []byte("{}")), store.ErrGone)
	require.ErrorIs(t, r.AppendEvent(resources.Event{}), store.ErrGone)
	assert.NoDirExists(t, r.Abs(Dir), "nothing is created in answer")
}

func TestReadSizes(t *testing.T) {
	for _, test := range []struct {
		name string
		size int
		ok   bool
	}{
		{"empty", 0, true}, {"one", 1, true}, {"a page", 4096, true}, {"the limit", MaxSpec, true}, {"one too many", MaxSpec + 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := repository(t)
			want := bytes.Repeat([]byte("x"), test.size)
			require.NoError(t, os.WriteFile(r.Abs(".idumb/tasks/a.json"), want, 0o644))
			got, info, err := r.ReadSpec(task("a"))
			if !test.ok {
				require.ErrorIs(t, err, store.ErrUnreadable)
				return
			}
			require.NoError(t, err)
			assert.True(t, bytes.Equal(want, got))
			assert.EqualValues(t, test.size, info.Size)
		})
	}
}

func TestOfALongLogTheEndIsRead(t *testing.T) {
	r := repository(t)
	require.NoError(t, os.Mkdir(r.Abs(CheckpointsDir), 0o755))
	line := strings.Repeat("x", 1023) + "\n"
	path := r.Abs(CheckpointPath("a"))
	require.NoError(t, os.WriteFile(path, []byte("first\n"+strings.Repeat(line, MaxLog/1024)+"last\n"), 0o644))
	got, _, err := r.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: "a"})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(got), MaxLog)
	assert.True(t, bytes.HasPrefix(got, []byte(line)), "it begins with a whole line")
	assert.True(t, bytes.HasSuffix(got, []byte("\nlast\n")))
}

// What Glance says of a file that was read is what was said when it was read.
func TestGlance(t *testing.T) {
	r := Root(t.TempDir())
	require.NoError(t, os.Mkdir(r.Abs(Dir), 0o755))
	require.NoError(t, r.Replace(Dir+"/tasks/a.json", []byte("{}")))
	require.NoError(t, os.Symlink("a.json", r.Abs(Dir+"/tasks/b.json")))
	d, err := r.Open(Dir + "/tasks")
	require.NoError(t, err)
	defer d.Close()
	_, read, err := d.Read("a.json", MaxSpec)
	require.NoError(t, err)
	now, err := d.Glance("a.json")
	require.NoError(t, err)
	assert.True(t, read.Equal(now))
	now, err = d.Glance("b.json")
	require.NoError(t, err)
	assert.False(t, read.Equal(now), "a link is another file")
	_, err = d.Glance("c.json")
	assert.Error(t, err)
}

// A file so large that its memory is asked for at once is read as any other.
func TestALargeFileIsRead(t *testing.T) {
	r := Root(t.TempDir())
	require.NoError(t, os.Mkdir(r.Abs(Dir), 0o755))
	for _, size := range []int{populateSize - 1, populateSize, populateSize + 1, 5 * populateSize} {
		text := bytes.Repeat([]byte("x"), size)
		require.NoError(t, r.Replace(Dir+"/run/log", text))
		data, _, err := r.Read(Dir+"/run/log", MaxLog)
		require.NoError(t, err)
		assert.Equal(t, text, data, size)
	}
}

// LostNames are those whose last good version is in effect: the file is missing and not archived.
func TestLostNames(t *testing.T) {
	root := repository(t)
	spec := []byte(`{"spec": {"expectedOutput": "x"}}`)
	for _, name := range []string{"lost", "back", "archived"} {
		removed := resources.Problem{Key: task(name), Reason: store.RemovedReason}
		require.NoError(t, root.Marks().Put(task(name), store.Mark{Problem: removed, LastGood: spec}))
	}
	for _, file := range []string{Path(task("back")), ArchivePath(task("archived"))} {
		require.NoError(t, os.MkdirAll(filepath.Dir(root.Abs(file)), 0o755))
		require.NoError(t, os.WriteFile(root.Abs(file), spec, 0o644))
	}
	assert.Equal(t, []string{"lost"}, root.LostNames(resources.Tasks))
	assert.Empty(t, root.LostNames(resources.WorkPlans))
}
