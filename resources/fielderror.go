package resources

import (
	"fmt"
	"strings"
)

// FieldError is an invalid value in an object. Its wording follows Kubernetes
// (apimachinery's field.Error): "spec.title: Required value".
type FieldError struct {
	Field  string // "spec.dependsOn[1]"
	Detail string // "Not found: \"bar\""
	Remedy string // the next step; empty if Detail already contains it
}

// Error returns "field: detail".
func (e FieldError) Error() string { return e.Field + ": " + e.Detail }

// problem adds the position in the file to the error.
func (e FieldError) problem(key Key, data []byte) Problem {
	line, column := Position(data, e.Field)
	remedy := e.Remedy
	if remedy == "" {
		remedy = "correct the value; idumb explain shows its field"
	}
	return Problem{Key: key, Object: key.String(), Line: line, Column: column, Field: e.Field, Reason: e.Detail, Remedy: remedy}
}

// required returns the error for a required field without a value.
func required(field string) FieldError { return FieldError{Field: field, Detail: "Required value"} }

func invalid(field, value, why string) FieldError {
	return FieldError{Field: field, Detail: fmt.Sprintf("Invalid value: %q: %s", shortened(value), why)}
}

// duplicate returns the error for a value that occurs twice.
func duplicate(field, value string) FieldError {
	return FieldError{Field: field, Detail: fmt.Sprintf("Duplicate value: %q", shortened(value))}
}

// Forbidden returns the error for a field that must not have its value.
func Forbidden(field, why string) FieldError {
	return FieldError{Field: field, Detail: "Forbidden: " + why}
}

// notFound returns the error for a reference to a missing object.
func notFound(field, value string) FieldError {
	return FieldError{Field: field, Detail: fmt.Sprintf("Not found: %q", shortened(value))}
}

// unsupported returns the error for a value outside of an enumeration, with the nearest supported
// value as the remedy.
func unsupported(field, value string, supported []string) FieldError {
	e := FieldError{Field: field, Detail: fmt.Sprintf(`Unsupported value: %q: supported values: "%s"`, shortened(value), strings.Join(supported, `", "`))}
	if near := Nearest(value, supported); near != "" {
		e.Remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// InvalidError reports a rejected object in kubectl's format: one line for one error, a
// list for several errors. Errs must not be empty.
type InvalidError struct {
	Key  Key
	Errs []FieldError
}

// Error returns `The Task "foo" is invalid: spec.title: Required value`.
func (e *InvalidError) Error() string {
	display := e.Key.Kind
	if k, ok := KindOf(e.Key.Kind); ok {
		display = k.Display
	}
	head := fmt.Sprintf("The %s %q is invalid: ", display, e.Key.Name)
	if len(e.Errs) == 1 {
		return head + e.Errs[0].Error()
	}
	var b strings.Builder
	b.WriteString(head)
	for _, err := range e.Errs[:min(len(e.Errs), maxProblems)] {
		b.WriteString("\n* " + err.Error())
	}
	if more := len(e.Errs) - maxProblems; more > 0 {
		fmt.Fprintf(&b, "\n* and %d more", more)
	}
	return b.String()
}

// Invalid returns an InvalidError, or nil if errs is empty.
func Invalid(key Key, errs []FieldError) error {
	if len(errs) == 0 {
		return nil
	}
	return &InvalidError{Key: key, Errs: errs}
}
