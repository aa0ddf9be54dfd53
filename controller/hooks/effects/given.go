package effects

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
)

// object is an object in a text that is given to a command of idumb, with the
// fields that are needed here.
type object struct {
	kind     *resources.Kind
	name     string // empty if the name is generated later
	state    string // spec.state; may be empty
	metCount int    // the number of entries of spec.met; 1 for any in YAML
}

// maxGiven limits the number of objects that are read in a text; a longer text
// is not judged.
const maxGiven = 1000

// givenIn reads the objects of a text in the way that idumb reads them. JSON is
// decoded, so that no spelling can hide a kind; of YAML only plain lines are
// read. sure is false if the text may contain an object of an unknown kind.
// place is the path of the file, or empty; it determines the kind if the text
// does not. Objects of kinds that do not exist are omitted, because idumb
// refuses them.
func givenIn(text []byte, place string) (all []object, sure bool) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return givenInYAML(string(text), place)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	for len(all) < maxGiven {
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			return all, true // idumb stops here too
		}
		more, ok := givenInObject(raw, place, 0)
		if all = append(all, more...); !ok {
			return all, false
		}
	}
	return all, false
}

// givenInObject reads one JSON object, or the items of a list. sure is as for
// givenIn.
func givenInObject(raw []byte, place string, depth int) (all []object, sure bool) {
	const maxDepth = 8
	var o struct {
		Kind     string `json:"kind"`
		Metadata struct{ Name string }
		Spec     struct {
			State string
			Met   []json.RawMessage
		}
		Items []json.RawMessage `json:"items"`
	}
	if raw[0] != '{' {
		return nil, true
	}
	kinds := 0
	members, _ := hosts.ReadObject(raw)
	for key := range members {
		if strings.EqualFold(key, "kind") {
			kinds++
		}
	}
	_ = json.Unmarshal(raw, &o) // a member of an unexpected type does not affect the rest
	if kinds > 1 || depth > maxDepth {
		return nil, false
	}
	if !strings.HasSuffix(o.Kind, "List") {
		return objectOf(o.Kind, o.Metadata.Name, o.Spec.State, len(o.Spec.Met), place), true
	}
	for _, item := range o.Items {
		more, ok := givenInObject(item, place, depth+1)
		if all = append(all, more...); !ok {
			return all, false
		}
	}
	return all, true
}

// objectOf returns an object of the kind, or of the kind that its path
// determines. It returns nil if the kind does not exist.
func objectOf(kind, name, state string, met int, place string) []object {
	k, known := resources.LookupKind(kind)
	if kind == "" {
		file := strings.TrimSuffix(filepath.Base(place), filepath.Ext(place))
		if k, known = resources.KindOf(filepath.Base(filepath.Dir(place))); known && !k.Single {
			if name == "" {
				name = file
			}
		} else if k, known = resources.KindOf(file); known && !k.Single {
			known = false
		}
	}
	if !known {
		return nil
	}
	return []object{{k, name, state, met}}
}
