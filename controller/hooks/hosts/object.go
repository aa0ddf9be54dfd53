package hosts

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
)

// Object is a JSON object with undecoded members.
type Object map[string]json.RawMessage

var errNoObject = errors.New("it is no JSON object")

// ReadObject parses a JSON object. The whole text must be valid JSON. If a key
// occurs twice, the last value is used.
func ReadObject(text []byte) (Object, error) {
	var o Object
	err := json.Unmarshal(text, &o)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) || err == nil && o == nil {
		return nil, errNoObject
	}
	return o, err
}

// Text returns a string member, or an empty text if the member is not a string.
func (o Object) Text(key string) string { return AsText(o[key]) }

// Flag reports whether a member is true.
func (o Object) Flag(key string) bool { return string(o[key]) == "true" }

// Object returns an object member, or nil if the member is not an object.
func (o Object) Object(key string) Object {
	member, _ := ReadObject(o[key])
	return member
}

// Digest returns a hash that is equal for objects with equal members,
// regardless of blanks and order. It ignores the argument that iDumb's shim
// adds to the arguments of idumb's tools.
func (o Object) Digest() string {
	o = maps.Clone(o)
	delete(o, callerArgument)
	text, _ := json.Marshal(o) // sorted and without blanks; its members were read from JSON
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// callerArgument is the argument in which OpenCode's shim names the caller to
// idumb's tools.
const callerArgument = "_idumb"

// AsText decodes a JSON string. It returns an empty text for any other value.
func AsText(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Items returns the elements of a list, or nil for any other value.
func Items(list []byte) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(list, &all) != nil {
		return nil
	}
	return all
}

// Count returns a member that is a small integer, or 0 for any other value.
func (o Object) Count(key string) int {
	n, err := strconv.Atoi(string(o[key]))
	if err != nil {
		return 0
	}
	return n
}

// Line returns v as one line of JSON. Every v here consists of strings, which
// always encode.
func Line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}
