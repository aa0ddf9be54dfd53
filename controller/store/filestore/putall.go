package filestore

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// maxWriters is the number of files that are flushed concurrently. A file system
// journal commits concurrent requests together: eight at once take about a
// fifth of the sequential time.
const maxWriters = 8

// syncAllThreshold is the number of files from which the whole file system is flushed at
// once, if supported. That also flushes data of other processes, so a few files
// are flushed one by one.
const syncAllThreshold = 64

// PutAll is Put for many objects, each written completely or not at all. The
// contents of all objects are on disk before the first one gets its name. It
// returns one error per object, nil if it was written. See store.Tx.
func (tx *series) PutAll(list []store.Write, meanwhile func() error) []error {
	errs := make([]error, len(list))
	writes := make([]*write, len(list))
	for i, w := range list {
		writes[i], errs[i] = tx.prepare(w.Key, w.Spec, w.Rev)
	}
	var g errgroup.Group
	if syncsAll && len(list) >= syncAllThreshold {
		g.Go(func() error { temporaries(writes, errs); return nil })
	} else {
		g.SetLimit(maxWriters)
		for i, w := range writes {
			if errs[i] == nil {
				g.Go(func() error { errs[i] = w.temporary(); return nil })
			}
		}
	}
	var refused error
	if meanwhile != nil {
		refused = meanwhile()
	}
	g.Wait()
	for i, w := range writes {
		switch {
		case errs[i] != nil:
		case refused != nil:
			w.d.Remove(w.temp)
			errs[i] = refused
		default:
			errs[i] = tx.publish(w)
		}
	}
	return errs
}

// temporaries writes and flushes the temporary files of all writes without an
// error, with one flush per directory. It sets the errors of failed ones.
func temporaries(writes []*write, errs []error) {
	torn, synced := make([]string, len(writes)), map[*layout.OpenDir]error{}
	for i, w := range writes {
		if errs[i] == nil && !w.unchanged() {
			torn[i], errs[i] = writeUnflushed(w.d, w.spec, w.mode(), func(*os.File) error { return nil })
		}
	}
	for i, w := range writes {
		if torn[i] == "" {
			continue
		}
		if _, asked := synced[w.d]; !asked {
			synced[w.d] = syncAll(w.d)
		}
		if errs[i] == nil {
			errs[i] = synced[w.d]
		}
		if errs[i] == nil {
			errs[i] = w.d.Rename(torn[i], w.d, w.temp)
		}
		if errs[i] != nil {
			w.d.Remove(torn[i])
		}
	}
}

// write is one object to write: a target with its current version and its new
// content.
type write struct {
	target
	old  *version // current version; nil if none
	spec []byte
	temp string // file with spec until it gets its name
}

// prepare checks whether an object may replace that revision.
func (tx *series) prepare(key resources.Key, spec []byte, rev string) (*write, error) {
	t, err := tx.target(key)
	if err != nil {
		return nil, err
	}
	if len(spec) > layout.MaxSpec {
		return nil, fmt.Errorf("%s: %d bytes are too many for an object; at most %d are allowed", t.path(), len(spec), layout.MaxSpec)
	}
	w := &write{target: t, spec: spec}
	if rev == "" {
		if at, err := tx.targetOf(key); err == nil && at.exists() {
			return nil, fmt.Errorf("%s: %w", t.path(), store.ErrExists)
		}
		w.temp = tempName(t.name, nil, spec)
		return w, nil
	}
	if at, err := tx.targetOf(key); err == nil && at.folder != t.folder {
		// Changing a derived object makes it a spec. The derived object is kept
		// and is in effect again on a branch without the spec.
		if _, err := at.read(rev); err != nil {
			return nil, err
		}
		w.temp = tempName(t.name, nil, spec)
		return w, nil
	}
	old, err := t.read(rev)
	if err != nil {
		return nil, err
	}
	w.old, w.temp = &old, tempName(t.name, old.data, spec)
	return w, nil
}

// unchanged reports whether the file already has this content.
func (w *write) unchanged() bool { return w.old != nil && bytes.Equal(w.old.data, w.spec) }

// mode returns the mode of the file to replace, or 0 for a new one.
func (w *write) mode() fs.FileMode {
	if w.old == nil {
		return 0
	}
	return w.old.info.Mode.Perm()
}

// temporary writes and flushes the content under its temporary name.
func (w *write) temporary() error {
	if w.unchanged() {
		return nil
	}
	return writeDurably(w.d, w.temp, w.spec, w.mode())
}

// publish gives the temporary file its name.
func (tx *series) publish(w *write) error {
	switch {
	case w.unchanged():
		return nil
	case w.old == nil:
		tx.note(w.key, resources.Revision(w.spec))
		return tx.create(w)
	}
	tx.note(w.key, resources.Revision(w.spec))
	return tx.replace(w)
}
