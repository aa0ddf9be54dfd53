package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestUpgradeAdvice(t *testing.T) {
	root := layout.Root(t.TempDir())
	assert.Empty(t, upgradeAdvice(root, "v1.3.0"), "without settings")
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root.Abs(layout.Dir), "config.json"), []byte(`{"spec": {"mode": "unheard-of", "minVersion": "1.4.0"}}`), 0o644))
	assert.Equal(t, "this repository requires idumb 1.4.0 or later, this is v1.3.0", upgradeAdvice(root, "v1.3.0"))
	assert.Empty(t, upgradeAdvice(root, "v1.4.2"))
	assert.Empty(t, upgradeAdvice(root, "devel"))
}
