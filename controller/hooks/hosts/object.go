package hosts

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
)

// Object is a JSON object, read no deeper than its own members.
type Object map[string]json.RawMessage

var errNoObject = errors.New("it is no JSON object")

// ReadObject reads a text that must be valid JSON throughout. Of a key that
// comes twice the last one counts.
func ReadObject(text []byte) (Object, error) {
	var o Object
	err := json.Unmarshal(text, &o)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) || err == nil && o == nil {
		return nil, errNoObject
	}
	return o, err
}

// Text returns a member that is a text, "" for anything else.
func (o Object) Text(key string) string { return AsText(o[key]) }

// Flag reports whether a member is true.
func (o Object) Flag(key string) bool { return string(o[key]) == "true" }

// Object returns a member that is an object, nil for anything else.
func (o Object) Object(key string) Object {
	member, _ := ReadObject(o[key])
	return member
}

// Digest is equal for objects with equal members, blanks and order aside. What our own
// shim adds to the arguments of our tools does not count.
func (o Object) Digest() string {
	o = maps.Clone(o)
	delete(o, callerArgument)
	text, _ := json.Marshal(o) // sorted and without blanks; its members were read from JSON
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// callerArgument is the argument in which OpenCode's shim tells our own tools who calls them.
const callerArgument = "_idumb"

// AsText reads a JSON string, "" for anything else.
func AsText(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Items returns the elements of a list, none for anything else.
func Items(list []byte) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(list, &all) != nil {
		return nil
	}
	return all
}

// Count returns a member that is a small whole number, 0 for anything else.
func (o Object) Count(key string) int {
	n, err := strconv.Atoi(string(o[key]))
	if err != nil {
		return 0
	}
	return n
}

// Line is v as one line of JSON. Every v here is strings, which always encode.
func Line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}
