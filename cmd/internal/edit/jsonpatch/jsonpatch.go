// Package jsonpatch applies JSON patches (RFC 6902): operations on single places of a document,
// each named by a JSON pointer (RFC 6901). All are made, or none.
package jsonpatch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// operation is one member of a patch.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	From  string          `json:"from"`
	Value json.RawMessage `json:"value"`
}

// Apply returns document changed by patch; both are JSON. Numbers keep their digits. Members come
// out sorted by name.
func Apply(document, patch []byte) ([]byte, error) {
	var operations []operation
	if err := json.Unmarshal(patch, &operations); err != nil {
		return nil, fmt.Errorf("the patch must be a list of operations, for example %s: %w", `[{"op":"replace","path":"/spec/priority","value":"high"}]`, err)
	}
	root, err := decode(document)
	if err != nil {
		return nil, err
	}
	for i, o := range operations {
		if root, err = o.apply(root); err != nil {
			return nil, fmt.Errorf("patch %d: %s: %w", i, o.Op, err)
		}
	}
	return json.Marshal(root)
}

func (o *operation) apply(root any) (any, error) {
	path, err := pointer(o.Path)
	if err != nil {
		return nil, err
	}
	value, err := o.value(root)
	if err != nil {
		return nil, err
	}
	switch o.Op {
	case "add", "copy":
		return at(root, path, func(holder any, token string) (any, error) { return put(holder, token, value) })
	case "remove":
		return removed(root, path)
	case "replace":
		if _, err := find(root, path); err != nil {
			return nil, err
		}
		return at(root, path, func(holder any, token string) (any, error) { return replaced(holder, token, value) })
	case "move":
		from, _ := pointer(o.From)
		if len(path) > len(from) && slices.Equal(path[:len(from)], from) {
			return nil, fmt.Errorf("%s cannot be moved into itself", o.From)
		}
		if root, err = removed(root, from); err != nil {
			return nil, err
		}
		return at(root, path, func(holder any, token string) (any, error) { return put(holder, token, value) })
	case "test":
		found, err := find(root, path)
		if err == nil && !reflect.DeepEqual(found, value) {
			err = fmt.Errorf("%s is another value", o.Path)
		}
		return root, err
	}
	return nil, errors.New("no operation is called so; use add, remove, replace, move, copy or test")
}

// value is what the operation puts there or compares with: nil for remove, a copy for the others.
func (o *operation) value(root any) (any, error) {
	switch o.Op {
	case "add", "replace", "test":
		if o.Value == nil {
			return nil, errors.New("value is missing")
		}
		return decode(o.Value)
	case "move", "copy":
		from, err := pointer(o.From)
		if err != nil {
			return nil, err
		}
		found, err := find(root, from)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(found)
		if err != nil {
			return nil, err
		}
		return decode(data)
	}
	return nil, nil
}

// pointer reads a JSON pointer; "" is the whole document.
func pointer(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, fmt.Errorf("the path %q must begin with /", text)
	}
	tokens := strings.Split(text[1:], "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens, nil
}

func missing(path ...string) error { return fmt.Errorf("there is no /%s", strings.Join(path, "/")) }

// find returns what stands at a path.
func find(node any, path []string) (any, error) {
	for i, token := range path {
		var there bool
		switch holder := node.(type) {
		case map[string]any:
			node, there = holder[token]
		case []any:
			n, err := index(token, len(holder)-1)
			if there = err == nil; there {
				node = holder[n]
			}
		}
		if !there {
			return nil, missing(path[:i+1]...)
		}
	}
	return node, nil
}

// at changes what holds the last token of a path, and returns the document with that.
func at(node any, path []string, change func(holder any, token string) (any, error)) (any, error) {
	if len(path) == 0 {
		return nil, errors.New("the whole document cannot be changed; name a path")
	}
	if len(path) == 1 {
		return change(node, path[0])
	}
	child, err := find(node, path[:1])
	if err != nil {
		return nil, missing(path...)
	}
	if child, err = at(child, path[1:], change); err != nil {
		return nil, err
	}
	return replaced(node, path[0], child)
}

func removed(root any, path []string) (any, error) {
	if _, err := find(root, path); err != nil {
		return nil, err
	}
	return at(root, path, func(holder any, token string) (any, error) {
		if list, ok := holder.([]any); ok {
			n, err := index(token, len(list)-1)
			if err != nil {
				return nil, err
			}
			return slices.Delete(slices.Clone(list), n, n+1), nil
		}
		delete(holder.(map[string]any), token)
		return holder, nil
	})
}

// replaced sets a member or an element that is there; a member may be new.
func replaced(holder any, token string, value any) (any, error) {
	list, ok := holder.([]any)
	if !ok {
		return put(holder, token, value)
	}
	n, err := index(token, len(list)-1)
	if err == nil {
		list[n] = value
	}
	return list, err
}

// put sets a member, or inserts an element before that of an index; "-" is behind the last.
func put(holder any, token string, value any) (any, error) {
	switch holder := holder.(type) {
	case map[string]any:
		holder[token] = value
		return holder, nil
	case []any:
		if token == "-" {
			return append(holder, value), nil
		}
		n, err := index(token, len(holder))
		if err != nil {
			return nil, err
		}
		return slices.Insert(holder, n, value), nil
	}
	return nil, missing(token)
}

// index reads the index of an element, of which last is the greatest.
func index(token string, last int) (int, error) {
	n, err := strconv.Atoi(token)
	if err != nil || n < 0 || n > last || strconv.Itoa(n) != token {
		return 0, missing(token)
	}
	return n, nil
}

func decode(data []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}
