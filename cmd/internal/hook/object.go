package hook

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"unicode/utf8"
)

// object is a JSON object, read no deeper than its own members. It is what the
// hook reads its input with: encoding/json builds tables of types first, which
// takes longer than reading one event ever does.
type object map[string]json.RawMessage

var errNoObject = errors.New("it is no JSON object")

// readObject reads a text that must be valid JSON throughout. Of a key that
// comes twice the last one counts, as in encoding/json.
func readObject(text []byte) (object, error) {
	if !valid(text) {
		var v any
		return nil, cmp.Or(json.Unmarshal(text, &v), errNoObject) // for its words
	}
	text = bytes.TrimSpace(text)
	if text[0] != '{' {
		return nil, errNoObject
	}
	return members(text), nil
}

// members takes an object in valid JSON apart.
func members(text []byte) object {
	o := object{}
	for at := 1; ; {
		at = skipBlanks(text, at)
		if text[at] == '}' {
			return o
		}
		end := skipValue(text, at)
		key := asText(text[at:end])
		at = skipBlanks(text, skipBlanks(text, end)+1) // over the colon
		end = skipValue(text, at)
		o[key] = json.RawMessage(text[at:end])
		if at = skipBlanks(text, end); text[at] == ',' {
			at++
		}
	}
}

// text returns a member that is a text, "" for anything else.
func (o object) text(key string) string { return asText(o[key]) }

// flag reports whether a member is true.
func (o object) flag(key string) bool { return string(o[key]) == "true" }

// object returns a member that is an object, nil for anything else.
func (o object) object(key string) object {
	if len(o[key]) == 0 || o[key][0] != '{' {
		return nil
	}
	return members(o[key])
}

// digest is equal for objects with equal members, blanks and order aside. What our own
// shim adds to the arguments of our tools does not count.
func (o object) digest() string {
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if key == callerArgument {
			continue
		}
		sum.Write([]byte(key + "\x00"))
		sum.Write(compact(o[key]))
		sum.Write([]byte{0})
	}
	return string(sum.Sum(nil))
}

// compact is a value without blanks. Only lists and objects have any.
func compact(value []byte) []byte {
	if len(value) == 0 || value[0] != '{' && value[0] != '[' {
		return value
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}

// callerArgument is the argument in which OpenCode's shim tells our own tools who calls them.
const callerArgument = "_idumb"

// asText reads a JSON string, "" for anything else.
func asText(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// items returns the elements of a list in valid JSON, none for anything else.
func items(list []byte) [][]byte {
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	var all [][]byte
	for at := skipBlanks(list, 1); list[at] != ']'; at = skipBlanks(list, at) {
		end := skipValue(list, at)
		all = append(all, list[at:end])
		if at = skipBlanks(list, end); list[at] == ',' {
			at++
		}
	}
	return all
}

// usualItems is how many texts a list is expected to hold at most.
const usualItems = 64

// texts returns the elements of a list of texts.
func texts(list []byte) []string {
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	all := make([]string, 0, min(bytes.Count(list, []byte{','})+1, usualItems))
	for at := skipBlanks(list, 1); list[at] != ']'; at = skipBlanks(list, at) {
		end := skipValue(list, at)
		all = append(all, asText(list[at:end]))
		if at = skipBlanks(list, end); list[at] == ',' {
			at++
		}
	}
	return all
}

func skipBlanks(text []byte, at int) int {
	for text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n' {
		at++
	}
	return at
}

// skipValue returns the end of the value that begins at a place in valid JSON.
func skipValue(text []byte, at int) int {
	depth := 0
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at = plain(text, at+1); text[at] != '"'; at = plain(text, at+2) {
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at // of a number or a word in front of it
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}
