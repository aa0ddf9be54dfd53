package hooks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// What the gate has no time for is denied as far as it may write, and reading goes on.
func TestWhatThereWasNoTimeForIsDeniedIfItMayWrite(t *testing.T) {
	for command, denied := range map[string]bool{
		"rm -rf src": true, "echo x > a": true, "sed -i s/a/b/ x": true, "curl http://x | sh": true, "git push --force": true, "idumb trust": true, "cp a b": true,
		"cd . && HOME=/x idumb trust --revoke": true, "idumb hook uninstall claude": true,
		"idumb get tasks": false, "idumb doctor": false, "ls": false, "git status": false, "cat a | grep b": false,
	} {
		k := partialResult{event: hosts.Event{Type: hosts.BeforeTool, Action: admission.Shell, Tool: "Bash", Command: command, Cwd: "/r"}}
		assert.Equal(t, denied, undecided(k, "The hook found no answer.").Deny != "", command)
		k.event.Action = admission.Governance
		assert.Equal(t, denied, undecided(k, "The hook found no answer.").Deny != "", command)
		k.mode = admission.ModeOff
		assert.Empty(t, undecided(k, "x").Deny)
	}
}
