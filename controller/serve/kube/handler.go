package kube

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/resources"
)

// handler returns the handler of the API.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"/healthz", "/livez", "/readyz"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	}
	mux.HandleFunc("GET /version", s.serveVersion)
	mux.HandleFunc("GET /api", s.serveRoots(true))
	mux.HandleFunc("GET /apis", s.serveRoots(false))
	for i := range s.groups {
		g := &s.groups[i]
		mux.HandleFunc("GET "+g.path(), serveResources(g))
		if g.name != "" {
			mux.HandleFunc("GET /apis/"+g.name, serveGroup(g))
		}
		for n := range g.resources {
			s.route(mux, g, &g.resources[n])
		}
	}
	mux.HandleFunc("GET "+openAPIPath, s.serveOpenAPIRoot)
	mux.HandleFunc("GET "+openAPIPath+"/apis/"+resources.APIVersion, s.serveOpenAPI)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { serve.FailPath(w) })
	return mux
}

// route registers the handlers of one resource.
func (s *Server) route(mux *http.ServeMux, g *group, r *resource) {
	base := g.path() + "/" + r.plural
	var answer http.Handler
	switch {
	case r.of != nil:
		answer = s.objects(r.of)
	case r.collection != nil:
		answer = s.serveCollection(g, r)
	default:
		mux.HandleFunc("POST "+base, s.serveReview(r.kind))
		return
	}
	mux.Handle(base, answer)
	mux.Handle(base+"/", answer)
	if !r.cluster {
		mux.Handle(g.path()+"/namespaces/{namespace}/"+r.plural, answer)
		mux.Handle(g.path()+"/namespaces/{namespace}/"+r.plural+"/", answer)
	}
}

// minor is the minor version of the compatible Kubernetes API. Clients warn
// about a version that differs much from theirs.
const minor = "36"

// serveVersion answers /version.
func (s *Server) serveVersion(w http.ResponseWriter, _ *http.Request) {
	serve.Answer(w, http.StatusOK, object{
		"major": "1", "minor": minor, "gitVersion": "v1." + minor + ".0+idumb." + versionWord(s.options.Version), "gitCommit": "", "gitTreeState": "clean",
		"buildDate": s.started.UTC().Format(time.RFC3339), "goVersion": runtime.Version(), "compiler": runtime.Compiler, "platform": runtime.GOOS + "/" + runtime.GOARCH,
	})
}

// versionWord converts a version to valid build metadata of another version.
func versionWord(version string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, version)
}
