//go:build linux

package hook

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	idleTask   = `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "review"}}`
	activeTask = `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`
)

// idleHouse is a repository with tasks of which one is active, and none changed lately.
func idleHouse(t *testing.T) layout.Root {
	require.Len(t, activeTask, len(idleTask), "so that size tells nothing")
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	for i := range 12 {
		writeTask(t, root, fmt.Sprintf("t%02d", i), idleTask)
	}
	writeTask(t, root, "t03-b", idleTask) // files are sorted by "t03-b.json", behind "t03.json" by name alone
	writeTask(t, root, "t05", activeTask)
	return root
}

func taskFile(root layout.Root, name string) string {
	return root.Abs(layout.Path(resources.Key{Kind: resources.Tasks, Name: name}))
}

func writeTask(t *testing.T, root layout.Root, name, text string) {
	t.Helper()
	require.NoError(t, root.Replace(layout.Path(resources.Key{Kind: resources.Tasks, Name: name}), []byte(text)))
}

// later is a call some time after everything was written.
func later(root layout.Root) *repo { return openRepo(root, nil, time.Now().Add(time.Minute)) }

func keptIdle(t *testing.T, root layout.Root) string {
	t.Helper()
	data, err := os.ReadFile(root.Abs(idleFile))
	require.NoError(t, err)
	return string(data)
}

func TestIdleTasksAreReadOnce(t *testing.T) {
	root := idleHouse(t)
	first := later(root)
	assert.Equal(t, []string{"t05"}, first.ActiveTasks())
	first.keepIdle()
	list := keptIdle(t, root)
	assert.Equal(t, 12, strings.Count(list, "\n"))
	assert.NotContains(t, list, "t05.json")

	second := later(root)
	assert.Equal(t, []string{"t05"}, second.ActiveTasks())
	assert.Zero(t, second.idle.news)
	assert.Equal(t, list, string(second.idle.found))
}

// TestAnIdleTaskThatChangesIsSeen: whatever way a file becomes another one.
func TestAnIdleTaskThatChangesIsSeen(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, root layout.Root, file string){
		"in place": func(t *testing.T, _ layout.Root, file string) {
			require.NoError(t, os.WriteFile(file, []byte(activeTask), 0o644))
		},
		"in place, with its time set back": func(t *testing.T, _ layout.Root, file string) {
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, []byte(activeTask), 0o644))
			require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
		},
		"by a rename": func(t *testing.T, root layout.Root, _ string) { writeTask(t, root, "t07", activeTask) },
		"by another name for its file": func(t *testing.T, root layout.Root, file string) {
			require.NoError(t, os.Remove(file))
			require.NoError(t, os.Link(taskFile(root, "t05"), file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := idleHouse(t)
			first := later(root)
			first.ActiveTasks()
			first.keepIdle()
			require.Contains(t, keptIdle(t, root), "t07.json")
			time.Sleep(20 * time.Millisecond) // more than a tick of the file system's clock
			change(t, root, taskFile(root, "t07"))
			assert.Equal(t, []string{"t05", "t07"}, later(root).ActiveTasks())
		})
	}
}

func TestIdleTasksThatComeAndGo(t *testing.T) {
	root := idleHouse(t)
	first := later(root)
	first.ActiveTasks()
	first.keepIdle()
	require.NoError(t, os.Remove(taskFile(root, "t00")))
	require.NoError(t, os.Remove(taskFile(root, "t06")))
	writeTask(t, root, "a", activeTask)
	writeTask(t, root, "t03-c", activeTask)
	second := later(root)
	assert.Equal(t, []string{"a", "t03-c", "t05"}, second.ActiveTasks())
	assert.Equal(t, 10, strings.Count(string(second.idle.found), "\n"), "the others are still known")
}

// TestATaskOfLateIsNotWrittenDown: within one tick of the file system's clock another
// change might not show.
func TestATaskOfLateIsNotWrittenDown(t *testing.T) {
	root := idleHouse(t)
	r := openRepo(root, nil, time.Now())
	assert.Equal(t, []string{"t05"}, r.ActiveTasks())
	assert.Zero(t, r.idle.news)
	r.keepIdle()
	assert.NoFileExists(t, root.Abs(idleFile))
}

// TestABrokenTaskIsNotIdle: the last good version of one that is marked as broken counts.
func TestABrokenTaskIsNotIdle(t *testing.T) {
	root := idleHouse(t)
	require.NoError(t, os.WriteFile(taskFile(root, "t07"), []byte(`{"spec": `), 0o644))
	first := later(root)
	first.ActiveTasks()
	first.keepIdle()
	require.Contains(t, keptIdle(t, root), "t07.json")
	require.NoError(t, root.Replace(layout.QuarantineDir+"/tasks/t07.json", []byte("{}")))
	second := later(root)
	assert.Contains(t, second.maybeActive(), "t07")
}

// TestAListOfIdleTasksThatIsNone: whatever stands in the list, only a line that is what the file
// system says keeps a file from being read.
func TestAListOfIdleTasksThatIsNone(t *testing.T) {
	for name, list := range map[string]string{
		"empty": "", "binary": "\x00\xff\n", "without an end": "t05.json", "of names alone": "t05.json\n", "of another file": "t05.json 1 2 3 4 5\n",
		"unsorted": "t11.json 1 2 3 4 5\nt05.json 1 2 3 4 5\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := idleHouse(t)
			require.NoError(t, root.Replace(idleFile, []byte(list)))
			assert.Equal(t, []string{"t05"}, later(root).ActiveTasks())
		})
	}
}

// TestFoldersOfTasksThatAreLinks: through a link nothing is known to be idle.
func TestFoldersOfTasksThatAreLinks(t *testing.T) {
	root := idleHouse(t)
	first := later(root)
	first.ActiveTasks()
	first.keepIdle()
	folder := root.Abs(layout.Folder(resources.Tasks))
	require.NoError(t, os.Rename(folder, folder+"-moved"))
	require.NoError(t, os.Symlink(folder+"-moved", folder))
	second := later(root)
	assert.Nil(t, second.openIdle().folder)
	assert.Len(t, second.maybeActive(), 13, "none can be read, so each may be")
}
