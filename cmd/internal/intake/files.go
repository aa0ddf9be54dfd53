package intake

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// writers is how many files are written at a time: each waits for the disk, which flushes many at once.
const writers = 32

// writeOnce makes files of one folder below .idumb, by their names there, and returns the names of those that did not hold
// that already, once they are on disk. A dry run writes nothing.
func writeOnce(root layout.Root, folder string, files map[string][]byte, dry bool) (wrote []string, err error) {
	for name, data := range files {
		if there, _, err := root.Read(path.Join(folder, name), int64(len(data))+1); err != nil || !bytes.Equal(there, data) {
			wrote = append(wrote, name)
		}
	}
	slices.Sort(wrote)
	if dry || len(wrote) == 0 {
		return wrote, nil
	}
	d, err := root.Make(folder)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	sweep(d)
	var g errgroup.Group
	g.SetLimit(writers)
	for _, name := range wrote {
		g.Go(func() error { return d.ReplaceDurably(name, files[name], 0o600) })
	}
	return wrote, g.Wait()
}

// sweep removes what a run that was killed began to write into a folder. Nobody else writes there: the store's lock
// is held.
func sweep(d *layout.OpenDir) {
	names, _ := d.Names() // what cannot be listed stays
	for _, name := range names {
		if strings.HasPrefix(name, layout.TempPrefix) {
			d.Remove(name)
		}
	}
}
