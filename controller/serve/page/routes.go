package page

import (
	"embed"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/resources"
)

//go:embed static
var static embed.FS

// questionNames lists the questions that a page may ask. They only read.
var questionNames = []string{"graphs", "overview", "needs", "describe", "recall", "next", "names", "top", "report", "context", "violations"}

// maxBody is the maximum size of a request body, in bytes.
const maxBody = 1 << 20

// routes returns the handler of the page's files and requests.
func (s *site) routes(p *Pages) http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { file(w, "index.html") })
	m.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) { file(w, r.PathValue("name")) })
	m.HandleFunc("POST /once", sameOrigin(s.exchangeCode))
	m.HandleFunc("GET /proof", sameOrigin(s.prove))
	m.HandleFunc("GET /me", s.withGrant(p.me))
	m.HandleFunc("GET /watch", s.withGrant(p.watch))
	m.HandleFunc("GET /apis/", s.withGrant(p.ask))
	m.HandleFunc("GET /q/{name}", s.withGrant(func(w http.ResponseWriter, r *http.Request, g *grant) {
		if !slices.Contains(questionNames, r.PathValue("name")) {
			serve.Fail(w, http.StatusForbidden, "Forbidden", "this query is not available to pages")
			return
		}
		p.ask(w, r, g)
	}))
	m.HandleFunc("GET /trees", s.withGrant(p.trees))
	m.HandleFunc("POST /actions/{name}", s.withGrant(p.act))
	return m
}

// file sends one of the page's static files.
func file(w http.ResponseWriter, name string) {
	data, err := static.ReadFile("static/" + name)
	if err != nil {
		serve.Fail(w, http.StatusNotFound, "NotFound", "there is no such file")
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if fixed := types[path.Ext(name)]; fixed != "" {
		kind = fixed // independent of the MIME tables of this machine
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data)
}

// types maps the extensions of the page's files to MIME types.
var types = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// exchangeCode answers with the token for a code, which works once.
func (s *site) exchangeCode(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Once string `json:"once"`
	}
	if err := decode(w, r, &in); err != nil {
		serve.Fail(w, http.StatusBadRequest, "BadRequest", "that is no code: "+err.Error())
		return
	}
	g, err := s.grants.exchange(in.Once, time.Now())
	if err != nil {
		s.log.Warn("rejected an invalid link to the page", "controller", "page", "error", err)
		serve.Fail(w, http.StatusForbidden, "Forbidden", err.Error())
		return
	}
	serve.Answer(w, http.StatusOK, map[string]string{"token": g.token})
}

// bodyTimeout is the timeout for the body of a request.
const bodyTimeout = 10 * time.Second

// decode reads a request body: one JSON object without unknown fields.
func decode(w http.ResponseWriter, r *http.Request, into any) error {
	conn := http.NewResponseController(w)
	if err := conn.SetReadDeadline(time.Now().Add(bodyTimeout)); err != nil {
		return err
	}
	return errors.Join(read(http.MaxBytesReader(w, r.Body, maxBody), into), conn.SetReadDeadline(time.Time{}))
}

// read decodes one JSON object. It returns an error for unknown fields and for data after the
// object.
func read(body io.Reader, into any) error {
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// PageInfo describes the page to itself.
type PageInfo struct {
	Repository string     `json:"repository"` // name of the repository's directory
	ReadOnly   string     `json:"readOnly,omitempty"`
	Kinds      []string   `json:"kinds"` // plurals of the kinds to watch
	Actions    []acts.Act `json:"actions"`
}

// watchedKinds lists the kinds that a page draws, if they exist.
var watchedKinds = []string{resources.WorkPlans, resources.Tasks, resources.Sessions, resources.Mems, resources.Delegations, "comments"}

// pageActs returns the acts with only the kinds that a page draws.
func pageActs(all []acts.Act) []acts.Act {
	all = slices.DeleteFunc(all, func(a acts.Act) bool { return a.Key == "" })
	for i := range all {
		all[i].Args, all[i].Kinds = all[i].PromptedArgs(), slices.DeleteFunc(all[i].Kinds, func(kind string) bool { return !slices.Contains(watchedKinds, kind) })
	}
	return all
}

// me answers with the PageInfo of the page. A read-only page has no actions.
func (p *Pages) me(w http.ResponseWriter, _ *http.Request, g *grant) {
	me := PageInfo{Repository: filepath.Base(string(p.Root)), ReadOnly: g.readOnly, Actions: []acts.Act{}}
	for _, kind := range watchedKinds {
		if _, known := resources.KindOf(kind); known {
			me.Kinds = append(me.Kinds, kind)
		}
	}
	if g.readOnly == "" {
		me.Actions = p.acts
	}
	serve.Answer(w, http.StatusOK, me)
}

// trees answers with the state of work in the repository's other working trees.
func (p *Pages) trees(w http.ResponseWriter, r *http.Request, _ *grant) {
	serve.Answer(w, http.StatusOK, serve.Trees(r.Context(), p.Root))
}

// ask forwards a question to the controller's API. It forwards only the path,
// the parameters and the Accept header.
func (p *Pages) ask(w http.ResponseWriter, r *http.Request, _ *grant) {
	p.API.ServeHTTP(w, plainRequest(r, r.URL.Path, r.URL.RawQuery))
}

// plainRequest returns a GET request that takes only the Accept header and the context
// from r.
func plainRequest(r *http.Request, path, query string) *http.Request {
	asked := (&http.Request{Method: http.MethodGet, Header: http.Header{}, Body: http.NoBody, Host: "idumb", Proto: r.Proto, ProtoMajor: 1, ProtoMinor: 1}).WithContext(r.Context())
	url := *r.URL
	url.Path, url.RawPath, url.RawQuery = path, "", query
	asked.URL = &url
	if accept := r.Header.Get("Accept"); strings.HasPrefix(accept, "application/json") {
		asked.Header.Set("Accept", accept)
	}
	return asked
}
