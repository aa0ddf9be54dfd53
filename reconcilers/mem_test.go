package reconcilers

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	docBefore = "# Auth\n\n## Tokens\nopaque\n\n## Other\nx\n"
	docAround = "# Auth\n\nmore\n\n## Tokens\nopaque\n\n## Other\ny\n"
	docAfter  = "# Auth\n\n## Tokens\nsigned\n\n## Other\nx\n"
)

// A mem follows what it cites: a part of a file, and the file itself.
func TestMemsFollowWhatTheyCite(t *testing.T) {
	s := newStage(t)
	s.file("docs/auth.md", docBefore)
	sum := s.store.SourceSection("docs/auth.md", "Tokens").SHA256
	s.file(".idumb/mems/m.json", fmt.Sprintf(`{"spec":{"content":"c","evidence":[{"path":"docs/auth.md","section":"Tokens","sha256":%q}]}}`, sum))
	s.start()
	defer s.end()
	s.settled()
	has := func(why string, parts ...string) {
		t.Helper()
		s.eventually(why, func() bool {
			for _, part := range parts {
				if !strings.Contains(s.statuses()["mems/m.json"], part) {
					return false
				}
			}
			return true
		})
		s.settled()
	}
	has("it is as it was", `"phase":"fresh"`, `"confidence":80`)
	s.file("docs/auth.md", docAround)
	time.Sleep(100 * time.Millisecond)
	has("only what is around it changed", `"phase":"fresh"`)
	s.file("docs/auth.md", docAfter)
	has("it changed", `"phase":"suspect"`, `"confidence":40`, `docs/auth.md#Tokens has changed`)
	require.NoError(t, os.Remove(s.path("docs/auth.md")))
	has("it is gone", `"phase":"gone"`)
	s.file("docs/auth.md", docBefore)
	has("it is back", `"phase":"fresh"`, `"confidence":80`)
	assert.Subset(t, s.told(), []string{"mem/m Suspect", "mem/m EvidenceGone", "mem/m Fresh"})
}

// A declaration that moves to another file is followed, and what becomes of it there is seen.
func TestMemsFollowWhatMoves(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.git(daysAgo(1), "init", "-q")
	s.file("a.go", "package a\n\nfunc Limit() int { return 3 }\n")
	s.git(daysAgo(1), "add", "a.go")
	s.git(daysAgo(1), "commit", "-q", "-m", "one")
	sum := s.store.SourceSection("a.go", "Limit").SHA256
	s.file(".idumb/mems/m.json", fmt.Sprintf(`{"spec":{"content":"c","evidence":[{"path":"a.go","section":"Limit","sha256":%q}]}}`, sum))
	s.start()
	defer s.end()
	s.settled()
	has := func(parts ...string) {
		t.Helper()
		for _, part := range parts {
			s.eventually(part, func() bool { return strings.Contains(s.statuses()["mems/m.json"], part) })
		}
		s.settled()
	}
	s.file("b.go", "package a\n\n// Limit is here now.\nfunc Limit() int { return 3 }\n")
	s.file("a.go", "package a\n")
	has("a.go#Limit moved to b.go", `"phase":"fresh"`)
	s.file("b.go", "package a\n\nfunc Limit() int { return 99 }\n")
	has(`"phase":"gone"`, "a.go#Limit is gone")
	s.file("b.go", "package a\n")
	s.file("a.go", "package a\n\nfunc Limit() int { return 99 }\n")
	has(`"phase":"suspect"`, "the declaration a.go#Limit has changed")
	s.git(daysAgo(0), "mv", "a.go", "c.go")
	has("a.go#Limit moved to c.go and has changed")
	s.file("c.go", "package a\n\nfunc Limit() int { return 3 }\n")
	has(`"phase":"fresh"`, "a.go#Limit moved to c.go")
}

// Days of work count, whether a commit or an object shows them, also while the
// controller runs.
func TestMemsFadeByDaysOfWork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	s := newStage(t)
	git, day := s.git, daysAgo
	git(day(90), "init", "-q")
	git(day(90), "commit", "-q", "--allow-empty", "-m", "first")
	s.file(".idumb/mems/m.json", fmt.Sprintf(`{"metadata":{"creationTimestamp":%q},"spec":{"content":"c"}}`, day(80).Format(time.RFC3339)))
	s.start()
	defer s.end()
	s.settled()
	confidence := func(n int) {
		t.Helper()
		s.eventually(fmt.Sprint(n), func() bool {
			return strings.Contains(s.statuses()["mems/m.json"], fmt.Sprintf(`"confidence":%d,`, n))
		})
		s.settled()
	}
	confidence(80)
	for n := 1; n <= 20; n++ {
		git(day(n), "commit", "-q", "--allow-empty", "-m", "x")
	}
	confidence(76)
	for n := 21; n <= 30; n++ {
		s.file(fmt.Sprintf(".idumb/anchors/a%d.json", n), fmt.Sprintf(`{"metadata":{"creationTimestamp":%q},"spec":{"content":"c"}}`, day(n).Format(time.RFC3339)))
	}
	confidence(75)
	git(day(0), "update-ref", "HEAD", "HEAD~20")
	confidence(78)
}

