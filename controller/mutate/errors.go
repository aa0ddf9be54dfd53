package mutate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// broken returns the error for an object with an unreadable file, with a
// remedy.
func broken(key resources.Key, file string, err error) error {
	var p resources.Problem
	if errors.As(err, &p) && p.File == "" {
		p.File = file
		err = p
	}
	return &apierrors.Status{Reason: "Unreadable", Err: err, Message: fmt.Sprintf(
		"%s.%s %q cannot be changed because its file cannot be read: %v; mend it (idumb edit %s) or replace it (idumb apply -f FILE)",
		key.Kind, resources.Group, key.Name, err, key)}
}

// forbidden returns the error for an object that others refer to, with a
// remedy. owned reports whether the object can be removed together with its
// dependents.
func forbidden(key resources.Key, by []string, owned bool) error {
	const shown = 4
	if more := len(by) - shown; more > 1 {
		by = append(slices.Clone(by[:shown]), fmt.Sprintf("and %d more", more))
	}
	step := "change these first, or leave their references dangling: --cascade=orphan"
	if owned {
		step = "--cascade=background also removes the objects that belong to it, --cascade=orphan leaves their references dangling"
	}
	return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf("%s.%s %q cannot be removed while other objects refer to it: %s; %s",
		key.Kind, resources.Group, key.Name, strings.Join(by, ", "), step)}
}

// IsConflict reports whether an error means that an object changed since it was
// read.
func IsConflict(err error) bool {
	var status *apierrors.Status
	return errors.Is(err, store.ErrConflict) || errors.As(err, &status) && status.Reason == "Conflict"
}
