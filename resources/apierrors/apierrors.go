// Package apierrors defines the errors of operations on objects in the wording of the
// Kubernetes API. Commands, tools and the controller's sockets share them.
package apierrors

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Status is an error with a reason that scripts can check, as with kubectl. It prints as
// `Error (NotFound): tasks.idumb.dev "foo" not found`. Without a Reason it prints only the
// message.
type Status struct {
	Reason  string // one CamelCase word: NotFound, AlreadyExists, Conflict, ...
	Message string
	Err     error // underlying error; may be nil

	Missing resources.Key // missing object of a NotFound error
}

func (s *Status) Error() string {
	if s.Reason == "" {
		return s.Message
	}
	return "Error (" + s.Reason + "): " + s.Message
}

func (s *Status) Unwrap() error { return s.Err }

// NotFound returns the error for a missing object.
func NotFound(key resources.Key) error {
	return &Status{Reason: "NotFound", Missing: key, Message: fmt.Sprintf("%s.%s %q not found", key.Kind, resources.Group, key.Name)}
}

// IsNotFound reports whether err is or wraps a NotFound error.
func IsNotFound(err error) bool {
	var s *Status
	return errors.As(err, &s) && s.Reason == "NotFound"
}

// IsAlreadyExists reports whether err is or wraps an AlreadyExists error.
func IsAlreadyExists(err error) bool {
	var s *Status
	return errors.As(err, &s) && s.Reason == "AlreadyExists"
}

// AlreadyExists returns the error for an object that already exists.
func AlreadyExists(key resources.Key) error {
	return &Status{Reason: "AlreadyExists", Message: fmt.Sprintf("%s.%s %q already exists", key.Kind, resources.Group, key.Name)}
}

// Conflict returns the error for an object that changed since it was read.
func Conflict(key resources.Key) error {
	return &Status{Reason: "Conflict", Message: fmt.Sprintf("Operation cannot be fulfilled on %s.%s %q: the object has been modified; please apply your changes to the latest version and try again", key.Kind, resources.Group, key.Name)}
}

// Refusal is an error that contains the attempted operation, the reason and the next step.
// Refuse creates it.
type Refusal struct {
	Cause    Cause  // for programs; empty if no program needs to distinguish it
	What     string // attempted operation: `cannot start task "foo"`
	Why      string
	Step     string // next step: a command or a call that works as printed
	Evidence string // reference or observation; empty if Why is sufficient
}

// Cause is the reason for a refusal, one CamelCase word: Blocked, NoReason.
type Cause string

// Refuse returns a refusal. The step is a parameter, so that it cannot be forgotten.
func Refuse(cause Cause, what, why, step string) *Refusal {
	return &Refusal{Cause: cause, What: what, Why: why, Step: step}
}

// Act returns what was refused, without who may do it: "start task" for "cannot start task".
func (r *Refusal) Act() string {
	for _, lead := range [...]string{"cannot ", "only a user can ", "agents do not "} {
		if act, found := strings.CutPrefix(r.What, lead); found {
			return act
		}
	}
	return r.What
}

func (r *Refusal) Error() string { return r.What + ": " + r.Why + "; " + r.Step }
