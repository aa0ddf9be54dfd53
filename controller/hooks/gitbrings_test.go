package hooks

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/resources/admission"
)

// TestCommitsThatChangeGovernance: commits are applied like writes of the files that they change. The user is asked
// about governed files and about what a user's plan loses, and about nothing else.
func TestCommitsThatChangeGovernance(t *testing.T) {
	base := effects.ResolveLinks(t.TempDir())
	root, home := filepath.Join(base, "repo"), filepath.Join(base, "home")
	const task = `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "dependsOn": ["a"]}}`
	commit := func(branch, file, text string) {
		name := filepath.Join(root, filepath.FromSlash(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		gitIn(t, root, "add", ".")
		gitIn(t, root, "commit", "-qm", branch)
	}
	require.NoError(t, os.MkdirAll(root, 0o755))
	require.NoError(t, os.MkdirAll(home, 0o755))
	gitIn(t, root, "init", "-q", "-b", "main")
	commit("first", "src/a.go", "package a\n")
	commit("plan", ".idumb/workplans/p.json", `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`)
	commit("config", ".idumb/config.json", `{"spec": {"mode": "enforce"}}`)
	commit("a", ".idumb/tasks/a.json", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	commit("t", ".idumb/tasks/t.json", task)
	for branch, change := range map[string][2]string{
		"code": {"src/b.go", "package a\n"}, "role": {".idumb/roles/free.json", `{"spec": {"level": 0}}`}, "rule": {".idumb/chainrules/r.json", "{}"},
		"trigger": {".idumb/triggers/x.json", "{}"}, "host": {".claude/settings.json", "{}"}, "more": {".idumb/tasks/new.json", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`},
		"less": {".idumb/tasks/t.json", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`},
	} {
		gitIn(t, root, "checkout", "-q", "-b", branch, "main")
		commit(branch, change[0], change[1])
		gitIn(t, root, "checkout", "-q", "main")
	}
	commit("later", "src/c.go", "package a\n")
	for line, asked := range map[string]bool{
		"git merge code": false, "git merge --no-ff -m 'x' more": false, "git rebase code": false, "git cherry-pick code": false, "git revert HEAD": false, "git merge --abort": false,
		"git merge no-such-branch": false, "git rebase --continue": false, "git merge": false,
		"git merge role": true, "git merge -q rule": true, "git merge code trigger": true, "git merge --squash host": true, "git rebase role": true, "git rebase --onto rule main": true,
		"git cherry-pick role": true, "git cherry-pick -n main..trigger": true, "git cherry-pick code^..code": false, "git cherry-pick less": true, "git merge less": true,
		"git revert HEAD~2": true, "git revert --no-edit HEAD~3..HEAD": true, "git -C . merge role": true, "cd src && git merge role": true, `git merge "$B"`: true, "git merge -s ours role": false,
		"git pull . role": true, "git pull --rebase ./ role:x": true, "cd src && git pull .. less": true, "git pull . code": false, "git pull origin role": false, "git pull .": false, "git pull": false,
	} {
		call, v, err := judge(root, home, line)
		require.NoError(t, err, line)
		assert.Equal(t, asked, v.Outcome == admission.AskPerson, "%s: %v %s", line, v.Outcome, v.Reason.Text())
		if asked {
			assert.Equal(t, "plan-commits", call.Gate.Rule, line)
		}
	}
}

// TestCheckoutsThatSetGovernanceBack: git keeps uncommitted changes if it checks a revision out. The user is asked if
// files that govern agents would change, or if a commit that is no branch has less of a user's plan.
func TestCheckoutsThatSetGovernanceBack(t *testing.T) {
	base := effects.ResolveLinks(t.TempDir())
	root, home := filepath.Join(base, "repo"), filepath.Join(base, "home")
	commit := func(file, text string) {
		name := filepath.Join(root, filepath.FromSlash(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		gitIn(t, root, "add", ".")
		gitIn(t, root, "commit", "-qm", file)
	}
	require.NoError(t, os.MkdirAll(root, 0o755))
	require.NoError(t, os.MkdirAll(home, 0o755))
	gitIn(t, root, "init", "-q", "-b", "main")
	commit(".idumb/workplans/p.json", `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`)
	gitIn(t, root, "branch", "unruled")
	commit(".idumb/config.json", `{"spec": {"mode": "enforce"}}`)
	gitIn(t, root, "branch", "less")
	gitIn(t, root, "tag", "v1")
	commit(".idumb/tasks/a.json", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	gitIn(t, root, "tag", "v2")
	commit("src/a.go", "package a\n")
	gitIn(t, root, "update-ref", "refs/remotes/origin/theirs", "unruled")
	require.NoError(t, os.WriteFile(filepath.Join(root, "src/a.go"), []byte("package a\n// changed\n"), 0o644))
	for line, rule := range map[string]string{
		"git checkout main": "", "git checkout less": "", "git switch less": "", "git checkout -b fix less": "", "git checkout --detach v2": "", "git switch --detach HEAD~1": "", "git checkout HEAD": "",
		"git checkout no-such": "", "git checkout -b topic": "", "git switch -c topic": "", "git reset --soft HEAD~1": "", "git reset HEAD~1": "", "git reset --keep HEAD~1": "git-discard-some", "git stash": "",
		"git checkout unruled": "plan-leaves", "git switch unruled": "plan-leaves", "git switch -c x unruled": "plan-leaves", "git checkout theirs": "plan-leaves", "git checkout --track origin/theirs": "plan-leaves",
		"git checkout v1": "plan-leaves", "git switch --detach v1": "plan-leaves", "git checkout -q --detach HEAD~2": "plan-leaves", "git checkout less~1": "plan-leaves", "git reset --keep v1": "plan-leaves",
		"git read-tree -m -u v1": "plan-leaves", "git read-tree -m -u HEAD v1": "plan-leaves", "git read-tree -n -m -u v1": "", "git read-tree --empty -n": "",
		"git reset --soft v1 && git stash": "plan-edits", "git reset -q v1; git stash push -u": "plan-edits", "git reset --soft v1 && git stash push -- src": "", "git reset --soft v1; git stash push -- . ':!.idumb'": "",
		"git reset --soft HEAD~1 && git stash": "", "git reset -q v2 && git checkout -- src/a.go": "git-discard-some", "git reset HEAD~1 && git restore .": "git-discard",
		"git fetch && git merge FETCH_HEAD": "", "git fetch origin && git rebase FETCH_HEAD": "", "git fetch origin main && git checkout FETCH_HEAD": "",
		"git fetch /tmp/copy main && git merge FETCH_HEAD": "plan-commits", "git fetch ../copy; git reset --keep FETCH_HEAD": "plan-commits", "git pull ../copy main": "plan-commits", "git pull file:///tmp/copy": "plan-commits",
		"git fetch . unruled && git merge FETCH_HEAD": "", "git pull origin main": "", "git pull https://example.com/a.git main": "",
	} {
		call, _, err := judge(root, home, line)
		require.NoError(t, err, line)
		assert.Equal(t, rule, call.Gate.Rule, "%s: %s", line, call.Gate.Because)
	}
}
