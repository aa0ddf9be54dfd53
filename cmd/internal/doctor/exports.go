package doctor

import (
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// checkExports checks that the exports of sessions are readable and refer to existing files.
func (x *examination) checkExports() {
	for _, name := range x.entries(layout.ExportsDir) {
		file := layout.ExportsDir + "/" + name
		if strings.HasPrefix(name, layout.TempPrefix) {
			continue // reported by leftovers
		}
		e, err := hooks.ReadExport(x.root, name)
		if err != nil {
			x.file(file, err.Error(), "remove the file; the controller removes it after config.sessionCollectAfter")
			continue
		}
		if gone := e.Missing(x.root.HasObject); len(gone) > 0 {
			x.notice("%s refers to deleted resources: %s", file, strings.Join(gone, ", "))
		}
	}
}
