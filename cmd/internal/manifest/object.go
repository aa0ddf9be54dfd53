package manifest

import (
	"errors"

	"github.com/idumb-dev/idumb/resources"
)

// Object decodes the document. Errors carry the position in Source.
func (d Document) Object() (resources.Object, error) {
	object, _, err := resources.Decode(d.Key, d.JSON)
	if err != nil {
		return nil, d.locate(err)
	}
	return object, nil
}

// locate moves the position of a problem from the document to its source.
func (d Document) locate(err error) error {
	var problem resources.Problem
	if !errors.As(err, &problem) {
		return err
	}
	problem.File = d.Source
	switch {
	case d.YAML || d.Revision != "":
		problem.Line, problem.Column = 0, 0
	case problem.Line > 0:
		problem.Line += d.Line
	}
	return problem
}
