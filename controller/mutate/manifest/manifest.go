// Package manifest reads the objects that people hand to commands: JSON, YAML,
// Lists, several documents in a file, files and folders, or standard input.
//
// Documents come out as JSON, still undecoded: what an object may hold is the
// business of package resources. Two things that printed objects carry and
// files do not are taken off here, so that what `get -o json` prints can be
// applied again: the status, and metadata.resourceVersion. The revision that
// either of them names is kept as Document.Revision.
package manifest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Document is one object as somebody wrote it.
type Document struct {
	Source   string        // where it was read: a path, "STDIN" or "command line"
	Line     int           // lines of Source before it; 0 for YAML, whose lines are not kept
	YAML     bool          // Source is YAML: positions in JSON mean nothing to its author
	Key      resources.Key // Name is empty for an object that is to get a generated name
	Prefix   string        // with which that is to begin (metadata.generateName); "" for any
	JSON     []byte        // without status, metadata.resourceVersion and metadata.generateName
	Revision string        // that the object was read at, if it says so
}

// MaxBytes is the largest input that is read: far more than any set of plans
// and tasks, and small enough not to exhaust the machine.
const MaxBytes = 64 << 20

// Object decodes the document. Errors carry the position in Source. Over an object that is
// there (nil: none), what its file holds and this build does not know may stand in it too.
func (d Document) Object(before resources.Object) (object resources.Object, err error) {
	if before == nil {
		object, _, err = resources.Decode(d.Key, d.JSON)
	} else {
		object, _, err = resources.DecodeOver(d.Key, d.JSON, before)
	}
	var problem resources.Problem
	if !errors.As(err, &problem) {
		return object, err
	}
	// Its author knows the object by Source, not by the file that it will have.
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
