package trust

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// governingFile is one file that says how agents are governed.
type governingFile struct {
	path    string // from the repository's root
	sum     string
	content []byte
	err     error // why it cannot be read
}

// governing reads all of them. An error: a folder cannot be listed.
func governing(root layout.Root) (files []governingFile, failed error) {
	keys, failed := governingKeys(root)
	for _, key := range keys {
		f := governingFile{path: layout.Path(key)}
		data, _, err := root.Read(f.path, layout.MaxSpec)
		if !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrGone) {
			f.sum, f.content, f.err = sumOf(data), data, err
			files = append(files, f)
		}
	}
	return files, failed
}

// Governing names the objects of the repository that govern, as far as they can be listed.
func Governing(root layout.Root) []resources.Key {
	keys, _ := governingKeys(root)
	return keys
}

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
