package requests

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func repository(t *testing.T) layout.Root {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.MkdirAll(root.Abs(WorkDir), 0o755))
	return root
}

// What waits is found wherever whoever drains the queue has come to.
func TestWaiting(t *testing.T) {
	root, now := repository(t), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	assert.Empty(t, Waiting(root))
	_, err := Append(root, "start", Args{Task: "a"}, now)
	require.NoError(t, err)
	_, err = Append(root, "complete", Args{WorkPlan: "p", Said: Said{Evidence: "seen"}}, now)
	require.NoError(t, err)
	said := func() (all []string) {
		for _, w := range Waiting(root) {
			assert.Equal(t, now, w.Time.UTC())
			all = append(all, w.String())
		}
		return all
	}
	assert.Equal(t, []string{"start task/a", "complete workplan/p"}, said())

	require.NoError(t, os.Rename(root.Abs(File), root.Abs(WorkDir+"/1.jsonl")))
	_, err = Append(root, "create", Args{Kind: "Mem", Name: "m"}, now)
	require.NoError(t, err)
	assert.Equal(t, []string{"start task/a", "complete workplan/p", "create Mem/m"}, said())
	first, _, _ := strings.Cut(string(read(t, root, WorkDir+"/1.jsonl")), "\n")
	require.NoError(t, os.WriteFile(root.Abs(WorkDir+"/1.done"), strconv.AppendInt(nil, int64(len(first)+1), 10), 0o600))
	assert.Equal(t, []string{"complete workplan/p", "create Mem/m"}, said(), "the first was carried out")
}

// A repository of strangers may hold anything under the queue's name.
func TestAWishStaysInTheRepository(t *testing.T) {
	root, outside := repository(t), filepath.Join(t.TempDir(), "theirs")
	require.NoError(t, os.WriteFile(outside, []byte("mine\n"), 0o600))
	require.NoError(t, os.Symlink(outside, root.Abs(File)))
	_, err := Append(root, "start", Args{Task: "a"}, time.Now())
	assert.ErrorContains(t, err, File)
	data, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "mine\n", string(data))
}

func TestOutcomes(t *testing.T) {
	root := repository(t)
	for range 3000 {
		RecordOutcome(root, Outcome{ID: "w-1", Wish: "start task/a", Reason: "it is blocked"})
	}
	RecordOutcome(root, Outcome{ID: "w-2", Wish: "start task/b"})
	all := Outcomes(root)
	require.NotEmpty(t, all)
	assert.Equal(t, Outcome{ID: "w-2", Wish: "start task/b"}, all[len(all)-1])
	assert.LessOrEqual(t, len(read(t, root, outcomesFile)), maxOutcomes+1000, "it begins anew")
}

func TestAWishThatCannotBeKept(t *testing.T) {
	root := repository(t)
	_, err := Append(root, "complete", Args{Task: "a", Said: Said{Evidence: strings.Repeat("x", MaxLine)}}, time.Now())
	require.ErrorContains(t, err, "say less")
	require.NoError(t, os.Mkdir(root.Abs(File), 0o755))
	_, err = Append(root, "start", Args{Task: "a"}, time.Now())
	require.ErrorContains(t, err, File)

	assert.True(t, IsNoAccess(&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}))
	assert.True(t, IsNoAccess(layout.Explain("x", fs.ErrPermission)))
	assert.False(t, IsNoAccess(os.ErrNotExist))
	assert.False(t, IsNoAccess(nil))
}

func read(t *testing.T, root layout.Root, name string) []byte {
	data, err := os.ReadFile(filepath.FromSlash(root.Abs(name)))
	require.NoError(t, err)
	return data
}
