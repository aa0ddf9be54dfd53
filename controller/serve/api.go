package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/resources"
)

// Version is what /version says: who serves.
type Version struct {
	Version      string         `json:"version,omitempty"` // of the program
	Protocol     int            `json:"protocol"`          // of hooks, frame.Protocol
	PID          int            `json:"pid"`
	PIDNamespace uint64         `json:"pidNamespace,omitempty"` // in which pid counts; 0: the system has one
	Started      resources.Time `json:"started"`
	Root         string         `json:"root"` // of the repository, as the controller names it
	UID          int            `json:"uid"`
}

// Status is Kubernetes' answer where there is no object to show: an error, or that all is well.
type Status struct {
	Kind       string         `json:"kind"`
	APIVersion string         `json:"apiVersion"`
	Metadata   struct{}       `json:"metadata"`
	Status     string         `json:"status"` // Success or Failure
	Message    string         `json:"message,omitempty"`
	Reason     string         `json:"reason,omitempty"` // one CamelCase word: NotFound, ...
	Details    *StatusDetails `json:"details,omitempty"`
	Code       int            `json:"code"`
}

// StatusDetails say which object a Status is about.
type StatusDetails struct {
	Name   string        `json:"name"`
	Group  string        `json:"group"`
	Kind   string        `json:"kind"` // its plural
	UID    string        `json:"uid,omitempty"`
	Causes []StatusCause `json:"causes,omitempty"`
}

// StatusCause is one of the things that are wrong with an object.
type StatusCause struct {
	Reason  string `json:"reason"` // one CamelCase word: FieldValueRequired, ...
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Answer writes a value as JSON.
func Answer(w http.ResponseWriter, code int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(data, '\n'))
}

// Fail writes an error as Kubernetes does.
func Fail(w http.ResponseWriter, code int, reason, message string) {
	Answer(w, code, Failure(code, reason, message))
}

// Failure is an error as Kubernetes says it: an HTTP status, one CamelCase word and a sentence.
func Failure(code int, reason, message string) Status {
	return Status{Kind: "Status", APIVersion: "v1", Status: "Failure", Message: message, Reason: reason, Code: code}
}

// maxBody is how much of a request's body is read, in bytes.
const maxBody = 64 << 20

// handler answers what comes over HTTP.
func (s *Server) handler() http.Handler {
	own := map[string]struct {
		method string
		answer http.HandlerFunc
	}{
		"/healthz": {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }},
		"/version": {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { Answer(w, http.StatusOK, s.version()) }},
		"/status":  {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { Answer(w, http.StatusOK, s.options.Status()) }},
		"/stop":    {http.MethodPost, s.stop},
		"/page":    {http.MethodPost, s.page},
	}
	return s.survive(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		route, found := own[r.URL.Path]
		switch {
		case found && r.Method == route.method:
			route.answer(w, r)
		case found:
			FailMethod(w, route.method)
		case s.options.API != nil:
			s.options.API.ServeHTTP(w, r)
		default:
			FailPath(w)
		}
	}))
}

// FailPath says that nothing is served at the path of a request.
func FailPath(w http.ResponseWriter) {
	Fail(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
}

// FailMethod says which method alone is served there.
func FailMethod(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	Fail(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource")
}

func (s *Server) version() Version {
	return Version{
		Version: s.options.Version, Protocol: frame.Protocol, PID: os.Getpid(), PIDNamespace: process.Namespace(),
		Started: resources.NewTime(s.started.Truncate(time.Second)), Root: string(s.root), UID: os.Geteuid(),
	}
}

// stop says first that the controller ends, and then ends it.
func (s *Server) stop(w http.ResponseWriter, _ *http.Request) {
	Answer(w, http.StatusAccepted, Status{Kind: "Status", APIVersion: "v1", Status: "Success", Message: "the controller ends", Code: http.StatusAccepted})
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	s.options.Stop()
}

// page opens a page, where there are some.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if s.options.Page == nil {
		FailPath(w)
		return
	}
	s.options.Page.ServeHTTP(w, r)
}

// survive answers what a panic left unanswered.
func (s *Server) survive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { // the handler's own way to hang up
				panic(p)
			}
			s.options.Log.Error("a request broke its answer", "controller", "serve", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			Fail(w, http.StatusInternalServerError, "InternalError", "the controller broke at this request; its log says how")
		}()
		next.ServeHTTP(w, r)
	})
}
