package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whoever may not import may not migrate either, and everybody may look at an export.
func TestMigratingIsImporting(t *testing.T) {
	d, ok := ownCommandIn("idumb -C /x migrate hivemind")
	assert.True(t, ok)
	assert.True(t, d.changes())
	assert.False(t, d.alwaysOpen())
	assert.Contains(t, d.spellings(), "idumb import")
	d, _ = ownCommandIn("idumb export beads")
	assert.True(t, d.alwaysOpen())
	assert.False(t, d.changes())
}
