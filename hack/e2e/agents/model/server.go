package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// maxBody is the size of the largest accepted request, in bytes.
const maxBody = 64 << 20

// Server answers requests from a script. It is safe for concurrent use.
type Server struct {
	http *http.Server
	url  string
	log  *os.File

	mu       sync.Mutex
	lanes    []*laneState
	requests []*Request
	systems  map[string]string // the last system prompt, by conversation
	refused  []string
	problems []string
	answers  int
}

// laneState is a lane and the number of its steps that were played.
type laneState struct {
	Lane
	next   int
	delays int // how many times the next step was delayed
}

// maxWaits is the number of times that a step is delayed before it is played anyway.
const maxWaits = 10

// Start starts a server on a free loopback port. It runs until Close. Every request is written as
// one line of JSON to the file named log.
func Start(log string) (*Server, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s := &Server{url: "http://" + listener.Addr().String(), log: file, systems: map[string]string{}}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go s.http.Serve(listener) // ends with Close
	return s, nil
}

// URL returns the server's address without a path. The server is also a proxy that refuses all
// requests, so that a client's attempt to connect outside loopback fails and is recorded.
func (s *Server) URL() string { return s.url }

// Close stops the server and ends pending requests.
func (s *Server) Close() error { return errors.Join(s.http.Close(), s.log.Close()) }

// Play replaces the script. All lanes start at their first step.
func (s *Server) Play(lanes ...Lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lanes = nil
	for _, l := range lanes {
		s.lanes = append(s.lanes, &laneState{Lane: l})
	}
}

// Requests returns all requests so far, oldest first.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Refused returns the addresses outside loopback that clients tried to reach.
func (s *Server) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.refused...)
}

// Problems returns the differences from the script, such as a request without a wanted text, or a
// step that was never played. It then clears the list.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.problems
	for _, l := range s.lanes {
		if l.next < len(l.Steps) && !l.Optional {
			found = append(found, fmt.Sprintf("the model's lane %q ended after %d of %d steps", l.Name, l.next, len(l.Steps)))
		}
	}
	s.problems = nil
	return found
}

// ServeHTTP answers a client.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d, ok := dialectOf(r)
	if !ok {
		s.serveOther(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	request := &Request{Time: time.Now(), Header: r.Header, Body: body, Streamed: strings.HasSuffix(r.URL.Path, streamedContent)}
	if err == nil {
		err = d.read(body, request)
	}
	if err != nil {
		s.complain("a client sent a request that cannot be read: " + err.Error())
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	turn, id := s.turn(request)
	if err := d.answer(w, request, turn, id); err != nil && r.Context().Err() == nil {
		s.complain("an answer could not be written: " + err.Error())
	}
}

// turn returns the answer to a request. It runs a step's action without the lock, so that other
// requests can be answered during the action.
func (s *Server) turn(r *Request) (Turn, int) {
	step, id := s.next(r)
	for _, c := range step.check(r) {
		s.complain(fmt.Sprintf("request %d (%s) %s", r.N, r.Lane, c))
	}
	return step.Turn, id
}

// next returns the next step of the lane that a request belongs to.
func (s *Server) next(r *Request) (Step, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notice(r)
	step := Say("Done.")
	r.Lane = "nobody"
	for _, l := range s.lanes {
		if l.Match != nil && !l.Match(r) {
			continue
		}
		r.Lane = l.Name
		if l.Rest.Text != "" || l.Rest.Calls != nil {
			step = l.Rest
		}
		step = l.take(r, step)
		break
	}
	s.requests = append(s.requests, r)
	r.N = len(s.requests)
	s.answers++
	s.record(r)
	return step, s.answers
}

// notice sets Told by comparing a request's system prompt with the last one in its conversation.
func (s *Server) notice(r *Request) {
	if name := r.Conversation(); name != "" {
		last, known := s.systems[name]
		r.SystemChanged = !known || last != r.System
		s.systems[name] = r.System
	}
}

// take returns the next step of a lane. It returns the step's Meanwhile answer if the step has to
// wait, or otherwise if all steps are used.
func (l *laneState) take(r *Request, otherwise Step) Step {
	if l.next == len(l.Steps) {
		return otherwise
	}
	step := l.Steps[l.next]
	if step.waits(r) && l.delays < maxWaits {
		l.delays++
		r.Lane = fmt.Sprintf("%s before %d", l.Name, l.next+1)
		return Step{Turn: step.WaitTurn}
	}
	l.next++
	l.delays = 0
	r.Lane = fmt.Sprintf("%s %d", l.Name, l.next)
	return step
}

// record writes a request to the log without the API keys that a client sends.
func (s *Server) record(r *Request) {
	header := r.Header.Clone()
	for name := range header {
		if lower := strings.ToLower(name); strings.Contains(lower, "auth") || strings.Contains(lower, "key") || strings.Contains(lower, "cookie") {
			delete(header, name)
		}
	}
	line, err := json.Marshal(map[string]any{"n": r.N, "time": r.Time, "lane": r.Lane, "header": header, "new": r.New(), "body": r.Body})
	if err == nil {
		_, err = s.log.Write(append(line, '\n'))
	}
	if err != nil {
		s.problems = append(s.problems, "the log of requests: "+err.Error())
	}
}

func (s *Server) complain(problem string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, problem)
}

// serveOther answers requests that are not for the model: lists of models, token counts, and
// attempts to leave loopback through the proxy.
func (s *Server) serveOther(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect || r.URL.Host != "" {
		s.refuse(r.URL)
		http.Error(w, "nothing beyond loopback is reached from here", http.StatusForbidden)
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		n, _ := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
		_ = writeJSON(w, http.StatusOK, map[string]any{"totalTokens": n/4 + 1})
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		n, _ := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
		_ = writeJSON(w, http.StatusOK, map[string]any{"input_tokens": n/4 + 1})
	case strings.HasSuffix(r.URL.Path, "/models"):
		_ = writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{}, "models": []any{}, "has_more": false})
	case r.URL.Path == "/":
		_ = writeJSON(w, http.StatusOK, map[string]any{})
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) refuse(to *url.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, to.Host+to.Path)
}

func writeJSON(w http.ResponseWriter, code int, v any) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	return json.NewEncoder(w).Encode(v)
}
