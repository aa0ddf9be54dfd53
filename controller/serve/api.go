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

// Version is the response of /version. It identifies the controller.
type Version struct {
	Version      string         `json:"version,omitempty"` // version of the program
	Protocol     int            `json:"protocol"`          // hook protocol, frame.Protocol
	PID          int            `json:"pid"`
	PIDNamespace uint64         `json:"pidNamespace,omitempty"` // namespace of PID; 0 if the system has no PID namespaces
	Started      resources.Time `json:"started"`
	Root         string         `json:"root"` // root of the repository
	UID          int            `json:"uid"`
}

// Status is a Kubernetes Status response: an error, or the success of a request
// without an object.
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

// StatusDetails identifies the object of a Status.
type StatusDetails struct {
	Name   string        `json:"name"`
	Group  string        `json:"group"`
	Kind   string        `json:"kind"` // plural of the kind
	UID    string        `json:"uid,omitempty"`
	Causes []StatusCause `json:"causes,omitempty"`
}

// StatusCause is one problem of an object.
type StatusCause struct {
	Reason  string `json:"reason"` // one CamelCase word: FieldValueRequired, ...
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Answer writes value as JSON with a status code.
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

// Fail writes a Kubernetes error response.
func Fail(w http.ResponseWriter, code int, reason, message string) {
	Answer(w, code, Failure(code, reason, message))
}

// Failure returns a Kubernetes error Status with an HTTP status code, a
// CamelCase reason and a message.
func Failure(code int, reason, message string) Status {
	return Status{Kind: "Status", APIVersion: "v1", Status: "Failure", Message: message, Reason: reason, Code: code}
}

// maxBody is the maximum size of a body that is read, in bytes.
const maxBody = 64 << 20

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
	return s.recoverPanics(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		switch route, found := own[r.URL.Path]; {
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

// FailPath writes a NotFound error for an unknown path.
func FailPath(w http.ResponseWriter) {
	Fail(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
}

// FailMethod writes a MethodNotAllowed error that names the allowed method.
func FailMethod(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	Fail(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource")
}

// version returns what identifies this controller: version, protocol, process and repository.
func (s *Server) version() Version {
	return Version{
		Version: s.options.Version, Protocol: frame.Protocol, PID: os.Getpid(), PIDNamespace: process.Namespace(),
		Started: resources.NewTime(s.started.Truncate(time.Second)), Root: string(s.root), UID: os.Geteuid(),
	}
}

// stop answers that the controller ends and then stops it.
func (s *Server) stop(w http.ResponseWriter, _ *http.Request) {
	Answer(w, http.StatusAccepted, Status{Kind: "Status", APIVersion: "v1", Status: "Success", Message: "the controller ends", Code: http.StatusAccepted})
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	s.options.Stop()
}

// page opens a page, if the server has one.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if s.options.Page == nil {
		FailPath(w)
		return
	}
	s.options.Page.ServeHTTP(w, r)
}

// recoverPanics recovers from a panic in next and writes an error response.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { // the handler aborts the connection deliberately
				panic(p)
			}
			s.options.Log.Error("a request caused a panic", "controller", "serve", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			Fail(w, http.StatusInternalServerError, "InternalError", "the request caused a panic in the controller; see its log")
		}()
		next.ServeHTTP(w, r)
	})
}
