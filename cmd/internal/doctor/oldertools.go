package doctor

import (
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/importfiles"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// checkOlderTools reports data of older tools that was not migrated yet.
func (x *examination) checkOlderTools() {
	found, err := importfiles.Find(string(x.root), imports.Formats(imports.Migrated))
	if err != nil {
		x.notice("cannot read data of older tools: %v", err)
		return
	}
	for _, s := range found {
		if !s.Format.Moves && len(s.Format.Convert(migrate.Input{Files: s.Files, Get: importfiles.WithArchive(x.root, x.lookup)}).Objects) == 0 {
			continue // fully migrated
		}
		x.notice("%s", s.Advice())
	}
}

// migrated reports whether a file or directory of .idumb belongs to an older version, or is a
// backup of such a file. It is not reported as a problem.
func migrated(folder, name string) bool {
	if folder == layout.Dir && (name == "brain" || name == "state.json") {
		return true
	}
	stem, number, numbered := strings.Cut(name, ".json.bak")
	return stem != "" && (numbered && (number == "" || strings.HasPrefix(number, "."))) && (folder == layout.Dir || folder == layout.Dir+"/sessions" || folder == layout.Dir+"/anchors")
}
