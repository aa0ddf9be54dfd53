package githistory

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A version that git put into the working tree is told apart from one that somebody wrote.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	const file = ".idumb/tasks/login.json"
	r := newRepo(t)
	changed := func() bool { return ChangedSince(t.Context(), r.root, file, day(3)) }
	settle := func() { // as if git had been at rest for a while
		at := time.Now().Add(-time.Minute)
		require.NoError(t, os.Chtimes(r.root.Abs(".git/index"), at, at))
	}
	r.write(file, "planned")
	assert.True(t, changed(), "a repository without a commit")
	r.git(day(1), "commit", "-q", "--allow-empty", "-m", "empty")
	assert.True(t, changed(), "a file that git does not track")
	r.git(day(2), "add", file)
	r.commit(day(2), "plan")
	assert.False(t, changed(), "as of before")
	r.write(file, "active")
	r.git(day(4), "commit", "-qam", "start")
	assert.True(t, changed(), "a commit since then")
	r.git(day(5), "checkout", "-q", "HEAD~1")
	assert.False(t, changed(), "an older commit")
	r.git(day(5), "checkout", "-q", "HEAD~1")
	assert.NoFileExists(t, r.root.Abs(file))
	assert.False(t, changed(), "a commit from before the file was made")
	r.git(day(5), "checkout", "-q", "main")
	r.write(file, "planned")
	settle()
	assert.True(t, changed(), "an edit")
	require.NoError(t, os.WriteFile(r.root.Abs(".git/index.lock"), nil, 0o600))
	assert.False(t, changed(), "git is at work")
	require.NoError(t, os.Remove(r.root.Abs(".git/index.lock")))
	r.git(day(5), "rm", "-qf", file)
	settle()
	assert.True(t, changed(), "removed on purpose")
	r.commit(day(6), "remove")
	assert.True(t, changed(), "a commit that removes it")
	r.git(day(7), "checkout", "-q", "-b", "old", "HEAD~2")
	r.write(file, "active again")
	r.git(day(7), "stash", "-q")
	assert.False(t, changed(), "stashed")
}
