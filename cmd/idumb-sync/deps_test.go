package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program speaks with an etcd, and is none: its server is for tests and for what measures.
func TestWhatIsLinked(t *testing.T) {
	const script = "../../hack/syncgo"
	if _, err := os.Stat(script); err != nil {
		t.Skip("the module stands alone")
	}
	out, err := exec.Command(script, "list", "-deps", ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "go.etcd.io/etcd/client/v3\n")
	for _, not := range []string{"go.etcd.io/etcd/server", "go.etcd.io/bbolt", "github.com/idumb-dev/idumb/reconcilers", "github.com/stretchr/testify"} {
		assert.False(t, strings.Contains(string(out), "\n"+not), "it links %s", not)
	}
}
