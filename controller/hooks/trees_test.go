package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// trees makes a repository with two linked working trees, each with its own copy of a plan with the tasks a, b and c.
func trees(t *testing.T) (main, one, two *house) {
	t.Helper()
	main = newHouse(t)
	git := func(args ...string) {
		out, err := exec.Command("git", append([]string{"-C", string(main.root), "-c", "user.name=n", "-c", "user.email=e@x"}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	for _, task := range []string{"a", "b", "c"} {
		main.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	base := t.TempDir()
	tree := func(name string) *house {
		git("worktree", "add", "-q", filepath.Join(base, name))
		return &house{t, layout.Root(filepath.Join(base, name)), main.now}
	}
	return main, tree("one"), tree("two")
}

// writeFrom judges a write of a file by an agent whose session h governs and that works in cwd.
func (h *house) writeFrom(cwd layout.Root, file string) string {
	h.now = h.now.Add(time.Second)
	e := hosts.Event{Host: "claude", Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{file}, Cwd: string(cwd)}
	return (&handler{repo: openPacking(h.root, trusting(layout.Root(filepath.Dir(string(h.root)))), h.now), env: trusting(layout.Root(filepath.Dir(filepath.Dir(string(h.root))))), event: e, limit: 10000}).handle().Deny
}

// A file in another working tree is judged by that tree's plans, and what governs there is governed from everywhere.
func TestPlansOfEachWorkingTree(t *testing.T) {
	const active = `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`
	main, one, two := trees(t)
	main.file("tasks/a", active)
	one.file("tasks/b", active)

	assert.Empty(t, main.writeFrom(main.root, main.root.Abs("src/a.go")), "a is active here")
	assert.Empty(t, main.writeFrom(main.root, one.root.Abs("src/a.go")), "b is active there")
	assert.Empty(t, one.writeFrom(one.root, main.root.Abs("src/a.go")))
	assert.Empty(t, one.writeFrom(one.root, "src/a.go"))

	denied := main.writeFrom(main.root, two.root.Abs("src/a.go"))
	assert.Contains(t, denied, "You tried to use \"Write\" on "+string(two.root)+"/src/a.go but you have no active task.")
	assert.Contains(t, denied, "USE INSTEAD: Run `idumb -C "+string(two.root)+" start c`, then write.", "a and b are held in other trees")
	assert.Contains(t, denied, "the plans of the working tree "+string(two.root)+" judge its files")
	two.file("tasks/c", active)
	assert.Empty(t, main.writeFrom(main.root, two.root.Abs("src/a.go")), "as the denial says")

	two.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "paths": ["docs/**"]}}`)
	assert.Contains(t, one.writeFrom(one.root, two.root.Abs("src/a.go")), `outside task "c"`)
	assert.Empty(t, one.writeFrom(one.root, two.root.Abs("docs/a.md")))

	for _, file := range []string{".idumb/config.json", ".idumb/tasks/a.json", ".idumb/run/x", ".claude/settings.json", ".git/hooks/pre-commit", ".git/config"} {
		assert.Contains(t, one.writeFrom(one.root, main.root.Abs(file)), "that file is governed", file)
	}
	assert.Contains(t, main.writeFrom(main.root, one.root.Abs(".idumb/tasks/b.json")), "USE INSTEAD: Change the object that governs you: `idumb patch task b ")
	assert.Contains(t, main.writeFrom(main.root, one.root.Abs(".claude/settings.json")), "that file is governed")
}

// A session that its host keeps in one project works in another working tree by the project's plans: a subagent in a
// tree of its own, or an agent that changed its directory.
func TestTheProjectGovernsTheTreeThatItsSessionWorksIn(t *testing.T) {
	main, one, _ := trees(t)
	env := environment{layout.ProjectVariable + "=" + string(main.root)}
	root, err := findRoot(env, string(one.root), string(one.root))
	require.NoError(t, err)
	assert.Equal(t, main.root, root)

	denied := main.writeFrom(one.root, one.root.Abs("src/a.go"))
	assert.Contains(t, denied, "src/a.go but you have no active task")
	assert.NotContains(t, denied, "idumb -C", "the CLI finds the project as well")
	main.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	assert.Empty(t, main.writeFrom(one.root, one.root.Abs("src/a.go")))
	assert.Contains(t, main.writeFrom(one.root, one.root.Abs(".idumb/tasks/a.json")), "another working tree", "its plans do not govern the session")
}

// The shell of an agent finds the root that governs its session, also where no variable names it.
func TestTheShellOfAnAgentFindsItsRoot(t *testing.T) {
	main, one, two := trees(t)
	own := process.Host(os.Getpid())
	if own == nil {
		t.Skip("processes cannot be told apart here")
	}
	assert.Equal(t, one.root, callers.Governing(one.root, os.Getpid()), "no agent is known")
	require.NoError(t, callers.RecordAgent(main.root, callers.Agent{Process: *own, Session: "s"}))
	assert.Equal(t, layout.Root(followed(t, main.root)), callers.Governing(one.root, os.Getpid()))
	agent, found := callers.AgentOf(one.root, os.Getpid())
	assert.True(t, found && agent.Session == "s", "it is an agent in each of the trees")
	require.NoError(t, callers.RecordAgent(two.root, callers.Agent{Process: *own, Session: "s2"}))
	assert.Equal(t, two.root, callers.Governing(two.root, os.Getpid()), "its own tree's record comes first")
}

func followed(t *testing.T, root layout.Root) string {
	real, err := filepath.EvalSymlinks(string(root))
	require.NoError(t, err)
	return real
}

// An agent that runs idumb in another repository is an agent there as well, whichever way it gets there.
func TestAnAgentIsOneInAnotherRepository(t *testing.T) {
	own := process.Host(os.Getpid())
	if own == nil {
		t.Skip("processes cannot be told apart here")
	}
	for _, line := range []string{"idumb -C %s complete a", "cd %s && idumb abandon a --reason x", "idumb complete a -C%s", "(cd %s/sub; idumb delete task a)"} {
		h, other := newHouse(t), newHouse(t)
		require.NoError(t, os.Mkdir(other.root.Abs("sub"), 0o755))
		line = fmt.Sprintf(line, other.root)
		_, found := callers.AgentOf(other.root, os.Getpid())
		require.False(t, found)
		e := hosts.Event{Host: "claude", Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: line, Cwd: string(h.root)}
		(&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, pid: os.Getpid, limit: 10000}).handle()
		_, found = callers.AgentOf(other.root, os.Getpid())
		assert.True(t, found, line)
	}
	h := newHouse(t)
	for line, denied := range map[string]bool{
		`idumb -C "$D" complete a --evidence x`: true, `cd "$D" && idumb start a`: true, `cd "$D" && idumb status`: false, `idumb -C "$D" get tasks`: false,
		fmt.Sprintf(`cd "$D"; idumb -C %s comment task/a hi`, h.root): false,
	} {
		answer := h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: line})
		assert.Equal(t, denied, strings.Contains(answer.Deny, "cannot be determined before it runs"), "%s: %s", line, answer.Deny)
	}
}
