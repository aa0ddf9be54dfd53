package filestore

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// unranked is the rank of an object that no index knows.
const unranked = -1

// ranked collects the objects of a folder, which come in no order, in the order of
// their names. For those that the index knows it says where they belong; only the
// others are sorted.
type ranked struct {
	placed []resources.Object // by their rank in the index; nil: gone or changed
	others []resources.Object
}

func (r *ranked) put(o resources.Object, rank int) {
	if rank < 0 || rank >= len(r.placed) || r.placed[rank] != nil {
		r.others = append(r.others, o)
		return
	}
	r.placed[rank] = o
}

// sorted returns what was put. It is for one call.
func (r *ranked) sorted() []resources.Object {
	known := slices.DeleteFunc(r.placed, func(o resources.Object) bool { return o == nil })
	if len(r.others) == 0 {
		return known
	}
	slices.SortFunc(r.others, compareNames)
	all := make([]resources.Object, 0, len(known)+len(r.others))
	for _, o := range r.others {
		n, _ := slices.BinarySearchFunc(known, o, compareNames)
		all = append(append(all, known[:n]...), o)
		known = known[n:]
	}
	return append(all, known...)
}

func compareNames(a, b resources.Object) int {
	return strings.Compare(a.Head().Metadata.Name, b.Head().Metadata.Name)
}
