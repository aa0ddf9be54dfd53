package daemon

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/searchindex"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

func memsNamed(t *testing.T, n int) (objects []resources.Object, documents []search.Document) {
	for i := range n {
		key := resources.Key{Kind: resources.Mems, Name: fmt.Sprintf("m-%03d", i)}
		o, _, err := resources.Read(key, fmt.Appendf(nil, `{"metadata": {"name": "%s"}, "spec": {"content": "login %d"}}`, key.Name, i))
		require.NoError(t, err)
		o.Source().Revision = "1" // as whoever reads it from a file
		objects = append(objects, o)
		documents = append(documents, packer.DocumentOf(&packer.Mem{Object: o.(*resources.Mem)}))
	}
	return objects, documents
}

func TestTheIndexIsKeptForCommands(t *testing.T) {
	root := layout.Root(t.TempDir())
	_, err := root.Make(layout.RunDir)
	require.Error(t, err, ".idumb is never made")
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o700))
	objects, documents := memsNamed(t, 100)
	index(root, resources.NewSnapshot(resources.SnapshotInput{Objects: objects, Now: time.Now()}))
	kept := searchindex.Read(root)
	require.NotEmpty(t, kept)
	assert.False(t, search.New(kept, documents).Stale(), "a command need analyse nothing")
}
