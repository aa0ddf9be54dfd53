package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Handling of unknown fields.
const (
	validateStrict = "Strict" // return an error
	validateWarn   = "Warn"   // ignore them with a warning
	validateIgnore = "Ignore" // ignore them
)

// maxUnknown is the maximum number of unknown fields that are ignored in one
// request.
const maxUnknown = 100

// decode decodes an object over an existing one, which may be nil.
func (c *call) decode(document []byte, before resources.Object) (resources.Object, error) {
	var unknown []string
	for {
		o, err := decodeOver(c.key(), document, before)
		var problem resources.Problem
		switch {
		case err == nil && len(unknown) > 0 && c.strict == validateStrict:
			return nil, badRequest("strict decoding error: %s", strings.Join(unknown, ", "))
		case err == nil:
			if c.strict == validateWarn {
				for _, text := range unknown {
					c.warn(text)
				}
			}
			return o, nil
		case !errors.As(err, &problem):
			return nil, err
		}
		without, removed := withoutField(document, problem.Field)
		if !strings.HasPrefix(problem.Reason, "unknown field") || !removed || len(unknown) == maxUnknown {
			return nil, badRequest("%s", withoutPosition(problem))
		}
		unknown = append(unknown, fmt.Sprintf("unknown field %q", problem.Field))
		document = without
	}
}

// decodeOver decodes a document as the next version of before, or as a new object if before is
// nil.
func decodeOver(key resources.Key, document []byte, before resources.Object) (o resources.Object, err error) {
	if before == nil {
		o, _, err = resources.Decode(key, document)
	} else {
		o, _, err = resources.DecodeOver(key, document, before)
	}
	return o, err
}

// withoutPosition returns a problem without its position, because the client does not
// see that text.
func withoutPosition(p resources.Problem) string {
	p.File, p.Line, p.Column = "", 0, 0
	return p.Error()
}

// withoutField removes the field at a path such as spec.phases[1].colour from a
// document. It returns false if there is no such field.
func withoutField(document []byte, path string) ([]byte, bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var top any
	if decoder.Decode(&top) != nil || path == "" {
		return nil, false
	}
	parent, last := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent, last = path[:i], path[i+1:]
	}
	fields, ok := lookupPath(top, parent).(map[string]any)
	if !ok {
		return nil, false
	}
	if _, there := fields[last]; !there {
		return nil, false
	}
	delete(fields, last)
	text, err := json.Marshal(top)
	return text, err == nil
}

// lookupPath returns the value at a path in decoded JSON, or nil.
func lookupPath(value any, path string) any {
	if path == "" {
		return value
	}
	for part := range strings.SplitSeq(path, ".") {
		name, rest, _ := strings.Cut(part, "[")
		fields, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = fields[name]
		for rest != "" {
			var index string
			index, rest, _ = strings.Cut(rest, "]")
			rest = strings.TrimPrefix(rest, "[")
			items, ok := value.([]any)
			i, err := strconv.Atoi(index)
			if !ok || err != nil || i < 0 || i >= len(items) {
				return nil
			}
			value = items[i]
		}
	}
	return value
}
