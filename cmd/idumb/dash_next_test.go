package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// What came after a denial is the first record of that session for that task since then.
func TestNextAfterADenial(t *testing.T) {
	dir := t.TempDir()
	init := exec.Command("idumb", "init")
	init.Dir = dir
	out, err := init.CombinedOutput()
	require.NoError(t, err, "%s", out)
	log := filepath.Join(dir, layout.CheckpointsDir, "form.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(log), 0o755))
	require.NoError(t, os.WriteFile(log, []byte(`{"time":"2026-05-20T11:00:00Z","session":"s","tool":"edit","summary":"before"}
{"time":"2026-05-20T12:00:01Z","session":"other","tool":"edit","summary":"another's"}
{"time":"2026-05-20T12:00:02Z","session":"s","tool":"shell","command":"git push --force-with-lease"}
{"time":"2026-05-20T12:00:03Z","session":"s","tool":"edit","summary":"later"}
torn`), 0o600))
	h := &dashHost{app: &app{dir: dir}}
	at := resources.NewTime(time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC))
	next := h.Next(t.Context(), &resources.Event{Time: at, Violation: &resources.Violation{Session: "s", Task: "form"}})
	require.NotNil(t, next)
	assert.Equal(t, "git push --force-with-lease", next.Command)
	for _, v := range []resources.Violation{{Session: "nobody", Task: "form"}, {Session: "s", Task: "none"}, {Session: "s"}} {
		assert.Nil(t, h.Next(t.Context(), &resources.Event{Time: at, Violation: &v}), "%+v", v)
	}
}
