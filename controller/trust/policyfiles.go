package trust

import (
	"errors"
	"path"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// governingFile is a file that defines how agents are governed.
type governingFile struct {
	path    string // relative to the repository's root
	sum     string
	content []byte // nil if the hash is cached
	info    layout.Info
	err     error // read error
}

// cachedHash is the cached hash of a governing file, valid while the file is
// unchanged.
type cachedHash struct {
	info layout.Info
	sum  string
}

// readGoverning reads all governing files. For unchanged files it returns only the
// hash cached in last, which may be nil. It returns an error if a directory
// cannot be listed.
func readGoverning(root layout.Root, last *Last) (files []governingFile, failed error) {
	keys, failed := governingKeys(root)
	known := last.cached()
	for len(keys) > 0 {
		folder := layout.Folder(keys[0].Kind)
		n := slices.IndexFunc(keys, func(key resources.Key) bool { return layout.Folder(key.Kind) != folder })
		if n < 0 {
			n = len(keys)
		}
		files = appendFiles(files, root, folder, keys[:n], known)
		keys = keys[n:]
	}
	last.remember(known, files)
	return files, failed
}

// appendFiles reads files of one directory. It opens the directory once,
// because it runs at each prompt.
func appendFiles(files []governingFile, root layout.Root, folder string, keys []resources.Key, known map[string]cachedHash) []governingFile {
	d, failed := root.Open(folder)
	if failed == nil {
		defer d.Close()
	}
	for _, key := range keys {
		f := governingFile{path: layout.Path(key), err: failed}
		if before, ok := known[f.path]; ok && failed == nil {
			if info, err := d.Info(path.Base(f.path)); err == nil && info.Equal(before.info) {
				f.sum, f.info = before.sum, before.info
				files = append(files, f)
				continue
			}
		}
		if failed == nil {
			f.content, f.info, f.err = d.Read(path.Base(f.path), layout.MaxSpec)
		}
		if !errors.Is(f.err, store.ErrNotFound) && !errors.Is(f.err, store.ErrGone) {
			f.sum = sumOf(f.content)
			files = append(files, f)
		}
	}
	return files
}

// Governing returns the keys of the repository's governing objects, as far as
// they can be listed.
func Governing(root layout.Root) []resources.Key {
	keys, _ := governingKeys(root)
	return keys
}

// governingKeys returns the keys of all objects whose kind governs agents, from
// the names of their files. It returns the readable part and an error if a
// directory cannot be listed.
func governingKeys(root layout.Root) (keys []resources.Key, failed error) {
	for _, kind := range resources.Kinds() {
		switch {
		case !admission.GoverningKind(kind):
		case kind.Single:
			keys = append(keys, resources.Key{Kind: kind.Plural, Name: kind.Plural})
		default:
			names, err := root.Names(layout.Folder(kind.Plural))
			failed = errors.Join(failed, err)
			for _, file := range names {
				if name, ok := layout.ObjectName(file); ok {
					keys = append(keys, resources.Key{Kind: kind.Plural, Name: name})
				}
			}
		}
	}
	return keys, failed
}
