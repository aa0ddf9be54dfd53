// Package apierrors holds the errors that an object's verbs end with, in the words of
// Kubernetes' API, so that commands, tools and the controller's sockets say the same.
package apierrors

import (
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/resources"
)

// Status is an error with a reason that scripts know from kubectl. It prints as
// `Error (NotFound): tasks.idumb.dev "foo" not found`; without a Reason the
// message stands alone.
type Status struct {
	Reason  string // one CamelCase word: NotFound, AlreadyExists, Conflict, ...
	Message string
	Err     error // what it comes from; may be nil

	Missing resources.Key // the object that NotFound is about
}

func (s *Status) Error() string {
	if s.Reason == "" {
		return s.Message
	}
	return "Error (" + s.Reason + "): " + s.Message
}

func (s *Status) Unwrap() error { return s.Err }

// NotFound says that there is no object of that key.
func NotFound(key resources.Key) error {
	return &Status{Reason: "NotFound", Missing: key, Message: fmt.Sprintf("%s.%s %q not found", key.Kind, resources.Group, key.Name)}
}

// IsNotFound reports whether err is, or wraps, what NotFound made.
func IsNotFound(err error) bool {
	var s *Status
	return errors.As(err, &s) && s.Reason == "NotFound"
}

// IsAlreadyExists reports whether an error says that an object of that key exists.
func IsAlreadyExists(err error) bool {
	var s *Status
	return errors.As(err, &s) && s.Reason == "AlreadyExists"
}

// AlreadyExists says that there is an object of that key.
func AlreadyExists(key resources.Key) error {
	return &Status{Reason: "AlreadyExists", Message: fmt.Sprintf("%s.%s %q already exists", key.Kind, resources.Group, key.Name)}
}

// Conflict says that the object is not what was read any more.
func Conflict(key resources.Key) error {
	return &Status{Reason: "Conflict", Message: fmt.Sprintf("Operation cannot be fulfilled on %s.%s %q: the object has been modified; please apply your changes to the latest version and try again", key.Kind, resources.Group, key.Name)}
}
