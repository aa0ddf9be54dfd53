package store

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// TeamFile lists the objects that sync restores if their files are missing, one
// KIND/NAME per line. It is in the sync directory of a working tree.
const TeamFile = "team.txt"

// RestorableKeys returns the objects that sync restores if their files are missing.
// It reads the TeamFile of the sync directory, which does not exist if objects are not shared.
func RestorableKeys(folder string) (keys []resources.Key) {
	if folder == "" { // not a git repository
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
