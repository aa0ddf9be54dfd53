//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is a call of a script that does something with the plan's files.
func (p *project) script(does func()) answer {
	p.t.Helper()
	require.Empty(p.t, p.bash("python3 tidy.py").reason)
	does()
	return p.tool("PostToolUse", "Bash", map[string]any{"command": "python3 tidy.py"})
}

// removesAll is what an agent in a hurry does that was denied.
func (p *project) removesAll() {
	files, err := filepath.Glob(filepath.Join(p.root, ".idumb/*/*.json"))
	require.NoError(p.t, err)
	for _, file := range files {
		if dir := filepath.Base(filepath.Dir(file)); dir == "tasks" || dir == "workplans" {
			require.NoError(p.t, os.Remove(file))
		}
	}
}

// aloneAndAsked plays a scene with hooks alone, and with a controller that is asked. On a machine that
// is short of time a controller may not answer every call: then the scene is played again.
func aloneAndAsked(t *testing.T, play func(p *project) (last answer), says string, more func(*testing.T, *project)) {
	t.Run("alone", func(t *testing.T) {
		p := newProject(t)
		assert.Contains(t, play(p).hold, says)
		more(t, p)
	})
	t.Run("asked", func(t *testing.T) {
		for range 10 {
			p := starting(t)
			p.session("s")
			ledger := filepath.Join(p.root, ".idumb/run/specs")
			require.Eventually(t, func() bool {
				_ = os.Remove(ledger)
				p.bash("true")
				_, err := os.Stat(ledger)
				return err != nil
			}, 20*time.Second, 20*time.Millisecond, "nobody answers")
			a := play(p)
			if _, err := os.Stat(ledger); err == nil {
				p.stopController()
				continue
			}
			assert.Contains(t, a.hold, says)
			more(t, p)
			return
		}
		t.Fatal("the controller never answered all calls")
	})
}

// With a controller and without one, a script that removes the plan is told of, and opens nothing.
func TestAScriptThatRemovesThePlanOpensNothing(t *testing.T) {
	aloneAndAsked(t, func(p *project) answer {
		require.Equal(t, "deny", p.wants("src/a.go").decision)
		return p.script(p.removesAll)
	}, "remove task/db-schema", func(t *testing.T, p *project) {
		assert.Equal(t, "deny", p.wants("src/a.go").decision)
		mark := filepath.Join(p.root, ".idumb/quarantine/tasks/db-schema.json")
		require.Eventually(t, func() bool { _, err := os.Stat(mark); return err == nil }, 20*time.Second, 10*time.Millisecond, "the quiet period is over")
		assert.Equal(t, "deny", p.wants("src/a.go").decision)
		assert.Contains(t, p.ask("UserPromptSubmit", map[string]any{"prompt": "go on"}).stdout, "changed your plan", "the user is told at the next prompt")
	})
}

// So it is with a dependency that a script drops.
func TestAScriptThatLoosensThePlanIsTold(t *testing.T) {
	aloneAndAsked(t, func(p *project) answer {
		assert.Empty(t, p.script(func() {}).hold)
		return p.script(func() {
			p.write(".idumb/tasks/login-form.json", `{"spec": {"workPlan": "user-auth", "expectedOutput": "a form"}}`)
		})
	}, "drop a dependency of task/login-form", func(*testing.T, *project) {})
}
