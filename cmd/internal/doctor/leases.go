package doctor

import (
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/controller/leases"
)

// checkLeases reports files that are not valid leases. A lease without work has no effect, and the
// next start of the task replaces it.
func (x *examination) checkLeases() {
	book := leases.Open(x.root)
	_, broken := book.All()
	for _, name := range slices.Sorted(maps.Keys(broken)) {
		x.file(book.Folder()+"/"+name, "is not a valid task lease: "+broken[name].Error(), "remove the file; the next start of the task creates a new one")
	}
}
