package doctor

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// checkLeases reports files that are not valid leases, and leases that protect no work.
func (x *examination) checkLeases() {
	book := leases.Open(x.root)
	all, broken := book.All()
	for _, name := range slices.Sorted(maps.Keys(broken)) {
		x.file(book.Folder()+"/"+name, "is not a valid task lease: "+broken[name].Error(), "remove the file; the next start of the task creates a new one")
	}
	var idle []string
	for _, l := range all {
		if x.orphaned(book, l) {
			idle = append(idle, l.Metadata.Name)
		}
	}
	if len(idle) > 0 {
		x.notice("unused leases in %s, whose tasks have no agent: %s; you can remove them", book.Folder(), strings.Join(idle, ", "))
	}
}

// orphaned reports whether the working tree of a lease was deleted, or its task is not active in
// this one.
func (x *examination) orphaned(book leases.Leases, l *resources.Lease) bool {
	if l.InOtherClone() || l.Ended() != "" { // removed by the next sync with the team
		return false
	}
	if !book.IsHere(l.Spec.Holder) {
		_, err := os.Lstat(layout.Root(l.Spec.Holder.Worktree).Abs(layout.Dir))
		return os.IsNotExist(err)
	}
	o, _ := x.lookup(resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name})
	t, ok := o.(*resources.Task)
	return !ok || t.Metadata.UID != l.Metadata.UID || resources.TaskState(t) != resources.TaskActive
}
