package leases

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// repository returns the leases of a repository, and the folder in which they stand: with git or without.
func repository(t *testing.T, git bool) (Leases, string) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	if !git {
		return Open(layout.Root(root)), filepath.Join(root, ".idumb/run/leases")
	}
	require.NoError(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	return Open(layout.Root(root)), filepath.Join(root, ".git/idumb/leases")
}

func active(name string) *resources.Task {
	t := &resources.Task{}
	t.Metadata.Name, t.Spec.State = name, resources.TaskActive
	return t
}

func (b Leases) named(session string) resources.Holder {
	h := b.User()
	h.Session = session
	return h
}

func TestWithAndWithoutGit(t *testing.T) {
	for _, git := range []bool{true, false} {
		b, folder := repository(t, git)
		task, first, second := active("a"), b.named("s-1"), b.named("s-2")
		assert.Nil(t, b.Get(task))
		require.NoError(t, b.Release(task), "of nobody")
		assert.NoDirExists(t, folder, "who only looks makes nothing")
		claimed, err := b.Claim(task, first, false, noon)
		require.NoError(t, err)
		assert.True(t, claimed.New)
		assert.FileExists(t, filepath.Join(folder, "a.json"))
		assert.Nil(t, b.OtherLease(task, first, noon))
		assert.Equal(t, "s-1", b.OtherLease(task, second, noon).Spec.Holder.Session)

		_, err = b.Claim(task, second, false, noon)
		var held *HeldError
		require.ErrorAs(t, err, &held)
		assert.ErrorContains(t, err, `task "a" is held by session "s-1" since 2026-03-01T12:00:00Z`)
		require.NoError(t, b.Release(task))
		_, err = b.Claim(task, second, false, noon)
		require.NoError(t, err)
		all, broken := b.All()
		require.Len(t, all, 1)
		assert.Equal(t, "s-2", all[0].Spec.Holder.Session)
		assert.Empty(t, broken)
	}
}

func TestClaims(t *testing.T) {
	later := noon.Add(resources.DefaultLeaseDuration + time.Minute)
	for _, test := range []struct {
		name        string
		has, wants  func(Leases) resources.Holder
		at          time.Time
		over        bool
		state       string
		who         string // who has it then
		from        string // who is told
		transitions int
	}{
		{"its own", session("s-1"), session("s-1"), later, false, "", "s-1", "", 0},
		{"somebody else's", session("s-1"), session("s-2"), noon, false, "", "s-1", "", 0},
		{"an expired one", session("s-1"), session("s-2"), later, false, "", "s-2", "s-1", 1},
		{"by force", session("s-1"), session("s-2"), noon, true, "", "s-2", "s-1", 1},
		{"the user's own", session(""), session("s-1"), later, false, "", "s-1", "", 1},
		{"a user's, who wants an agent's", session("s-1"), session(""), noon, false, "", "s-1", "", 0},
		{"another user's", ann(""), session("s-1"), later, false, "", "", "", 0},
		{"another user's expired one", ann("s-1"), session("s-2"), later, false, "", "s-2", "s-1", 1},
		{"of a task that is worked on no more", session("s-1"), session("s-2"), noon, false, resources.TaskPlanned, "s-2", "", 1},
		{"whose process is gone", gone("s-1"), session("s-2"), noon, false, "", "s-2", "", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, _ := repository(t, true)
			task := active("a")
			_, err := b.Claim(task, test.has(b), false, noon)
			require.NoError(t, err)
			if test.state != "" {
				task.Spec.State = test.state
			}
			claimed, err := b.Claim(task, test.wants(b), test.over, test.at)
			if test.wants(b).Session == test.who {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
			l := b.Get(task)
			assert.Equal(t, test.who, l.Spec.Holder.Session)
			assert.Equal(t, test.transitions, l.Spec.Transitions)
			if test.from == "" {
				assert.Nil(t, claimed.Previous)
			} else {
				assert.Equal(t, test.from, claimed.Previous.Session)
			}
		})
	}
}

func session(name string) func(Leases) resources.Holder {
	return func(b Leases) resources.Holder { return b.named(name) }
}

func ann(name string) func(Leases) resources.Holder {
	return func(b Leases) resources.Holder {
		h := b.named(name)
		h.Person = "ann"
		return h
	}
}

func gone(name string) func(Leases) resources.Holder {
	return func(b Leases) resources.Holder {
		h := b.named(name)
		h.Process = &resources.Process{PID: 1 << 30, Started: 1, Namespace: process.Namespace()}
		return h
	}
}

