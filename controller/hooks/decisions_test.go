package hooks

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// What a script did to a decision is told when it has run: accepting one, and making one that is
// accepted. A proposal is nobody's business, and says whose it is.
func TestWhatAScriptDidToDecisionsIsJudged(t *testing.T) {
	h := newHouse(t)
	h.file("decisions/open", `{"spec": {"title": "O"}}`)
	h.file("decisions/held", `{"spec": {"title": "H", "state": "accepted"}}`)
	h.start()
	a := h.script("s", "1", func() {
		h.file("decisions/open", `{"spec": {"title": "O", "state": "accepted"}}`)
		h.file("decisions/new", `{"spec": {"title": "N", "state": "accepted"}}`)
		h.file("decisions/idea", `{"spec": {"title": "I"}}`)
	})
	assert.Contains(t, a.LateReason, "accept decision/open (a user decides, or a role whose tools.allow names decide)")
	assert.Contains(t, a.LateReason, "accept decision/new")
	assert.NotContains(t, a.LateReason, "idea")
	assert.Contains(t, h.reads("decisions/idea.json"), `"idumb.dev/made-by": "s"`)
}

// What a person lets run is agreed to by the call that they were asked about, and by no other.
func TestTheWordOfAPerson(t *testing.T) {
	h := newHouse(t)
	h.file("decisions/d", `{"spec": {"title": "D"}}`)
	h.file("decisions/e", `{"spec": {"title": "E"}}`)
	ask := func(session, command string) hosts.Answer {
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: session, Cwd: string(h.root), CallID: command, Tool: "Bash", Action: admission.Shell, Command: command})
	}
	may := func(session, decision string) bool { return MayDecide(h.root, session, nil, time.Now())(decision) }
	assert.False(t, may("s", "d"))
	require.NotEmpty(t, ask("s", "idumb decide accept d").Ask)
	assert.True(t, may("s", "d"))
	assert.False(t, may("s", "e"), "it is about the other one")
	assert.False(t, may("t", "d"), "it is somebody else's word")
	ask("t", "ls")
	assert.True(t, may("s", "d"), "another session takes nothing back")
	ask("s", "sh accept.sh")
	assert.False(t, may("s", "d"), "the next call was not asked about")
	require.NotEmpty(t, ask("s", "idumb decide reject e --reason no").Ask)
	assert.True(t, Backend{}.OpenGate(h.root, callers.Caller{Session: "s"}, nil, time.Now()).MayDecide("e"))
}

// A package manager and a manifest are met by what a decision avoids, whoever answers; what the manifest
// named before is not.
func TestWhatIsAvoidedDoesNotComeIn(t *testing.T) {
	h := newHouse(t)
	h.file("workplans/p", `{"spec": {"title": "P", "state": "active"}}`)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("decisions/dates", `{"spec": {"title": "Dates", "state": "accepted", "avoids": ["moment", "next@<16"], "uses": ["temporal"], "onViolation": "deny", "paths": ["web/**"]}}`)
	require.NoError(t, os.MkdirAll(h.root.Abs("web"), 0o755))
	require.NoError(t, os.MkdirAll(h.root.Abs("api"), 0o755))
	require.NoError(t, os.WriteFile(h.root.Abs("web/package.json"), []byte(`{"dependencies": {"moment": "^2"}}`), 0o644))
	shell := func(command string) hosts.Answer {
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Cwd: string(h.root), CallID: command, Tool: "Bash", Action: admission.Shell, Command: command})
	}
	for _, command := range []string{
		"cd web && npm install moment", "npm --prefix web i next@15", "(cd web; pnpm add moment) && ls", "sudo -n true; cd web; yarn add moment", "npm install --prefix web moment",
		`echo '{"dependencies": {"next": "^15.1.0"}}' > web/package.json`, "bash -c 'cd web && bun add moment'",
	} {
		assert.Contains(t, shell(command).Deny, `decision "dates" avoids it`, command)
	}
	for _, command := range []string{"cd api && npm install moment", "cd web && npm install next@16 dayjs", "cd web && npm ls moment", `echo '{"dependencies": {"moment": "^2"}}' > web/package.json`} {
		assert.NotContains(t, shell(command).Deny, "dates", command)
	}
}
