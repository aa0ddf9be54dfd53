package trust

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// governingFile is one file that says how agents are governed.
type governingFile struct {
	path string // from the repository's root
	sum  string
	err  error // why it cannot be read
}

// governing reads all of them. An error: a folder cannot be listed.
func governing(root layout.Root) ([]governingFile, error) {
	var files []governingFile
	var failed error
	for _, kind := range resources.Kinds() {
		if !admission.GoverningKind(kind) {
			continue
		}
		keys, err := keysOf(root, kind)
		failed = errors.Join(failed, err)
		for _, key := range keys {
			f := governingFile{path: layout.Path(key)}
			data, _, err := root.Read(f.path, layout.MaxSpec)
			if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrGone) {
				continue
			}
			f.sum, f.err = sumOf(data), err
			files = append(files, f)
		}
	}
	return files, failed
}

// Governing names the objects of the repository that govern, as far as they can be listed.
func Governing(root layout.Root) []resources.Key {
	var all []resources.Key
	for _, kind := range resources.Kinds() {
		if admission.GoverningKind(kind) {
			keys, _ := keysOf(root, kind)
			all = append(all, keys...)
		}
	}
	return all
}

// keysOf names the objects of a kind, as far as there is a folder of them.
func keysOf(root layout.Root, kind *resources.Kind) ([]resources.Key, error) {
	if kind.Single {
		return []resources.Key{{Kind: kind.Plural, Name: kind.Plural}}, nil
	}
	names, err := root.Names(layout.Folder(kind.Plural))
	var keys []resources.Key
	for _, file := range names {
		if name, ok := layout.ObjectName(file); ok {
			keys = append(keys, resources.Key{Kind: kind.Plural, Name: name})
		}
	}
	return keys, err
}
