package admission

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whoever may not import may not migrate either, and everybody may look at an export.
func TestMigratingIsImporting(t *testing.T) {
	d, ok := ownCommandOf(strings.Fields("idumb -C /x migrate hivemind"))
	assert.True(t, ok)
	assert.True(t, d.changes())
	assert.False(t, d.alwaysOpen())
	assert.Contains(t, d.spellings(), []string{"idumb", "import"})
	d, _ = ownCommandOf(strings.Fields("idumb export beads"))
	assert.True(t, d.alwaysOpen())
	assert.False(t, d.changes())
}