// A lease is renewed when it is some minutes old, by its holder alone, and not before.
func TestRenew(t *testing.T) {
	b, folder := repository(t, true)
	task, me := active("a"), b.named("s-1")
	b.Renew(task, me, noon)
	assert.NoDirExists(t, folder, "there is none")
	_, err := b.Claim(task, me, false, noon)
	require.NoError(t, err)
	renewed := func() time.Time { return b.Get(task).Spec.RenewTime.Time }
	b.Renew(task, me, noon.Add(RenewInterval-time.Second))
	assert.Equal(t, noon, renewed())
	b.Renew(task, b.named("s-2"), noon.Add(RenewInterval))
	assert.Equal(t, noon, renewed(), "it is not theirs")
	b.Renew(task, me, noon.Add(RenewInterval))
	assert.Equal(t, noon.Add(RenewInterval), renewed())
	b.Renew(task, me, noon.Add(2*time.Hour))
	assert.Equal(t, noon.Add(2*time.Hour), renewed(), "an expired one that nobody took")
}

// A file that is no lease holds nothing, is told of, and gives way.
func TestABrokenLease(t *testing.T) {
	for name, text := range map[string]string{"torn": `{"apiVersion":`, "a link": "", "of another task": ""} {
		t.Run(name, func(t *testing.T) {
			b, folder := repository(t, true)
			task := active("a")
			_, err := b.Claim(task, b.named("s-1"), false, noon)
			require.NoError(t, err)
			file := filepath.Join(folder, "a.json")
			switch name {
			case "torn":
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			case "a link":
				require.NoError(t, os.Rename(file, filepath.Join(folder, "elsewhere")))
				require.NoError(t, os.Symlink("elsewhere", file))
			default:
				data, _ := os.ReadFile(file)
				require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(data), `"name": "a"`, `"name": "b"`, 1)), 0o644))
			}
			assert.Nil(t, b.Get(task))
			if _, broken := b.All(); name != "of another task" {
				assert.Contains(t, broken, "a.json")
			}
			_, err = b.Claim(task, b.named("s-2"), false, noon)
			require.NoError(t, err)
			assert.Equal(t, "s-2", b.Get(task).Spec.Holder.Session)
		})
	}
}

// Two tasks of one name are two, and a name too long for a file is none too long for a lease.
func TestNamesOfLeases(t *testing.T) {
	b, _ := repository(t, true)
	one, other, long := active("a"), active("a"), active(strings.Repeat("x", resources.MaxNameLength))
	one.Metadata.UID, other.Metadata.UID, long.Metadata.UID = "1", "2", "4ab1c8f0-93a4-4a4e-bb5b-9f2a3f0d8c11"
	for n, task := range []*resources.Task{one, other, long} {
		_, err := b.Claim(task, b.named("s-"+string(rune('1'+n))), false, noon)
		require.NoError(t, err)
	}
	assert.Equal(t, "s-1", b.Get(one).Spec.Holder.Session)
	assert.Equal(t, "s-2", b.Get(other).Spec.Holder.Session)
	assert.Equal(t, "s-3", b.Get(long).Spec.Holder.Session)
}

func TestOfManyOneClaims(t *testing.T) {
	b, _ := repository(t, true)
	var all sync.WaitGroup
	won := make([]bool, 16)
	for n := range won {
		all.Go(func() {
			_, err := b.Claim(active("a"), b.named("s-"+string(rune('a'+n))), false, noon)
			won[n] = err == nil
		})
	}
	all.Wait()
	count := 0
	for n, w := range won {
		if w {
			count++
			assert.Equal(t, "s-"+string(rune('a'+n)), b.Get(active("a")).Spec.Holder.Session)
		}
	}
	assert.Equal(t, 1, count)
}

// A root that is named through a link is the same working tree, and one that is gone holds nothing.
func TestWorkingTrees(t *testing.T) {
	b, _ := repository(t, true)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(string(b.root), link))
	linked, task := Open(layout.Root(link)), active("a")
	_, err := linked.Claim(task, linked.named("s-1"), false, noon)
	require.NoError(t, err)
	assert.True(t, b.IsHere(b.Get(task).Spec.Holder))
	require.NoError(t, b.Release(task))
	assert.Nil(t, b.Get(task))

	gone := b.named("s-1")
	gone.Worktree = filepath.Join(t.TempDir(), "gone")
	_, err = b.Claim(task, gone, false, noon)
	require.NoError(t, err)
	assert.Nil(t, b.OtherLease(task, b.named("s-2"), noon))
}

// A working tree takes only its own leases with it.
func TestLeave(t *testing.T) {
	b, folder := repository(t, true)
	other := b.named("s-2")
	other.Worktree = t.TempDir()
	for name, holder := range map[string]resources.Holder{"own": b.named("s-1"), "other": other} {
		_, err := b.Claim(active(name), holder, false, noon)
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "broken.json"), []byte("{"), 0o600))
	assert.Equal(t, []string{"own.json"}, b.OwnFiles())
	require.NoError(t, b.Leave())
	assert.Nil(t, b.Get(active("own")))
	assert.Equal(t, "s-2", b.Get(active("other")).Spec.Holder.Session)
}

