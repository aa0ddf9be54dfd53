package mutate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// prepareCircles finds, once for many objects that are about to be written, those
// that may stand in a circle: following each one's references anew would cost
// the square of their number. It takes all references within a kind together, so
// it names a few too many and leaves out none.
func (v *View) prepareCircles() {
	edges := map[string][]string{}
	for o := range v.objects() {
		key := o.Key()
		for _, r := range resources.References(o) {
			if r.Key.Kind == key.Kind && !strings.HasPrefix(r.Field, "spec.relatedTo") {
				edges[key.String()] = append(edges[key.String()], r.Key.String())
			}
		}
	}
	v.circular = graph.Circles(edges)
}

// mayCircle reports whether the object may stand in a circle.
func (v *View) mayCircle(key resources.Key) bool {
	if v.circular == nil {
		return true
	}
	_, found := v.circular[key.String()]
	return found
}
