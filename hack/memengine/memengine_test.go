package memengine

import (
	"testing"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/enginetest"
)

func TestItIsAnEngine(t *testing.T) {
	enginetest.Run(t, func(_ *testing.T, machines int) []engine.Engine {
		var one Engine
		team := make([]engine.Engine, machines)
		for i := range team {
			team[i] = &one
		}
		return team
	}, 100)
}
