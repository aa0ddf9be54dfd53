package layout

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Names in SyncFolder. TeamFile names the objects that the team and this clone were last seen to have, KIND/NAME in
// a line each, and Tombstones holds a file KIND/NAME.json for each object that somebody here asked to go.
const (
	TeamFile   = "team.txt"
	Tombstones = "tombstones"
)

// Missing returns the objects that the team has and that have no file here, though nobody here asked for them to go,
// sorted: the next exchange puts them back.
func (r Root) Missing() (keys []resources.Key) {
	here := map[string][]string{}
	for _, key := range TeamKeys(r.SyncFolder()) {
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
	return slices.Contains(TeamKeys(r.SyncFolder()), key) && r.lacks(key)
}

// lacks reports whether there is no object, and nobody here asked for it to go.
func (r Root) lacks(key resources.Key) bool {
	return !r.Stands(key) && !exists(filepath.Join(r.SyncFolder(), Tombstones, key.Kind, key.Name+".json"))
}

// TeamKeys reads the TeamFile in a folder. There is none where no objects are shared.
func TeamKeys(folder string) (keys []resources.Key) {
	if folder == "" { // there is no git
		return nil
	}
	data, _ := os.ReadFile(filepath.Join(folder, TeamFile))
	for line := range strings.Lines(string(data)) {
		kind, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "/")
		if _, known := resources.KindOf(kind); known && resources.CheckName(name) == nil {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	return keys
}
