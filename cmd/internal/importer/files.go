package importer

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// writers is the number of concurrent file writers: each waits for the disk, which flushes many
// files at once.
const writers = 32

// writeOnce writes files into one directory below .idumb. It returns the names of the files with
// new content, after they are on disk. A dry run writes nothing.
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

// sweep removes temporary files of a killed run. The store's lock is held, so no other process
// writes into the directory.
func sweep(d *layout.OpenDir) {
	names, _ := d.Names() // files that cannot be listed are kept
	for _, name := range names {
		if strings.HasPrefix(name, layout.TempPrefix) {
			d.Remove(name)
		}
	}
}
