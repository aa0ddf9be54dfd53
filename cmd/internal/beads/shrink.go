package beads

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// shrink makes an object fit into a file: it takes out the longest annotations, then the
// expected output, which are kept beside it, and reports each. Nothing in a real export needs it.
// false: it does not fit whatever is taken out, and is left.
func shrink(o resources.Object, r *Report) bool {
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
			r.tooLong(id+" "+longest, annotations[longest])
			delete(annotations, longest)
		case isTask && len(t.Spec.ExpectedOutput) > 1024:
			r.problem(0, id, fmt.Sprintf("its expected output has %d bytes, too many for one file: left out", len(t.Spec.ExpectedOutput)))
			r.tooLong(id+" expected output", t.Spec.ExpectedOutput)
			t.Spec.ExpectedOutput = "See " + id + " in beads."
		default:
			name, text := migrate.LongestText(o)
			if text == nil || len(*text) < 4096 {
				r.problem(0, id, "it is too long for one file, whatever is taken out: it is kept and not made")
				r.tooLong(id, string(encoded(o)))
				return false
			}
			r.problem(0, id, fmt.Sprintf("%s has %d bytes, too many for one file: cut", name, len(*text)))
			r.tooLong(id+" "+name, *text)
			*text = strings.ToValidUTF8((*text)[:2048], "") + "..."
		}
	}
	return true
}

// length is the length of the object's file.
func length(o resources.Object) int { return len(encoded(o)) }

// encoded is the text of the object's file.
func encoded(o resources.Object) []byte {
	data, err := resources.Encode(o)
	if err != nil {
		return nil
	}
	return data
}
