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
	"fmt"

	"github.com/idumb-dev/idumb/resources"
)

// Document is one object as somebody wrote it.
type Document struct {
	Source   string        // where it was read: a path, "STDIN" or "command line"
	Line     int           // lines of Source before it; 0 for YAML, whose lines are not kept
	YAML     bool          // Source is YAML: positions in JSON mean nothing to its author
	Key      resources.Key // Name is empty for an object that is to get a generated name
	JSON     []byte        // without status and metadata.resourceVersion
	Revision string        // that the object was read at, if it says so
}

// MaxBytes is the largest input that is read: far more than any set of plans
// and tasks, and small enough not to exhaust the machine.
const MaxBytes = 64 << 20

func tooLarge(source string) error {
	return fmt.Errorf("%s: more than %d MiB; split it into several files", source, MaxBytes>>20)
}
