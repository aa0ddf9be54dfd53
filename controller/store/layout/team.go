package layout

import (
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Tombstones is the directory in SyncFolder with a file KIND/NAME.json for each
// local delete request.
const Tombstones = "tombstones"

// Missing returns the shared objects that have no local file and no delete
// request, sorted. The next sync restores them.
func (r Root) Missing() (keys []resources.Key) {
	here := map[string][]string{}
	for _, key := range store.RestorableKeys(r.SyncFolder()) {
		names, read := here[key.Kind]
		if !read {
			names, _ = r.SpecNames(key.Kind)
			here[key.Kind] = names
		}
		if _, is := slices.BinarySearch(names, key.Name+".json"); !is && r.lacksObject(key) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return slices.Compact(keys)
}

// IsMissing reports whether Missing contains an object.
func (r Root) IsMissing(key resources.Key) bool {
	return slices.Contains(store.RestorableKeys(r.SyncFolder()), key) && r.lacksObject(key)
}

// lacksObject reports whether an object does not exist and has no delete request.
func (r Root) lacksObject(key resources.Key) bool {
	return !r.HasObject(key) && !exists(filepath.Join(r.SyncFolder(), Tombstones, key.Kind, key.Name+".json"))
}
