package importer

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
)

// Everything that a migration made goes out as JSON and comes back as it was.
func TestJSONGoesOutAndComesBack(t *testing.T) {
	for seed := range uint64(6) {
		root, other := t.TempDir(), t.TempDir()
		m := migratetest.NewMutator(seed)
		lay(t, filepath.Join(root, ".idumb"), m.Files(older(t, "idumb")))
		lay(t, filepath.Join(root, ".hivemind"), m.Files(older(t, "hivemind")))
		migrateAll(t, root, false)
		require.NoError(t, os.Mkdir(filepath.Join(other, ".idumb"), 0o755))
		ctx := context.Background()
		snap, err := open(t, root, false).Store.Load(ctx, time.Now())
		require.NoError(t, err)
		data, report := formatOf(t, "json").Export(snap)
		require.Empty(t, report.Problems)
		require.True(t, json.Valid(data))
		var documents []mutate.Manifest
		for d, err := range mutate.SplitManifests("all.json", data) {
			require.NoError(t, err)
			documents = append(documents, d)
		}
		applied, err := open(t, other, false).Apply(ctx, documents, mutate.CreateOrReplace)
		require.NoError(t, err)
		for _, a := range applied {
			require.NoError(t, a.Err, "%s", a.Document.Key)
		}
		again, err := open(t, other, false).Store.Load(ctx, time.Now())
		require.NoError(t, err)
		for _, key := range report.Created {
			was, _ := snap.Get(key)
			is, found := again.Get(key)
			require.True(t, found, "%s", key)
			assert.Equal(t, plain(t, was), plain(t, is), "%s", key)
		}
	}
}

// plain is an object's text without what the first command that creates it assigns.
func plain(t *testing.T, o resources.Object) string {
	t.Helper()
	copied := resources.Clone(o)
	copied.Head().Metadata.UID, copied.Head().Metadata.CreationTimestamp = "", resources.Time{}
	data, err := resources.Encode(copied)
	require.NoError(t, err)
	return string(data)
}
