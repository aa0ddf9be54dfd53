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

// broken says that the object's file cannot be read, and how to mend it.
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

// forbidden says that others hold on to an object that was to go.
func forbidden(key resources.Key, by []string) error {
	const shown = 4
	if more := len(by) - shown; more > 1 {
		by = append(slices.Clone(by[:shown]), fmt.Sprintf("and %d more", more))
	}
	return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf(
		"%s.%s %q cannot go while others need it: %s; --cascade=background takes along what belongs to it, --cascade=orphan leaves the others with a reference to nothing",
		key.Kind, resources.Group, key.Name, strings.Join(by, ", "))}
}

// IsConflict reports whether err says that an object is not what was read.
func IsConflict(err error) bool {
	var status *apierrors.Status
	return errors.Is(err, store.ErrConflict) || errors.As(err, &status) && status.Reason == "Conflict"
}
