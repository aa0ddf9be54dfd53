package layout

import (
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Tombstones holds, in SyncFolder, a file KIND/NAME.json for each object that somebody here asked to go.
const Tombstones = "tombstones"

// Missing returns the objects that the team has and that have no file here, though nobody here asked for them to go,
// sorted: the next exchange puts them back.
func (r Root) Missing() (keys []resources.Key) {
	here := map[string][]string{}
	for _, key := range store.TeamKeys(r.SyncFolder()) {
		names, read := here[key.Kind]
		if !read {
			names, _ = r.SpecNames(key.Kind)
			here[key.Kind] = names
		}
		if _, is := slices.BinarySearch(names, key.Name+".json"); !is && r.lacks(key) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return slices.Compact(keys)
}

// IsMissing reports whether an object is among Missing.
func (r Root) IsMissing(key resources.Key) bool {
	return slices.Contains(store.TeamKeys(r.SyncFolder()), key) && r.lacks(key)
}

// lacks reports whether there is no object, and nobody here asked for it to go.
func (r Root) lacks(key resources.Key) bool {
	return !r.Stands(key) && !exists(filepath.Join(r.SyncFolder(), Tombstones, key.Kind, key.Name+".json"))
}
