package gitengine

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/enginetest"
)

func TestItIsAnEngine(t *testing.T) {
	enginetest.Run(t, func(t *testing.T, machines int) []engine.Engine {
		hub := t.TempDir()
		run(t, hub, "init", "-q", "--bare")
		var team []engine.Engine
		for range machines {
			team = append(team, clone(t, hub))
		}
		return team
	}, 4)
}

func clone(t *testing.T, hub string) *Engine {
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	return &Engine{Dir: dir, Remote: hub}
}

func run(t *testing.T, dir string, args ...string) string {
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return string(out)
}
