package resources

import (
	"fmt"
	"strings"
)

// FieldError is one thing that is wrong with an object's values, in Kubernetes'
// words (apimachinery's field.Error): "spec.title: Required value".
type FieldError struct {
	Field  string // "spec.dependsOn[1]"
	Detail string // "Not found: \"bar\""
	Remedy string // what to do; "" where Detail says it
}

// Error returns "field: detail".
func (e FieldError) Error() string { return e.Field + ": " + e.Detail }

// problem gives the error its place in the file's text.
func (e FieldError) problem(key Key, data []byte) Problem {
	line, column := Position(data, e.Field)
	remedy := e.Remedy
	if remedy == "" {
		remedy = "correct the value; idumb explain says what it may be"
	}
	return Problem{Key: key, Object: key.String(), Line: line, Column: column, Field: e.Field, Reason: e.Detail, Remedy: remedy}
}

// Kubernetes' texts.
func required(field string) FieldError { return FieldError{Field: field, Detail: "Required value"} }
func invalid(field, value, why string) FieldError {
	return FieldError{Field: field, Detail: fmt.Sprintf("Invalid value: %q: %s", shortened(value), why)}
}
func duplicate(field, value string) FieldError {
	return FieldError{Field: field, Detail: fmt.Sprintf("Duplicate value: %q", shortened(value))}
}
func Forbidden(field, why string) FieldError {
	return FieldError{Field: field, Detail: "Forbidden: " + why}
}
func notFound(field, value string) FieldError {
	return FieldError{Field: field, Detail: fmt.Sprintf("Not found: %q", shortened(value))}
}
func unsupported(field, value string, supported []string) FieldError {
	e := FieldError{Field: field, Detail: fmt.Sprintf(`Unsupported value: %q: supported values: "%s"`, shortened(value), strings.Join(supported, `", "`))}
	if near := Nearest(value, supported); near != "" {
		e.Remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// InvalidError says that an object was refused, as kubectl does: on one line for
// one error, as a list for several. errs must not be empty.
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

// Invalid returns an InvalidError, or nil where there is nothing wrong.
func Invalid(key Key, errs []FieldError) error {
	if len(errs) == 0 {
		return nil
	}
	return &InvalidError{Key: key, Errs: errs}
}
