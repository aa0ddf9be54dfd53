//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What decides how agents are held is refused below an agent's host, by whatever name or link the
// program is started, and whatever the environment says.
func TestAnAgentDoesNotDecideHowItIsHeld(t *testing.T) {
	c := newCompany(t, "a")
	c.write(".idumb/roles/executor.json", `{"spec":{"paths":{"write":["src/**"]}}}`)
	agent := c.join("claude", "s1", c.root)
	link := filepath.Join(t.TempDir(), "idumb") // the test's program goes by its name
	for _, start := range []string{"idumb", `ln -sf "$(command -v idumb)" ` + link + ` && ` + link, `env -i PATH="$PATH" HOME="$HOME" idumb`} {
		for _, line := range []string{"trust", "untrust", "trust --revoke", "get grants", "controller kubeconfig", "hook install claude", "hook uninstall claude", "uninstall --yes", "onboard --yes", "onboard --undo", "sync decline", "sync disable", "sync enable --plans", "allow s1", "allow --list", "allow --fine s1", `patch role/executor -p '{"spec":{"paths":{"write":["**"]}}}'`, `delete role/executor`} {
			o := agent.run("", "sh", "-c", start+" "+line)
			assert.NotZero(t, o.Code, "%s %s: %s", start, line, o.Out)
			assert.Contains(t, o.Err, "only a user can", "%s %s", start, line)
		}
	}
	data, err := os.ReadFile(filepath.Join(c.root, ".idumb/roles/executor.json"))
	require.NoError(t, err)
	assert.Contains(t, string(data), "src/**")
	assert.Zero(t, c.idumb(c.root, "patch", "role/executor", "-p", `{"spec":{"paths":{"write":["lib/**"]}}}`).Code, "a user does")
}
