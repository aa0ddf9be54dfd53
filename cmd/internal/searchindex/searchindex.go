// Package searchindex keeps the analysed terms of mems below .idumb/run, so that a recall
// or a pack need not analyse all of them again. What is kept may be deleted at any time:
// it changes how long an answer takes, and nothing else.
package searchindex

import (
	"path"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer/search"
)

// maxIndex is the size, in bytes, from which a kept index is not read: a hundred times
// what ten thousand mems take.
const maxIndex = 1 << 29

// Read returns what was kept, for search.New or packer.Reader.Index; nil if there is
// nothing that can be read.
func Read(root layout.Root) []byte {
	data, _, err := root.Read(layout.SearchIndex, maxIndex)
	if err != nil {
		return nil
	}
	return data
}

// Map is Read for a process that answers one question and ends: the bytes are not copied,
// and stay in memory until it ends. Who cuts the file short meanwhile, which iDumb never
// does, ends the process.
func Map(root layout.Root) []byte {
	d, err := root.Open(path.Dir(layout.SearchIndex))
	if err != nil {
		return nil
	}
	defer d.Close()
	data, err := d.Map(path.Base(layout.SearchIndex), maxIndex)
	if err != nil {
		return nil
	}
	return data
}

// Keep writes an index if what was kept is too old to be of use. Call it once the answer
// is out. That it cannot be written (a disk that is full or read-only, no .idumb) costs
// time at the next question, no more. It takes no lock: the last one wins.
func Keep(root layout.Root, x *search.Index) {
	if !x.Stale() {
		return
	}
	d, err := root.Make(path.Dir(layout.SearchIndex))
	if err != nil {
		return
	}
	defer d.Close()
	temp := layout.TempName()
	if err := d.Write(temp, x.Bytes(), 0o600); err != nil {
		d.Remove(temp)
		return
	}
	if err := d.Rename(temp, d, path.Base(layout.SearchIndex)); err != nil {
		d.Remove(temp)
	}
}
