// Package mergepatch applies JSON merge patches (RFC 7386): members of the
// patch replace those of the document, null removes one, objects are merged, and
// everything else, arrays included, is replaced as a whole.
package mergepatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Apply returns document changed by patch; both are JSON. Numbers keep their
// digits. Members come out sorted by name.
func Apply(document, patch []byte) ([]byte, error) {
	target, err := decode(document)
	if err != nil {
		return nil, err
	}
	change, err := decode(patch)
	if err != nil {
		return nil, fmt.Errorf("the patch is not valid JSON: %w", err)
	}
	if _, object := change.(map[string]any); !object {
		return nil, fmt.Errorf("the patch must be a JSON object, for example %s", `{"spec": {"priority": "high"}}`)
	}
	return json.Marshal(merge(target, change))
}

func merge(target, patch any) any {
	change, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range change {
		if value == nil {
			delete(object, name)
			continue
		}
		object[name] = merge(object[name], value)
	}
	return object
}

func decode(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("something stands after the end of the object")
	}
	return value, nil
}