// Git writes the log of HEAD before it moves the branch, and replaces the file of the
// branch last. A controller that looks in between sees the move all the same; and a move
// to another branch, to a packed one, and to none.
func TestAMoveOfHeadIsSeenWhereverGitKeepsIt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	s := newStage(t)
	git := s.git
	git(daysAgo(90), "init", "-q", "-b", "main")
	git(daysAgo(90), "commit", "-q", "--allow-empty", "-m", "first")
	for n := 1; n <= 20; n++ {
		git(daysAgo(n), "commit", "-q", "--allow-empty", "-m", "x")
	}
	all, none := git(daysAgo(0), "rev-parse", "HEAD"), git(daysAgo(0), "rev-parse", "HEAD~20")
	git(daysAgo(0), "branch", "few", none)
	s.file(".idumb/mems/m.json", fmt.Sprintf(`{"metadata":{"creationTimestamp":%q},"spec":{"content":"c"}}`, daysAgo(80).Format(time.RFC3339)))
	s.start()
	defer s.end()
	s.settled()
	confidence := func(why string, n int) {
		t.Helper()
		s.eventually(why, func() bool {
			return strings.Contains(s.statuses()["mems/m.json"], fmt.Sprintf(`"confidence":%d,`, n))
		})
		s.settled()
	}
	confidence("all commits", 76)
	// By hand, what git does within a moment.
	log, err := os.ReadFile(s.path(".git/logs/HEAD"))
	require.NoError(t, err)
	s.file(".git/logs/HEAD", string(log)+all+" "+none+" t <t@example.com> 0 +0000\tmoved\n")
	time.Sleep(300 * time.Millisecond)
	s.settled()
	s.file(".git/refs/heads/main.lock", none+"\n")
	require.NoError(t, os.Rename(s.path(".git/refs/heads/main.lock"), s.path(".git/refs/heads/main")))
	confidence("the branch moved after the log", 80)
	git(daysAgo(0), "update-ref", "HEAD", all)
	confidence("it moved back", 76)
	git(daysAgo(0), "checkout", "-q", "few")
	confidence("another branch", 80)
	git(daysAgo(0), "pack-refs", "--all")
	git(daysAgo(0), "update-ref", "HEAD", all)
	confidence("a branch that was packed", 76)
	git(daysAgo(0), "update-ref", "HEAD", none)
	git(daysAgo(0), "checkout", "-q", "--detach", all)
	confidence("no branch", 76)
	git(daysAgo(0), "-c", "core.logAllRefUpdates=false", "checkout", "-q", "--detach", none)
	confidence("no log", 80)
}

// git runs git in the repository at that time, and returns what it said.
func (s *stage) git(at time.Time, args ...string) string {
	s.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	c.Dir = s.root
	stamp := at.UTC().Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+stamp, "GIT_AUTHOR_DATE="+stamp, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := c.CombinedOutput()
	require.NoError(s.t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

func daysAgo(n int) time.Time { return time.Now().UTC().AddDate(0, 0, -n) }

// Two mems about one topic contradict each other until one of them ends.
func TestMemsOfOneTopic(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.file(".idumb/mems/a.json", `{"spec":{"content":"yes","topicKey":"Cookies"}}`)
	s.file(".idumb/mems/b.json", `{"spec":{"content":"no","topicKey":"cookies"}}`)
	s.start()
	defer s.end()
	conflict := func(want bool, names ...string) {
		t.Helper()
		for _, name := range names {
			s.eventually(name, func() bool { return strings.Contains(s.statuses()["mems/"+name+".json"], `"SameTopic"`) == want })
		}
		s.settled()
	}
	conflict(true, "a", "b")
	s.file(".idumb/mems/b.json", `{"spec":{"content":"no","topicKey":"cookies","purgedAt":"2026-01-01T00:00:00Z"}}`)
	conflict(false, "a", "b")
	// By the clock alone, too.
	s.file(".idumb/mems/b.json", fmt.Sprintf(`{"spec":{"content":"no","topicKey":"cookies","validTo":%q}}`, time.Now().Add(6*time.Second).UTC().Format(time.RFC3339)))
	conflict(true, "a", "b")
	conflict(false, "a", "b")
}
