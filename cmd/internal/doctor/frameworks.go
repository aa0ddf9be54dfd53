package doctor

import (
	"context"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/importer"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// listTimeout is the timeout for git to list the files: a .gitignore that is a pipe blocks it forever.
const listTimeout = 3 * time.Second

// checkFrameworks reports several planning frameworks if the config selects none of them.
func (x *examination) checkFrameworks() {
	ctx, cancel := context.WithTimeout(context.Background(), listTimeout)
	defer cancel()
	files, err := inventory.List(ctx, x.root)
	if err != nil {
		return // the frameworks are unknown without a list of files
	}
	found := documents.Frameworks(files)
	config, _ := x.root.Object(resources.Key{Kind: resources.Configs, Name: resources.ConfigName}, layout.Dir+"/config.json").(*resources.Config)
	primary := resources.EffectiveConfig(config).Planning.Primary
	if _, open := documents.FrameworkInUse(found, primary); !open {
		return
	}
	names := documents.Planning(found)
	x.notice("several planning frameworks exist (%s) and none is selected: their documents are not used as plans; "+
		`select one: idumb patch config -p '{"spec":{"planning":{"primary":"%s"}}}'`, strings.Join(names, ", "), names[0])
}

// checkOlderTools reports data of older tools that was not migrated yet.
func (x *examination) checkOlderTools() {
	found, err := importer.Find(string(x.root), imports.Formats(imports.Migrated))
	if err != nil {
		x.notice("cannot read data of older tools: %v", err)
		return
	}
	for _, s := range found {
		if !s.Format.Moves && len(s.Format.Convert(migrate.Input{Files: s.Files, Get: importer.WithArchive(x.root, x.lookup)}).Objects) == 0 {
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
