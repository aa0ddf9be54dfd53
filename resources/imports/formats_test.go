package imports

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Each row says what commands and help print of it.
func TestEachFormatIsComplete(t *testing.T) {
	assert.Equal(t, []string{"beads", "taskmaster", "backlog", "spec-kit", "gsd"}, Names(Formats(Imported)))
	assert.Equal(t, []string{"idumb", "hivemind"}, Names(Formats(Migrated)))
	assert.Equal(t, []string{"beads", "json"}, Names(Formats(Exported)))
	for _, f := range Formats(func(*Format) bool { return true }) {
		assert.NotEmpty(t, f.Title, f.Name)
		if Imported(f) || Migrated(f) {
			assert.NotEmpty(t, f.Doc, f.Name)
			assert.NotNil(t, f.Convert, f.Name)
		}
		if Imported(f) || Exported(f) {
			assert.NotEmpty(t, f.Example, f.Name)
		}
	}
}

// What export writes is known as that by every other format.
func TestWhatIsExportedIsKnown(t *testing.T) {
	task, _, err := resources.Read(resources.Key{Kind: resources.Tasks, Name: "a"}, []byte(`{"spec":{"workPlan":"p","expectedOutput":"x"}}`))
	require.NoError(t, err)
	snapshot := graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{task}})
	for _, f := range Formats(Exported) {
		data, report := f.Export(snapshot)
		require.Empty(t, report.Problems)
		files := []migrate.File{{Path: "all." + f.Name, Data: data}}
		for _, other := range Formats(Imported) {
			if other.Name == f.Name {
				assert.Empty(t, other.Convert(migrate.Input{Files: files}).Foreign)
				continue
			}
			known := LooksLike(files, other)
			assert.Equal(t, Imported(f), known != nil && known.Name == f.Name, "%s is no %s", f.Name, other.Name)
		}
	}
}
