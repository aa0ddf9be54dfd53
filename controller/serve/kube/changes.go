package kube

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// objects returns the handler for the objects of a kind. It forwards reads to
// Options.Objects.
func (s *Server) objects(kind *resources.Kind) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			s.options.Objects.ServeHTTP(w, r)
			return
		}
		c := &call{server: s, kind: kind, request: r, warn: func(text string) { w.Header().Add("Warning", fmt.Sprintf("299 - %q", text)) }}
		_, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/apis/"+resources.APIVersion), "/"+kind.Plural)
		name, sub, below := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		c.name = name
		switch {
		case below && sub == "status":
			serve.FailMethod(w, http.MethodGet) // the status is derived
			return
		case below:
			serve.FailPath(w)
			return
		}
		code, answer, err := c.answer()
		if err != nil {
			status := statusOf(kind, c.name, err)
			serve.Answer(w, status.Code, status)
			return
		}
		serve.Answer(w, code, answer)
	})
}

// call is one write request.
type call struct {
	server  *Server
	kind    *resources.Kind
	name    string // empty for all objects of the kind or a new one
	request *http.Request
	warn    func(text string) // sends a warning about ignored input to the client
	dryRun  bool              // do everything except writing
	strict  string            // handling of unknown fields: Strict, Warn or Ignore
	manager string            // field manager of an apply
}

// answer performs the write that the method of the request names.
func (c *call) answer() (code int, answer any, err error) {
	if err := c.readOptions(); err != nil {
		return 0, nil, err
	}
	switch method := c.request.Method; {
	case method == http.MethodPost && c.name == "":
		return c.create()
	case method == http.MethodPut && c.name != "":
		return c.replace()
	case method == http.MethodPatch && c.name != "":
		return c.patch()
	case method == http.MethodDelete && c.name != "":
		return c.delete()
	case method == http.MethodDelete:
		return c.deleteAll()
	}
	return 0, nil, &refusal{serve.Failure(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource")}
}

// readOptions parses the common parameters of writes.
func (c *call) readOptions() error {
	v := c.request.URL.Query()
	if namespace := c.request.PathValue("namespace"); namespace != "" && namespace != c.server.namespace {
		return &refusal{serve.Failure(http.StatusNotFound, "NotFound", fmt.Sprintf("namespaces %q not found", namespace))}
	}
	switch dry := v.Get("dryRun"); dry {
	case "", "All":
		c.dryRun = dry != ""
	default:
		return badRequest("invalid dryRun %q: only All is supported", dry)
	}
	switch c.strict = v.Get("fieldValidation"); c.strict {
	case "":
		c.strict = validateWarn
	case validateStrict, validateWarn, validateIgnore:
	default:
		return badRequest("invalid fieldValidation %q: it is Strict, Warn or Ignore", c.strict)
	}
	c.manager = v.Get("fieldManager")
	return nil
}

// key returns the key of the object that the request names.
func (c *call) key() resources.Key { return resources.Key{Kind: c.kind.Plural, Name: c.name} }

// repo returns the repository for the write, with the dry run that the client requested.
func (c *call) repo() mutate.Repo {
	repo := c.server.options.Repo()
	repo.DryRun = c.dryRun
	return repo
}

// create creates the object in the body.
func (c *call) create() (int, any, error) {
	body, err := c.body()
	if err != nil {
		return 0, nil, err
	}
	sent, err := c.read(body)
	if err != nil {
		return 0, nil, err
	}
	if c.name = sent.name; c.name == "" {
		return 0, nil, resources.Invalid(resources.Key{Kind: c.kind.Plural}, []resources.FieldError{{Field: "metadata.name", Detail: "Required value: name or generateName is required"}})
	}
	return c.createAs(sent)
}

// createAs creates the received object and returns it with the status 201.
func (c *call) createAs(sent *received) (int, any, error) {
	o, err := c.decode(sent.json, nil)
	if err != nil {
		return 0, nil, err
	}
	results, err := c.repo().Create(c.request.Context(), o)
	if err != nil {
		return 0, nil, err
	}
	answer, err := c.done(results[0], sent)
	return http.StatusCreated, answer, err
}

// replace replaces the object that the path names by the object in the body.
func (c *call) replace() (int, any, error) {
	body, err := c.body()
	if err != nil {
		return 0, nil, err
	}
	return c.change(func(resources.Object) ([]byte, error) { return body, nil }, false)
}

// change updates an existing object with the document that f returns. over
// means that the document also contains the fields of the file that this build
// does not know.
func (c *call) change(f func(o resources.Object) ([]byte, error), over bool) (int, any, error) {
	if err := c.server.options.Objects.Ready(c.request); err != nil {
		return 0, nil, err
	}
	var said *received
	result, err := c.repo().One(c.request.Context(), c.key(), func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		document, err := f(o)
		if err != nil {
			return nil, err
		}
		if said, err = c.read(document); err != nil {
			return nil, err
		}
		if err := c.checkVersion(said, o); err != nil {
			return nil, err
		}
		if over {
			return c.decode(said.json, o)
		}
		return c.decode(said.json, nil)
	})
	if err != nil {
		return 0, nil, err
	}
	answer, err := c.done(result, said)
	return http.StatusOK, answer, err
}

// done stores the annotations of a written object that are not in its file. It
// returns the object in its served form.
func (c *call) done(result mutate.Result, said *received) (any, error) {
	s, o, key := c.server, result.New, result.Key
	if !c.dryRun && said != nil {
		if err := s.clientState.keep(key, uidOf(o), said.annotations); err != nil {
			return nil, err
		}
	}
	serving := s.options.Objects.Serving()
	if c.dryRun {
		return queries.ServedEntry(s.options.Objects.Cache().Source, o, serving).Document(), nil
	}
	err := c.await(func(cache *queries.Cache) bool {
		known, found := cache.Get(key)
		return result.Operation == mutate.Unchanged || found && known.Source().Revision == o.Source().Revision
	})
	if err != nil {
		return nil, err
	}
	cache := s.options.Objects.Cache()
	found, err := (&queries.Find{Keys: []resources.Key{key}, Whole: true, Served: serving}).Run(cache.Source)
	if err != nil || len(found.Entries) == 0 { // already deleted
		return queries.ServedEntry(cache.Source, o, serving).Document(), err
	}
	return found.Entries[0].Document(), nil
}

// writeTimeout is the timeout for a write to reach the controller's cache.
const writeTimeout = 2 * time.Second

// await waits until the controller's cache reflects a write, so that the
// client's next read sees it. It stops waiting after writeTimeout, because
// another write may have replaced the object.
func (c *call) await(known func(*queries.Cache) bool) error {
	for end := time.Now().Add(writeTimeout); ; time.Sleep(time.Millisecond) {
		if err := c.server.options.Objects.Ready(c.request); err != nil {
			return err
		}
		if known(c.server.options.Objects.Cache()) || time.Now().After(end) {
			return nil
		}
	}
}
