package doctor

import (
	"context"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
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
