package exchange

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// recordRestorable records in store.TeamFile which objects are restored if their
// files are missing, as far as this pass determined.
func (l *pass) recordRestorable() error {
	k, news := l.x.passState, map[resources.Key]bool{}
	if k.all || len(k.groups) != l.x.groups {
		for key := range l.x.base.entries {
			news[key] = l.putsBack(key)
		}
		for _, key := range store.RestorableKeys(l.x.Dir) {
			if _, looked := news[key]; !looked {
				news[key] = false // the object is deleted on both sides
			}
		}
		l.x.groups = len(k.groups)
	}
	for _, key := range l.keys {
		news[key] = l.putsBack(key)
	}
	return l.x.saveRestorable(news)
}

// putsBack reports whether an object is restored if its file is missing.
func (l *pass) putsBack(key resources.Key) bool {
	k, t, entry, base := l.x.passState, l.remote.objects[key], l.x.base.entries[key], ""
	if agreed := l.x.base.last(key); agreed != nil {
		base = agreed.sum
	}
	switch {
	case entry == nil || t.rejection != nil:
		return false
	case t.key == "":
		return entry.pending(base, "") != nil
	}
	return k.grouped || k.follows(key, t)
}

// saveRestorable updates store.TeamFile if news differs from it.
func (x *Exchange) saveRestorable(news map[resources.Key]bool) error {
	if x.restorable == nil {
		x.restorable = map[resources.Key]bool{}
		for _, key := range store.RestorableKeys(x.Dir) {
			x.restorable[key] = true
		}
	}
	changed := false
	for key, is := range news {
		if changed = changed || x.restorable[key] != is; is {
			x.restorable[key] = true
		} else {
			delete(x.restorable, key)
		}
	}
	if !changed {
		return nil
	}
	var lines strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(x.restorable), resources.Key.Compare) {
		lines.WriteString(key.String() + "\n")
	}
	return Replace(filepath.Join(x.Dir, store.TeamFile), []byte(lines.String()))
}

// LastVersion returns the last version of an object in a sync directory: an unpushed
// local version, or else the base version. It returns nil if there is none.
func LastVersion(dir string, key resources.Key) (text []byte, err error) {
	b, err := OpenBase(dir)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	e := b.entries[key]
	if e == nil {
		return nil, nil
	}
	if open := e.open(); len(open) > 0 {
		r, err := b.read(open[len(open)-1].position)
		return []byte(r.Ours), err
	}
	return b.text(key, b.last(key).sum)
}
