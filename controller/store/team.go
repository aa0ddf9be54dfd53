package store

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// TeamFile names, among the notes of a working tree's exchange, the objects that are put back here where their files
// go missing, KIND/NAME in a line each: what the team was last seen to have, and what is to go to it.
const TeamFile = "team.txt"

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
