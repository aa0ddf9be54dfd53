package etcdengine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/enginetest"
)

func TestItIsAnEngine(t *testing.T) {
	server := etcdtest.Start(t, nil)
	teams := 0
	enginetest.Run(t, func(t *testing.T, machines int) []engine.Engine {
		teams++
		team := make([]engine.Engine, machines)
		for i := range team {
			e, err := New(server.Client(t), "acme", "shop-"+string(rune('a'+teams)), File(t.TempDir()+"/etcd.json"))
			require.NoError(t, err)
			team[i] = e
		}
		return team
	}, 100)
}
