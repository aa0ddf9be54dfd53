package githistory

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/memory"
)

// outcome is what became of the telling commits of a former HEAD: what they said to what
// says it now.
func outcome(t *testing.T, r repo, former string) (Trail, map[string]string) {
	t.Helper()
	trail, lost, err := LostSince(context.Background(), r.root, former, 100)
	require.NoError(t, err)
	said := map[string]string{}
	for _, l := range lost {
		now := "nothing"
		switch {
		case l.Kept:
			now = "kept"
		case l.Heir != nil:
			now = memory.ReadCommit(l.Heir.Message).Subject
		}
		said[memory.ReadCommit(l.Commit.Message).Subject] = now
	}
	return trail, said
}

func TestLostSince(t *testing.T) {
	for _, test := range []struct {
		name  string
		act   func(r repo)
		trail Trail
		want  map[string]string
	}{
		{"another commit", func(r repo) { r.commit(day(9), "chore: more") }, Followed, nil},
		{"another branch", func(r repo) { r.git(day(9), "checkout", "-q", "-b", "other", "base") }, Aside, nil},
		{"a tag", func(r repo) { r.git(day(9), "tag", "t"); r.git(day(9), "reset", "-q", "--hard", "base") }, Aside, nil},
		{"amended", func(r repo) {
			r.git(day(9), "commit", "-q", "--amend", "--allow-empty", "-m", "decision: two at last")
		}, Left, map[string]string{"two": "two at last"}},
		{"amended, in the same words", func(r repo) { r.git(day(9), "commit", "-q", "--amend", "--allow-empty", "--no-edit") }, Left, map[string]string{"two": "kept"}},
		{"dropped", func(r repo) { r.git(day(9), "reset", "-q", "--hard", "base") }, Left, map[string]string{"one": "nothing", "two": "nothing"}},
		{"rebased", func(r repo) {
			r.git(day(8), "checkout", "-q", "-b", "ahead", "base")
			r.commit(day(8), "chore: ahead")
			r.git(day(9), "checkout", "-q", "main")
			r.git(day(9), "rebase", "-q", "--keep-empty", "ahead")
		}, Left, map[string]string{"one": "kept", "two": "kept"}},
		{"squashed by hand", func(r repo) {
			r.git(day(9), "reset", "-q", "--soft", "base")
			r.commit(day(9), "feat: both (#1)\n\n* decision: one\n\n* decision: two")
		}, Left, map[string]string{"one": "kept", "two": "kept"}},
		{"squashed by a rebase", func(r repo) {
			r.git(day(3), "reset", "-q", "--soft", "base")
			r.commit(day(3), "decision: one and two")
		}, Left, map[string]string{"one": "nothing", "two": "one and two"}},
		{"a branch that is gone", func(r repo) {
			r.git(day(9), "checkout", "-q", "-b", "other", "base")
			r.git(day(9), "branch", "-q", "-D", "main")
		}, Left, map[string]string{"one": "nothing", "two": "nothing"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRepo(t)
			r.commit(day(1), "chore: base")
			r.git(day(1), "branch", "base")
			r.commit(day(2), "decision: one")
			former := r.commit(day(3), "decision: two")
			test.act(r)
			trail, said := outcome(t, r, former)
			assert.Equal(t, test.trail, trail)
			if test.want == nil {
				test.want = map[string]string{}
			}
			assert.Equal(t, test.want, said)
		})
	}
}

func TestLostSinceNothing(t *testing.T) {
	r := newRepo(t)
	r.commit(day(1), "one")
	for _, former := range []string{"", "-x", "0000000000000000000000000000000000000000"} {
		trail, said := outcome(t, r, former)
		assert.Equal(t, Unknown, trail)
		assert.Empty(t, said)
	}
}

// Of two commits of one second nobody can tell which took whose place, unless they changed
// different files.
func TestHeirsOfOneSecond(t *testing.T) {
	c := func(message string, files ...string) memory.Commit {
		return memory.Commit{Message: message, Author: "1 a@b", Parents: message, Files: files}
	}
	lost := []memory.Commit{c("decision: a", "a.go"), c("decision: b", "b.go"), c("decision: c")}
	there := []memory.Commit{c("decision: a two", "a.go"), c("decision: b two", "b.go", "c.go"), c("decision: c")}
	all := heirs(lost, there)
	assert.Equal(t, "decision: a two", all[0].Heir.Message)
	assert.Nil(t, all[1].Heir)
	assert.False(t, all[1].Kept)
	assert.True(t, all[2].Kept)
	there[1].Parents = lost[1].Parents
	assert.Equal(t, "decision: b two", heirs(lost, there)[1].Heir.Message, "it was amended")
	there[1].Parents = ""
	assert.True(t, heirs([]memory.Commit{lost[2], lost[2]}, there)[1].Kept, "twice in the same words")
	one := heirs(lost[:2], there[:1])
	assert.Equal(t, "decision: a two", one[0].Heir.Message)
	assert.Nil(t, one[1].Heir, "it took one place")
	assert.Equal(t, "decision: b two", heirs(lost[1:], there[1:])[0].Heir.Message, "the other one is there as it was")
}