// Each .idumb of a repository has leases of its own.
func TestSeveralInOneRepository(t *testing.T) {
	b, _ := repository(t, true)
	below := filepath.Join(string(b.root), "services/x")
	require.NoError(t, os.MkdirAll(filepath.Join(below, layout.Dir), 0o755))
	other, task := Open(layout.Root(below)), active("a")
	_, err := b.Claim(task, b.named("s-1"), false, noon)
	require.NoError(t, err)
	assert.Nil(t, other.Get(task))
	_, err = other.Claim(task, other.named("s-2"), false, noon)
	require.NoError(t, err)
	assert.Equal(t, "s-1", b.Get(task).Spec.Holder.Session)
	all, broken := b.All()
	assert.Len(t, all, 1)
	assert.Empty(t, broken)
}

// Who holds what is the user's own, unless git's folder is there for several users.
func TestLeasesAreTheUsersOwn(t *testing.T) {
	for shared, want := range map[string]os.FileMode{"": 0o600, "[core]\n\tsharedRepository = umask\n": 0o600, "[core]\n\tsharedRepository = group\n": 0o644} {
		root := layout.Root(t.TempDir())
		require.NoError(t, os.MkdirAll(root.Abs(".git"), 0o755))
		require.NoError(t, os.WriteFile(root.Abs(".git/config"), []byte(shared), 0o644))
		book := Open(root)
		task := &resources.Task{}
		task.Metadata.Name, task.Metadata.UID, task.Spec.State = "a", "u", resources.TaskActive
		_, err := book.Claim(task, book.Session("s", nil), false, time.Now())
		require.NoError(t, err)
		info, err := os.Stat(root.Abs(".git/idumb/leases/a.u.json"))
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), shared)
	}
}

// Another clone's claim holds a task against everybody here, also against a session of the same name, and does
// not end by itself.
func TestElsewhere(t *testing.T) {
	book := Open(layoutRoot(t))
	task := active("a")
	theirs := resources.NewLease(task, book.named("s-1"), noon, time.Minute)
	theirs.Spec.Holder.Worktree, theirs.Spec.Team = "", &resources.LeaseTeam{Claim: resources.ClaimConfirmed, Elsewhere: true, Revision: "1"}
	news, err := book.RecordElsewhere(theirs)
	require.NoError(t, err)
	assert.True(t, news)
	news, err = book.RecordElsewhere(theirs)
	require.NoError(t, err)
	assert.False(t, news)
	for _, me := range []string{"s-1", "s-2"} {
		_, err = book.Claim(task, book.named(me), false, noon.Add(48*time.Hour))
		var held *HeldError
		require.ErrorAs(t, err, &held, me)
		assert.NotNil(t, book.OtherLease(task, book.named(me), noon))
	}
	assert.False(t, book.InEffect(theirs))
	require.NoError(t, book.Release(task), "it is not ours to end")
	assert.NotNil(t, book.Get(task))
	require.NoError(t, book.Forget(theirs))
	assert.Nil(t, book.Get(task))
	require.NoError(t, book.Forget(theirs), "twice")
}

// A note that a task ended takes the place of no lease, of one of this working tree and of another note, and
// leaves those of others.
func TestEnd(t *testing.T) {
	book := Open(layoutRoot(t))
	me, task := book.named("s-1"), active("a")
	require.NoError(t, book.End(task, resources.TaskCompleted, me, noon))
	require.NotNil(t, book.Get(task), "nobody had it")
	assert.Equal(t, resources.TaskCompleted, book.Get(task).Ended())
	assert.False(t, book.InEffect(book.Get(task)), "nobody works under a note")
	require.NoError(t, book.End(task, resources.TaskAbandoned, me, noon))
	assert.Equal(t, resources.TaskAbandoned, book.Get(task).Ended(), "another note")

	held := active("b")
	_, err := book.Claim(held, me, false, noon)
	require.NoError(t, err)
	assert.NotNil(t, book.Live(held))
	require.NoError(t, book.End(held, resources.TaskCompleted, me, noon))
	assert.Nil(t, book.Live(held), "it is over")
	assert.Equal(t, resources.TaskCompleted, book.Get(held).Ended(), "its own lease")

	other := active("c")
	theirs := resources.NewLease(other, me, noon, time.Minute)
	theirs.Spec.Holder.Worktree, theirs.Spec.Team = "", &resources.LeaseTeam{Claim: resources.ClaimConfirmed, Elsewhere: true, Revision: "1"}
	_, err = book.RecordElsewhere(theirs)
	require.NoError(t, err)
	require.NoError(t, book.End(other, resources.TaskCompleted, me, noon))
	assert.Empty(t, book.Get(other).Ended(), "another clone's")
}
