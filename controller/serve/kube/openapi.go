package kube

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/resources"
)

// openAPIPath is the path prefix of OpenAPI v3. Version 2 is not served,
// because kubectl 1.32 and later do not need it.
const openAPIPath = "/openapi/v3"

// openAPI is the OpenAPI document of our kinds. It is created on the first
// request.
type openAPI struct {
	once sync.Once
	text []byte
	hash string
	err  error
}

// openAPIDocument returns the document and its hash, which clients use for
// caching.
func (s *Server) openAPIDocument() ([]byte, string, error) {
	d := &s.openapi
	d.once.Do(func() {
		var document object
		if document, d.err = s.makeOpenAPI(); d.err == nil {
			d.text, d.err = json.Marshal(document)
		}
		sum := sha256.Sum256(d.text)
		d.hash = hex.EncodeToString(sum[:])
	})
	return d.text, d.hash, d.err
}

// serveOpenAPIRoot answers with the list of OpenAPI documents, which has one entry.
func (s *Server) serveOpenAPIRoot(w http.ResponseWriter, _ *http.Request) {
	_, hash, err := s.openAPIDocument()
	if err != nil {
		serve.Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
		return
	}
	path := "apis/" + resources.APIVersion
	serve.Answer(w, http.StatusOK, object{"paths": object{path: object{"serverRelativeURL": openAPIPath + "/" + path + "?hash=" + hash}}})
}

// serveOpenAPI answers with the OpenAPI document.
func (s *Server) serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	text, _, err := s.openAPIDocument()
	if err != nil {
		serve.Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}

// makeOpenAPI returns the OpenAPI document: the schemas of all resources of the group idumb.dev,
// and their paths.
func (s *Server) makeOpenAPI() (object, error) {
	schemas, paths := object{}, object{}
	g := s.group(resources.Group)
	for i := range g.resources {
		r := &g.resources[i]
		schema, err := r.schema()
		if err != nil {
			return nil, err
		}
		identity := object{"group": g.name, "version": g.version, "kind": r.kind}
		schema["x-kubernetes-group-version-kind"] = []object{identity}
		name := "dev.idumb." + g.version + "." + r.kind
		schemas[name] = schema
		o := operations{r, identity, object{"$ref": "#/components/schemas/" + name}}
		base := g.path() + "/namespaces/{namespace}/" + r.plural
		paths[base], paths[base+"/{name}"] = o.ofAll(), o.ofOne()
	}
	return object{
		"openapi": "3.0.0", "info": object{"title": "iDumb", "version": s.options.Version},
		"paths": paths, "components": object{"schemas": schemas},
	}, nil
}

// operations describes the operations of a resource.
type operations struct {
	*resource
	identity, schema object
}

// ofAll returns the operations on the list of a resource: get, and post unless it is read-only.
func (o operations) ofAll() object {
	all := object{"get": o.operation("list", false)}
	if o.of != nil {
		all["post"] = o.operation("post", true)
	}
	return all
}

// ofOne returns the operations on one object: get, and put, patch and delete unless it is
// read-only.
func (o operations) ofOne() object {
	all := object{"get": o.operation("get", false)}
	if o.of != nil {
		all["put"], all["patch"], all["delete"] = o.operation("put", true), o.operation("patch", true), o.operation("delete", false)
	}
	return all
}

// operation describes one operation. Clients read its parameters to learn the
// supported write options.
func (o operations) operation(action string, writes bool) object {
	parameters := []object{}
	if writes {
		for _, name := range []string{"dryRun", "fieldManager", "fieldValidation"} {
			parameters = append(parameters, object{"name": name, "in": "query", "schema": object{"type": "string", "uniqueItems": true}})
		}
	}
	content := object{"application/json": object{"schema": o.schema}}
	return object{
		"operationId": action + o.kind, "parameters": parameters, "x-kubernetes-action": action, "x-kubernetes-group-version-kind": o.identity,
		"responses": object{"200": object{"description": "OK", "content": content}},
	}
}
