package daemon

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/searchindex"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// indexes reports whether mems came, went or changed.
func indexes(c controller.Change) bool { return c.Key.Kind == resources.Mems }

// indexAfter is how long a burst of changes is waited for: whoever recalls meanwhile
// analyses a few mems itself.
const indexAfter = 2 * time.Second

// keepIndex keeps the analysed terms of mems on disk for commands and hooks, until ctx
// ends. It sleeps while no mem changes.
func keepIndex(ctx context.Context, root string, source packer.Source, changed nudges) {
	for changed.wait(ctx, indexAfter) {
		index(layout.Root(root), source)
	}
}

// index analyses what has changed, and writes the index if that is worth it.
func index(root layout.Root, source packer.Source) {
	var documents []search.Document
	for _, key := range source.List(resources.Mems) {
		o, _ := source.Get(key)
		if m, ok := o.(*resources.Mem); ok {
			documents = append(documents, packer.DocumentOf(&packer.Mem{Object: m}))
		}
	}
	searchindex.Keep(root, search.New(searchindex.Read(root), documents))
}
