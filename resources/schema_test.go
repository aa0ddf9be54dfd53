package resources_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// The schema of a task, as it stands in people's repositories: a change of it is
// seen by their editors. IDUMB_UPDATE=1 writes it anew.
func TestSchemaOfATask(t *testing.T) {
	kind, _ := resources.KindOf(resources.Tasks)
	golden := filepath.Join("testdata", "task.schema.json")
	if os.Getenv("IDUMB_UPDATE") != "" {
		require.NoError(t, os.WriteFile(golden, resources.Schema(kind), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(resources.Schema(kind)))
}

func TestExplainOfADeadEnd(t *testing.T) {
	_, err := resources.Explain("task.spec.planAhead.x", false)
	assert.EqualError(t, err, `field "spec.planAhead.x" does not exist; boolean has: no fields`)
}
