package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"

	"github.com/idumb-dev/idumb/controller/mutate/patch"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Types of patches.
const (
	mergePatch = "application/merge-patch+json"
	jsonPatch  = "application/json-patch+json"
	applyPatch = "application/apply-patch+yaml"
)

// patch changes an object with a patch of the request's content type. A
// strategic merge patch is rejected, like Kubernetes does for custom resources.
func (c *call) patch() (int, any, error) {
	kind, _, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	var apply func(document, patch []byte) ([]byte, error)
	switch kind {
	case applyPatch:
		return c.apply()
	case mergePatch:
		apply = patch.Merge
	case jsonPatch:
		apply = patch.JSON
	default:
		return 0, nil, unsupported(jsonPatch, mergePatch, applyPatch)
	}
	body, err := c.body()
	if err != nil {
		return 0, nil, err
	}
	return c.change(func(o resources.Object) ([]byte, error) {
		document, err := c.document(o)
		if err != nil {
			return nil, err
		}
		if document, err = apply(document, body); err != nil {
			return nil, badRequest("%v", err)
		}
		return document, nil
	}, true)
}

// apply applies the manager's document to an object. It removes fields that the
// same manager applied before and that are absent now. It creates a missing
// object.
func (c *call) apply() (int, any, error) {
	if c.manager == "" {
		return 0, nil, badRequest("fieldManager is required for apply patch")
	}
	body, err := c.body()
	if err != nil {
		return 0, nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return 0, nil, badRequest("an apply patch must be a JSON object")
	}
	last := c.server.clientState.last(c.manager, c.key())
	code, answer, err := c.change(func(o resources.Object) ([]byte, error) {
		document, err := c.document(o)
		if err != nil {
			return nil, err
		}
		changes, err := withRemovals(body, last)
		if err != nil {
			return nil, badRequest("%v", err)
		}
		return patch.Merge(document, changes)
	}, true)
	if apierrors.IsNotFound(err) {
		var said *received
		if said, err = c.read(body); err == nil {
			code, answer, err = c.createAs(said)
		}
	}
	if err == nil && !c.dryRun {
		err = c.server.clientState.keepLast(c.manager, c.key(), body)
	}
	return code, answer, err
}

// withRemovals returns an applied document as a merge patch. A field that was
// applied before and is absent now becomes null. Lists are compared as a whole.
func withRemovals(now, last []byte) ([]byte, error) {
	var to, from object
	if err := json.Unmarshal(now, &to); err != nil {
		return nil, err
	}
	if len(last) == 0 {
		return now, nil
	}
	if err := json.Unmarshal(last, &from); err != nil {
		return nil, errors.New("the last applied document is unreadable: remove .idumb/run/applied")
	}
	type pair struct{ to, from object }
	for todo := []pair{{to, from}}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		for name, before := range p.from {
			after, said := p.to[name]
			if !said {
				p.to[name] = nil
				continue
			}
			was, both := before.(object)
			if is, objects := after.(object); both && objects {
				todo = append(todo, pair{is, was})
			}
		}
	}
	return json.Marshal(to)
}
