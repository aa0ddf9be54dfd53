package manifest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Object decodes the document. Errors carry the position in Source. Over an object that is
// there (nil: none), what its file holds and this build does not know may stand in it too.
func (d Document) Object(before resources.Object) (object resources.Object, err error) {
	if before == nil {
		object, _, err = resources.Decode(d.Key, d.JSON)
	} else {
		object, _, err = resources.DecodeOver(d.Key, d.JSON, before)
	}
	if err != nil {
		return nil, d.locate(err)
	}
	return object, nil
}

// locate says where in Source a problem is: its author knows the object by that
// file, not by the one that it will have.
func (d Document) locate(err error) error {
	var problem resources.Problem
	if !errors.As(err, &problem) {
		return err
	}
	at := d.Key.String()
	if problem.Line > 0 && !d.YAML && d.Revision == "" {
		at = fmt.Sprintf("%s: line %d, column %d", at, problem.Line+d.Line, problem.Column)
	}
	if d.YAML && strings.HasPrefix(problem.Reason, "a string is expected") {
		problem.Remedy = "put it in quotes: in YAML, y, no and 1.0 are no strings"
	}
	problem.File, problem.Line, problem.Column = "", 0, 0
	return fmt.Errorf("%s: %w", at, problem)
}
