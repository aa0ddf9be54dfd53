package hooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

func TestATaskThatTurnsStaleIsTold(t *testing.T) {
	h := triggeredHouse(t, nil)
	h.wrote("a.go")
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}})
	prompt := func() string { return h.run(hosts.Event{Type: hosts.Prompt, Session: "s", Text: "go on"}).Context }
	assert.NotContains(t, prompt(), "turns stale at")
	at := time.Now().Add(216 * time.Minute)
	h.now = at
	assert.Contains(t, prompt(), `task "a" turns stale at`)
	assert.NotContains(t, prompt(), "turns stale at", "once")
}
