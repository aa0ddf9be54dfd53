package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// arguments contains the arguments of a call. They are valid after check.
type arguments map[string]json.RawMessage

// readArguments decodes the JSON object with the arguments of a call.
func readArguments(data []byte) (arguments, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return arguments{}, nil
	}
	var a arguments
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("the arguments are no JSON object")
	}
	return a, nil
}

// isEmpty reports whether a value is null or an empty string. Such a value counts as not given,
// because some models set every field of a schema.
func isEmpty(value json.RawMessage) bool {
	s := string(bytes.TrimSpace(value))
	return s == "null" || s == `""`
}

// argumentError is an error that describes an invalid argument.
type argumentError struct{ name, reason, want string }

func (w *argumentError) Error() string { return fmt.Sprintf("%q %s", w.name, w.reason) }

// check checks the names, types and values of the arguments against a table. It removes empty
// arguments.
func (a arguments) check(params []param, at string) error {
	var names []string
	for name := range a {
		names = append(names, name)
	}
	slices.Sort(names) // so that the reported error is always the same
	for _, name := range names {
		i := slices.IndexFunc(params, func(p param) bool { return p.name == name })
		if i < 0 {
			return unknownArgument(at+name, params)
		}
		if isEmpty(a[name]) {
			delete(a, name)
		} else if err := params[i].check(a[name], at+name); err != nil {
			return err
		}
	}
	return nil
}

// unknownArgument returns the error for an argument that a tool does not have. It suggests a
// similar name, or all names.
func unknownArgument(name string, params []param) error {
	var known []string
	for _, p := range params {
		known = append(known, p.name)
	}
	want := "one of: " + strings.Join(known, ", ")
	if near := resources.Nearest(name[strings.LastIndexByte(name, '.')+1:], known); near != "" {
		want = fmt.Sprintf("%q", near)
	}
	return &argumentError{name, "is not an argument", want}
}

// check checks a value against the definition of the argument.
func (p param) check(value json.RawMessage, at string) error {
	switch {
	case p.isList:
		return p.checkList(value, at)
	case p.kind == text:
		return p.checkText(value, at)
	case p.kind == object:
		inner, err := readArguments(value)
		if err != nil || inner == nil {
			return &argumentError{at, "is not an object", "an object: {...}"}
		}
		if err := inner.check(p.fields, at+"."); err != nil {
			return err
		}
		for _, name := range requiredOf(p.fields) {
			if _, given := inner[name]; !given {
				return &argumentError{at + "." + name, "is missing", "the expected result of the task"}
			}
		}
		return nil
	case p.kind == flag:
		if s := string(value); s != "true" && s != "false" {
			return &argumentError{at, "is neither true nor false", "true or false, without quotes"}
		}
	case p.kind == number:
		var n int
		if json.Unmarshal(value, &n) != nil || n < 0 || n > p.max {
			return &argumentError{at, fmt.Sprintf("is not a whole number from 0 to %d", p.max), "such a number, without quotes"}
		}
	}
	return nil
}

// checkList checks a list of values. at is the place of the list in the arguments.
func (p param) checkList(value json.RawMessage, at string) error {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		want := `a list of texts: ["..."]`
		switch p.kind {
		case object:
			want = "a list of objects: [{...}]"
		case number:
			want = "a list of numbers: [1]"
		}
		return &argumentError{at, "is not a list", want}
	}
	p.isList = false
	for i, item := range list {
		if err := p.check(item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

// checkText checks that a value is a string, and one of the allowed values if they are limited.
func (p param) checkText(value json.RawMessage, at string) error {
	var s string
	if !bytes.HasPrefix(bytes.TrimSpace(value), []byte{'"'}) || json.Unmarshal(value, &s) != nil {
		return &argumentError{at, "is not a text", `a text in quotes`}
	}
	if len(p.enum) > 0 && !slices.Contains(p.enum, s) {
		return &argumentError{at, fmt.Sprintf("is %q", s), "one of: " + strings.Join(p.enum, ", ")}
	}
	return nil
}

func (a arguments) has(name string) bool {
	value, given := a[name]
	return given && !isEmpty(value)
}

// into decodes an argument into to. It changes nothing if the argument was not given. The argument
// must have passed check.
func (a arguments) into(name string, to any) {
	if value, given := a[name]; given {
		_ = json.Unmarshal(value, to)
	}
}

// text returns a string argument without surrounding white space. It returns "" if it is missing.
func (a arguments) text(name string) (s string) {
	a.into(name, &s)
	return strings.TrimSpace(s)
}

// texts returns an argument that is a list of strings, nil if it is missing.
func (a arguments) texts(name string) (list []string) {
	a.into(name, &list)
	return list
}

// number returns a number, or otherwise if none was given.
func (a arguments) number(name string, otherwise int) int {
	a.into(name, &otherwise)
	return otherwise
}
