package effects

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
)

// object is one object in a text that a command of idumb's is given, as far as matters here.
type object struct {
	kind  *resources.Kind
	name  string // "" for one that is yet to get a name
	state string // spec.state, "" if it says none
	met   int    // how many of spec.met there are; of YAML 1 for any
}

// maxGiven is how many objects of a text are looked at; a longer text is not judged.
const maxGiven = 1000

// givenIn reads the objects of a text as idumb does: JSON decoded, so that no spelling hides
// a kind, and of YAML what stands in plain lines. sure is false if something in it may be an
// object of a kind that cannot be told. Place is the file's path, "" for none: it names the
// kind where the text does not. Objects of kinds that there are not are left out: idumb
// refuses them.
func givenIn(text []byte, place string) (all []object, sure bool) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	first := bytes.TrimLeft(text, " \t\r\n")
	if len(first) == 0 || first[0] != '{' {
		return givenInYAML(string(text), place)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	for len(all) < maxGiven {
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			return all, true // idumb reads no further either
		}
		more, ok := givenInObject(raw, place, 0)
		if all = append(all, more...); !ok {
			return all, false
		}
	}
	return all, false
}

// givenInObject reads one JSON object, or what a list holds.
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
	if kinds > 1 || depth > maxDepth || len(o.Items) > maxGiven {
		return nil, false
	}
	_ = json.Unmarshal(raw, &o) // what is of another type than it should be leaves the rest
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

// objectOf is an object of that kind, or of the kind that its place says; none if there is no
// such kind.
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
