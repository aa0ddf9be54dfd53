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

// What becomes of fields that a kind does not have.
const (
	validateStrict = "Strict" // they are an error
	validateWarn   = "Warn"   // they are passed over, and told
	validateIgnore = "Ignore" // they are passed over
)

// maxUnknown is how many unknown fields of one request are passed over.
const maxUnknown = 100

// decode reads an object, over one that is there or not (nil).
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
			return nil, badRequest("%s", sentence(problem))
		}
		unknown = append(unknown, fmt.Sprintf("unknown field %q", problem.Field))
		document = without
	}
}

func decodeOver(key resources.Key, document []byte, before resources.Object) (o resources.Object, err error) {
	if before == nil {
		o, _, err = resources.Decode(key, document)
	} else {
		o, _, err = resources.DecodeOver(key, document, before)
	}
	return o, err
}

// sentence is a problem without a place: nobody sees the text that it is about.
func sentence(p resources.Problem) string {
	p.File, p.Line, p.Column = "", 0, 0
	return p.Error()
}

// withoutField takes the field at a path such as spec.phases[1].colour out of a document; false
// where there is none.
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
	fields, ok := follow(top, parent).(map[string]any)
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

// follow is what stands at a path in decoded JSON; nil for nothing.
func follow(value any, path string) any {
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
