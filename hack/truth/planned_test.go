package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/drive"
)

// TestHiddenPlans compares all programs that state what is planned: in each world all of them name
// the cause for which plans are not visible, or none does.
func TestHiddenPlans(t *testing.T) {
	bin, err := built()
	require.NoError(t, err)
	const plan = "idumb create workplan shop --title Shop --accept 'it works' --state active; idumb create task api --plan shop --expect 'it works'"
	const share = `git init -q --bare -b trunk ../remote.git; git remote add origin ../remote.git; idumb sync enable --plans; ` + plan + `; git add -A; git commit -qm world; git push -q -u origin trunk; idumb sync now; cd ..; git clone -q remote.git clone; cd clone; git config user.name Ben; git config user.email ben@example.com; idumb trust`
	for _, world := range []struct {
		name, script, dir, cause string
		silent                   []string // programs that state the cause only when asked
	}{
		{"nothing is planned", `:`, "main", "", nil},
		{"a plan of this worktree", plan, "main", "", nil},
		{"another worktree has a plan that is not committed", `git worktree add -q ../linked -b side; cd ../linked; ` + plan, "main", "plan shop is in the worktree ", nil},
		{"another worktree has a plan that is not merged", `git worktree add -q ../linked -b side; cd ../linked; ` + plan + `; git add -A; git commit -qm plan`, "main", "plan shop is in the worktree ", nil},
		{"both worktrees have plans", plan + `; git worktree add -q ../linked -b side; cd ../linked; ` + strings.NewReplacer("shop", "blog", "task api", "task post").Replace(plan), "main", "", nil},
		{"the team shares plans, and this clone does not", share, "clone", "the team shares its plans through refs/idumb/state", nil},
		{"the user declined the team's plans", share + `; idumb sync decline`, "clone", "you declined to follow them", []string{"add", "tree", "needs"}},
		{"the clone follows the team's plans", share + `; idumb sync enable --plans`, "clone", "", nil},
	} {
		t.Run(world.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, folder := range []string{"home", "main/src"} {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
			}
			repo := &drive.Repo{Dir: filepath.Join(dir, "main"), Bin: bin, Vars: []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "settings"), "HOME=" + filepath.Join(dir, "home"), "IDUMB_AUTOSTART=off", "GIT_CONFIG_NOSYSTEM=1", "LANG=C", "USER=ann"}}
			out, ok := repo.Shell(`unset CLAUDE_PROJECT_DIR; git init -q -b trunk; git config user.name Ann; git config user.email ann@example.com; echo text >src/api.go; idumb init --agent none; git add -A; git commit -qm start; ` + world.script)
			require.True(t, ok, out)
			repo.Dir = filepath.Join(dir, world.dir)
			r := &reading{T: t, repo: repo}
			r.client, err = repo.NewClient()
			require.NoError(t, err)
			t.Cleanup(func() { _ = r.client.Close() })
			said := map[string]string{"start": r.event("one", "SessionStart", map[string]any{"source": "startup"}).Context}
			for name, command := range map[string]string{"status": "idumb status", "page": "idumb status -o json", "doctor": "idumb doctor || :", "needs": "idumb get needs", "next": "idumb next", "tree": "idumb tree", "context": "idumb context", "dash": "timeout 3 idumb dash --plain || :"} {
				said[name], ok = repo.Shell(command)
				assert.True(t, ok, "%s: %s", name, said[name])
			}
			write := r.ask("one", "Write", map[string]any{"file_path": filepath.Join(repo.Dir, "src/api.go"), "content": "x"})
			said["write"] = write.Context + write.Reason
			said["tool"] = r.tool("one", "govern_task", map[string]any{"action": "status"}) + r.tool("one", "govern_plan", map[string]any{"action": "status"})
			said["add"], ok = repo.Shell("idumb add 'Another task'")
			assert.True(t, ok, said["add"])
			for name, text := range said {
				text = strings.Join(strings.Fields(text), " ")
				silent := world.cause == ""
				for _, other := range world.silent {
					silent = silent || name == other
				}
				states := strings.Contains(text, world.cause) && world.cause != ""
				for _, cause := range []string{"is in the worktree", "refs/idumb/state", "visible here", "not visible in this clone"} {
					states = states || strings.Contains(text, cause)
				}
				if name == "start" && !strings.Contains(text, "<") && !strings.Contains(text, "visible") {
					continue // without a controller the start of a session refers to idumb context
				}
				assert.Equal(t, !silent, states, "%s: %s", name, text)
			}
		})
	}
}
