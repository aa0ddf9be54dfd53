package kube

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// received is an object from a client, split into the content of its file and other
// data.
type received struct {
	json        []byte            // without server fields
	name        string            // generated if only a prefix was sent
	uid         string            // expected UID; empty matches any
	version     string            // version that the client read; empty matches any
	annotations map[string]string // annotations of kubectl, which are not in the file
}

// kubectlPrefix is the prefix of the annotations with kubectl's own records.
const kubectlPrefix = "kubectl.kubernetes.io/"

// serverFields lists the metadata fields that only a server sets. Files do not
// contain them.
var serverFields = [...]string{
	"namespace", "resourceVersion", "uid", "creationTimestamp", "generateName", "generation", "managedFields", "ownerReferences", "finalizers", "selfLink",
	"deletionTimestamp", "deletionGracePeriodSeconds",
}

// body reads the request body, which may be JSON or YAML, and returns it as JSON.
func (c *call) body() ([]byte, error) {
	data, err := io.ReadAll(c.request.Body)
	if err != nil {
		return nil, &refusal{serve.Failure(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", fmt.Sprintf("read the request: %v", err))}
	}
	switch kind, _, _ := mime.ParseMediaType(cmp.Or(c.request.Header.Get("Content-Type"), "application/json")); {
	case strings.HasSuffix(kind, "json"):
		return data, nil
	case strings.HasSuffix(kind, "yaml"):
		if data, err = yaml.YAMLToJSONStrict(data); err != nil {
			return nil, badRequest("read the request: %v", err)
		}
		return data, nil
	}
	return nil, unsupported("application/json", "application/yaml")
}

// unsupported returns an error with the supported media types.
func unsupported(types ...string) error {
	return &refusal{serve.Failure(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
		"the body of the request was in an unknown format - accepted media types include: "+strings.Join(types, ", "))}
}

// read splits a received object.
func (c *call) read(document []byte) (*received, error) {
	var top, meta map[string]json.RawMessage
	if err := json.Unmarshal(document, &top); err != nil || top == nil {
		return nil, badRequest("the body of the request is no object: %v", err)
	}
	if raw, found := top["metadata"]; found {
		if err := json.Unmarshal(raw, &meta); err != nil {
			return nil, badRequest("metadata is no object: %v", err)
		}
	}
	var head struct {
		Name, GenerateName, Namespace, UID, ResourceVersion string
		Annotations                                         map[string]string
	}
	if err := json.Unmarshal(orEmpty(top["metadata"]), &head); err != nil {
		return nil, badRequest("metadata: %v", err)
	}
	s := &received{name: head.Name, uid: head.UID, version: head.ResourceVersion, annotations: map[string]string{}}
	if s.name == "" && head.GenerateName != "" && c.name == "" {
		s.name = head.GenerateName + strings.Map(nameRune, strings.ToLower(newToken()[:5]))
	}
	if head.Namespace != "" && head.Namespace != c.server.namespace {
		return nil, badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if c.name != "" && head.Name != "" && head.Name != c.name {
		return nil, badRequest("the name of the object (%s) does not match the name on the URL (%s)", head.Name, c.name)
	}
	delete(top, "status")
	for _, field := range serverFields {
		delete(meta, field)
	}
	s.splitAnnotations(meta, head.Annotations)
	var err error
	if meta != nil {
		if top["metadata"], err = json.Marshal(meta); err != nil {
			return nil, err
		}
	}
	s.json, err = json.Marshal(top)
	return s, err
}

// orEmpty returns a document, or an empty one.
func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// nameRune maps a random character to one that is valid in a name.
func nameRune(r rune) rune {
	if r == '_' || r == '-' {
		return 'x'
	}
	return r
}

// splitAnnotations moves kubectl's own annotations out of the metadata.
func (s *received) splitAnnotations(meta map[string]json.RawMessage, all map[string]string) {
	rest := map[string]string{}
	for name, value := range all {
		if strings.HasPrefix(name, kubectlPrefix) {
			s.annotations[name] = value
		} else {
			rest[name] = value
		}
	}
	if len(s.annotations) == 0 {
		return
	}
	delete(meta, "annotations")
	if len(rest) > 0 {
		meta["annotations"], _ = json.Marshal(rest) // strings always encode
	}
}

// checkVersion returns a conflict if the stored object is not the one that the client
// read.
func (c *call) checkVersion(said *received, o resources.Object) error {
	if said.uid != "" && said.uid != uidOf(o) {
		return apierrors.Conflict(o.Key())
	}
	if said.version == "" || said.version == c.version(o) {
		return nil
	}
	return apierrors.Conflict(o.Key())
}

// version returns the resource version of an object with its current file
// content. It returns "" while the controller does not know that content.
func (c *call) version(o resources.Object) string {
	cache := c.server.options.Objects.Cache()
	e := queries.ServedEntry(cache.Source, o, c.server.options.Objects.Serving())
	if known, found := cache.Get(o.Key()); !found || known.Source().Revision != o.Source().Revision {
		return ""
	}
	return e.ResourceVersion()
}

// uidOf returns the UID by which clients know an object.
func uidOf(o resources.Object) string {
	return cmp.Or(o.Head().Metadata.UID, resources.DerivedUID(o.Key()))
}

// document returns an object for patching: the content of its file with the
// server fields.
func (c *call) document(o resources.Object) ([]byte, error) {
	text, err := resources.Encode(o)
	if err != nil {
		return nil, err
	}
	var top, meta map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, err
	}
	delete(top, "$schema")
	e := queries.ServedEntry(c.server.options.Objects.Cache().Source, o, c.server.options.Objects.Serving())
	served, err := json.Marshal(e.Document().Metadata)
	if err == nil {
		err = json.Unmarshal(served, &meta)
	}
	if err != nil {
		return nil, err
	}
	meta["resourceVersion"], _ = json.Marshal(c.version(o))
	if top["metadata"], err = json.Marshal(meta); err != nil {
		return nil, err
	}
	return json.Marshal(top)
}
