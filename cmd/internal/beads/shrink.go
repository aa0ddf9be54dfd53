package beads

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// shrink makes an object fit into a file: it takes out the longest annotations, then the
// expected output, and reports each. Nothing in a real export needs it.
func shrink(o resources.Object, r *Report) {
	for length(o) > resources.MaxFileSize-1024 { // room for the digest
		annotations := o.Head().Metadata.Annotations
		longest := ""
		for _, key := range sortedKeys(annotations) {
			if strings.HasPrefix(key, Prefix) && key != annotationID && len(annotations[key]) > len(annotations[longest]) {
				longest = key
			}
		}
		id := annotations[annotationID]
		switch t, isTask := o.(*resources.Task); {
		case longest != "" && len(annotations[longest]) > 1024:
			r.problem(0, id, fmt.Sprintf("%s has %d bytes, too many for one file: left out", longest, len(annotations[longest])))
			delete(annotations, longest)
		case isTask && len(t.Spec.ExpectedOutput) > 1024:
			r.problem(0, id, fmt.Sprintf("its expected output has %d bytes, too many for one file: left out", len(t.Spec.ExpectedOutput)))
			t.Spec.ExpectedOutput = "See " + id + " in beads."
		default:
			r.problem(0, id, "it is too long for one file, and cannot be read until somebody shortens it")
			return
		}
	}
}

// length is the length of the object's file.
func length(o resources.Object) int {
	data, err := resources.Encode(o)
	if err != nil {
		return 0
	}
	return len(data)
}
