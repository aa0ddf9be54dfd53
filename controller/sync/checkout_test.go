package sync

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// git runs git in the clone, which makes commits at a moment.
func (m *machine) git(at time.Time, args ...string) {
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	c.Dir = string(m.root)
	stamp := at.Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+stamp, "GIT_AUTHOR_DATE="+stamp)
	out, err := c.CombinedOutput()
	require.NoError(m.t, err, "%s", out)
}

// What git puts into the working tree as of before the start gives no claim back, and ends no task.
func TestACheckoutGivesNothingBack(t *testing.T) {
	for _, before := range []string{resources.TaskPlanned, resources.TaskCompleted} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			var team memengine.Engine
			a := join(t, &team, "a")
			a.git(noon, "init", "-q", "-b", "main")
			a.git(noon.Add(-2*time.Hour), "commit", "-q", "--allow-empty", "-m", "empty")
			a.task("login", before)
			a.git(noon, "add", "-A")
			a.git(noon.Add(-time.Hour), "commit", "-qm", "plan")
			_, err := a.start("login", false)
			require.NoError(t, err)
			a.git(noon.Add(time.Hour), "commit", "-qam", "start")
			for _, revision := range []string{"main~1", "main~2", "main"} {
				a.git(noon, "checkout", "-q", revision)
				assert.Equal(t, Report{Claims: 1, Mine: 1}, a.round(), revision)
			}
			a.task("login", resources.TaskFailed)
			a.git(noon.Add(2*time.Hour), "commit", "-qam", "fail")
			assert.Equal(t, []string{"login"}, a.round().Released, "a commit since then")
		})
	}
}

// A lease that outlived its task, which ended by an edit or a pull, claims nothing while an older commit is
// checked out in which the task is active.
func TestACheckoutClaimsNothing(t *testing.T) {
	t.Parallel()
	var team memengine.Engine
	a := join(t, &team, "a")
	a.git(noon, "init", "-q", "-b", "main")
	task := a.task("login", resources.TaskPlanned)
	_, err := a.book.Claim(task, a.book.User(), false, noon)
	require.NoError(t, err)
	a.task("login", resources.TaskActive)
	a.git(noon, "add", "-A")
	a.git(noon.Add(time.Hour), "commit", "-qm", "start")
	a.task("login", resources.TaskCompleted)
	a.git(noon.Add(2*time.Hour), "commit", "-qam", "complete")
	a.git(noon, "checkout", "-q", "main~1")
	assert.Equal(t, Report{Ended: []string{"login"}}, a.round())
	assert.Equal(t, Report{}, a.round(), "nor does it replace the mark")
	a.git(noon, "checkout", "-q", "main")
	a.round()
	all, _ := a.book.All()
	assert.Empty(t, all)
}
