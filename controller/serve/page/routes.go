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

// asked are the questions that a page may ask: those that only tell.
var asked = []string{"graphs", "overview", "needs", "describe", "recall", "next", "names", "top", "report", "context"}

// maxBody is how much of a request is read, in bytes.
const maxBody = 1 << 20

// routes is all that there is on a site.
func (s *site) routes(p *Pages) http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { file(w, "index.html") })
	m.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) { file(w, r.PathValue("name")) })
	m.HandleFunc("POST /once", own(s.once))
	m.HandleFunc("GET /me", s.granted(p.me))
	m.HandleFunc("GET /watch", s.granted(p.watch))
	m.HandleFunc("GET /apis/", s.granted(p.ask))
	m.HandleFunc("GET /q/{name}", s.granted(func(w http.ResponseWriter, r *http.Request, g *grant) {
		if !slices.Contains(asked, r.PathValue("name")) {
			serve.Fail(w, http.StatusForbidden, "Forbidden", "a page does not ask this")
			return
		}
		p.ask(w, r, g)
	}))
	m.HandleFunc("GET /trees", s.granted(p.trees))
	m.HandleFunc("POST /actions/{name}", s.granted(p.act))
	return m
}

// file sends one of the page's own files.
func file(w http.ResponseWriter, name string) {
	data, err := static.ReadFile("static/" + name)
	if err != nil {
		serve.Fail(w, http.StatusNotFound, "NotFound", "there is no such file")
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if fixed := types[path.Ext(name)]; fixed != "" {
		kind = fixed // whatever this machine has in its tables
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data)
}

// types are those of the page's files.
var types = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// once trades a code for a token.
func (s *site) once(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Once string `json:"once"`
	}
	if err := decode(w, r, &in); err != nil {
		serve.Fail(w, http.StatusBadRequest, "BadRequest", "that is no code: "+err.Error())
		return
	}
	g, err := s.grants.trade(in.Once, time.Now())
	if err != nil {
		s.log.Warn("a page was asked for with a link that is not good", "controller", "page", "error", err)
		serve.Fail(w, http.StatusForbidden, "Forbidden", err.Error())
		return
	}
	serve.Answer(w, http.StatusOK, map[string]string{"token": g.token})
}

// bodyPatience is how long the body of a request may take.
const bodyPatience = 10 * time.Second

// decode reads the body of a request: one JSON object without fields that nobody knows.
func decode(w http.ResponseWriter, r *http.Request, into any) error {
	conn := http.NewResponseController(w)
	if err := conn.SetReadDeadline(time.Now().Add(bodyPatience)); err != nil {
		return err
	}
	return errors.Join(read(http.MaxBytesReader(w, r.Body, maxBody), into), conn.SetReadDeadline(time.Time{}))
}

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

// Me is what a page is told of itself.
type Me struct {
	Repository string     `json:"repository"` // the name of its folder
	ReadOnly   string     `json:"readOnly,omitempty"`
	Kinds      []string   `json:"kinds"` // to watch: plurals
	Actions    []acts.Act `json:"actions"`
}

// watched are the kinds that a page draws, as far as there are such.
var watched = []string{resources.WorkPlans, resources.Tasks, resources.Sessions, resources.Mems, resources.Delegations, "comments"}

// drawn are the acts with those of their kinds that a page draws.
func drawn(all []acts.Act) []acts.Act {
	for i := range all {
		all[i].Kinds = slices.DeleteFunc(all[i].Kinds, func(kind string) bool { return !slices.Contains(watched, kind) })
	}
	return all
}

func (p *Pages) me(w http.ResponseWriter, _ *http.Request, g *grant) {
	me := Me{Repository: filepath.Base(string(p.Root)), ReadOnly: g.readOnly, Actions: []acts.Act{}}
	for _, kind := range watched {
		if _, known := resources.KindOf(kind); known {
			me.Kinds = append(me.Kinds, kind)
		}
	}
	if g.readOnly == "" {
		me.Actions = p.acts
	}
	serve.Answer(w, http.StatusOK, me)
}

// trees answers where the work stands in the repository's other working trees.
func (p *Pages) trees(w http.ResponseWriter, r *http.Request, _ *grant) {
	serve.Answer(w, http.StatusOK, serve.Trees(r.Context(), p.Root))
}

// ask passes a question on to who answers for the controller: nothing of the request but its path,
// its parameters and the form that is wanted.
func (p *Pages) ask(w http.ResponseWriter, r *http.Request, _ *grant) {
	p.API.ServeHTTP(w, bare(r, r.URL.Path, r.URL.RawQuery))
}

// bare is a request to read, with nothing of another one but what it accepts and when it is over.
func bare(r *http.Request, path, query string) *http.Request {
	asked := (&http.Request{Method: http.MethodGet, Header: http.Header{}, Body: http.NoBody, Host: "idumb", Proto: r.Proto, ProtoMajor: 1, ProtoMinor: 1}).WithContext(r.Context())
	url := *r.URL
	url.Path, url.RawPath, url.RawQuery = path, "", query
	asked.URL = &url
	if accept := r.Header.Get("Accept"); strings.HasPrefix(accept, "application/json") {
		asked.Header.Set("Accept", accept)
	}
	return asked
}

// objectsPath is where the objects of a kind are.
func objectsPath(kind string) string { return "/apis/" + resources.APIVersion + "/" + kind }
