package mutate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Manifest is one object in its original form.
type Manifest struct {
	Source   string        // source: a path, "STDIN" or "command line"
	Line     int           // number of lines of Source before it; 0 for YAML
	YAML     bool          // Source is YAML, so positions in JSON are meaningless to its author
	Key      resources.Key // Name is empty for an object that needs a generated name
	Prefix   string        // prefix of the generated name (metadata.generateName)
	JSON     []byte        // without status, metadata.resourceVersion and metadata.generateName
	Revision string        // revision of a printed object; empty if none
}

// MaxBytes is the maximum input size. It is far more than any set of plans and
// tasks.
const MaxBytes = 64 << 20

// Object decodes the document. Errors contain the position in Source. before is
// the existing object or nil; fields of its file that this build does not know
// are then accepted in the document too.
func (d Manifest) Object(before resources.Object) (object resources.Object, err error) {
	if before == nil {
		object, _, err = resources.Decode(d.Key, d.JSON)
	} else {
		object, _, err = resources.DecodeOver(d.Key, d.JSON, before)
	}
	var problem resources.Problem
	if !errors.As(err, &problem) {
		return object, err
	}
	// The author knows the object by Source, not by its future file.
	at := d.Key.String()
	if problem.Line > 0 && !d.YAML && d.Revision == "" {
		at = fmt.Sprintf("%s: line %d, column %d", at, problem.Line+d.Line, problem.Column)
	}
	if d.YAML && strings.HasPrefix(problem.Reason, "a string is expected") {
		problem.Remedy = "put it in quotes: in YAML, y, no and 1.0 are no strings"
	}
	problem.File, problem.Line, problem.Column = "", 0, 0
	return nil, fmt.Errorf("%s: %w", at, problem)
}
