// Package patch patches JSON documents like kubectl patch, with JSON patches
// (RFC 6902) and JSON merge patches (RFC 7386). It preserves the digits of
// numbers.
package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// JSON applies a list of operations to a document, all or none.
func JSON(document, patch []byte) ([]byte, error) {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("the patch must be a list of operations, for example %s: %w", `[{"op":"replace","path":"/spec/priority","value":"high"}]`, err)
	}
	for i, o := range operations {
		err := check(o)
		if err == nil {
			document, err = jsonpatch.Patch{o}.Apply(document)
		}
		path, _ := o.Path()
		switch _, moves := o["from"]; {
		case errors.Is(err, jsonpatch.ErrTestFailed):
			err = fmt.Errorf("%s is another value", path)
		case !moves && (errors.Is(err, jsonpatch.ErrMissing) || errors.Is(err, jsonpatch.ErrInvalidIndex)):
			err = fmt.Errorf("there is no %s", path)
		}
		if err != nil {
			return nil, fmt.Errorf("patch %d: %s: %w", i, o.Kind(), err)
		}
	}
	return document, nil
}

// check rejects operations that the library would misinterpret.
func check(o jsonpatch.Operation) error {
	kind := o.Kind()
	_, valued := o["value"]
	path, err := o.Path()
	from, _ := o.From() // only for move and copy
	switch {
	case !slices.Contains([]string{"add", "remove", "replace", "move", "copy", "test"}, kind):
		return errors.New("no operation is called so; use add, remove, replace, move, copy or test")
	case !valued && slices.Contains([]string{"add", "replace", "test"}, kind):
		return errors.New("value is missing")
	case err != nil || path == "":
		return errors.New("the whole document cannot be changed; name a path")
	case path[0] != '/':
		return fmt.Errorf("the path %q must begin with /", path)
	case kind == "move" && strings.HasPrefix(path, from+"/"):
		return fmt.Errorf("%s cannot be moved into itself", from)
	}
	return nil
}

// Merge merges an object into a document: its members replace those of the
// document, null removes a member, objects are merged, and other values,
// including lists, are replaced as a whole. It refuses to remove metadata or
// spec, because that would remove all labels and annotations.
func Merge(document, patch []byte) ([]byte, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(patch), []byte("{")) {
		return nil, fmt.Errorf("the patch must be a JSON object, for example %s", `{"spec": {"priority": "high"}}`)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(patch, &members); err != nil {
		return nil, err
	}
	for _, name := range []string{"metadata", "spec"} {
		if value, named := members[name]; named && string(value) == "null" {
			return nil, fmt.Errorf("%s: an object is expected, found null; set single fields of it to null", name)
		}
	}
	return jsonpatch.MergePatch(document, patch)
}
