package hooks

import (
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/trust"
)

// Asked is an event that a hook passes on to the controller.
type Asked struct {
	Host  string   // as hosts are named
	Cwd   string   // the folder that the hook was called in
	Env   []string // what of its environment decides
	Event []byte   // as the host sent it
	Now   time.Time
	PID   func() int  // of the hook's process, 0 if that is not known; nil: it never is
	Late  func() bool // reports whether the hook computes by now, and is given no answer; nil: it waits
}

// Server answers events in the controller, as Main would. Any number of goroutines may use it.
type Server struct {
	root    Root
	backend Backend

	mu      sync.Mutex
	watched map[string]*watchedWork // by the child of a host's that lasts
}

// NewServer returns the server of a repository.
func NewServer(root Root, backend Backend) *Server {
	backend.trusts = new(trust.Last)
	return &Server{root: root, backend: backend, watched: map[string]*watchedWork{}}
}

// Answer answers an event; false if it is none of this repository's.
func (s *Server) Answer(q Asked) (Answered, bool) {
	if child := environment(q.Env).get(lastingVariable); child != "" && IsLasting(q.Host) {
		return s.answerLine(q, child)
	}
	host, known := hosts.Named(q.Host)
	if !known {
		return Answered{}, false
	}
	r := s.run(q, host)
	res := r.compute(q.Event, nil)
	return res.Answered, !res.elsewhere
}

// run is one that answers from the backend.
func (s *Server) run(q Asked, host hosts.Host) run {
	return run{host: host, env: q.Env, now: q.Now, called: q.Cwd, backend: s.backend, serving: s.root, pid: q.PID, late: q.Late}
}

// lastingVariable names, in an event's environment, the process that answers all events of its
// host, one line each. What such a process starts may inherit it, agents of other hosts among them.
const lastingVariable = "IDUMB_LASTING"

// answerLine answers a line of a process that lasts.
func (s *Server) answerLine(q Asked, child string) (Answered, bool) {
	x := &opencodeExchange{run: s.run(q, hosts.OpenCode{}), watched: s.watchedBy(child, q.Now), line: q.Event}
	in, err := hosts.ReadRequest(x.line)
	if err != nil {
		return Answered{}, false
	}
	res := x.reply(in)
	return res.Answered, !res.elsewhere
}

// maxWatching is how many processes that last are remembered. One that was forgotten and asks
// again has missed a message about its work, and nothing else.
const maxWatching = 64

// watchedBy is what a process that lasts watches. Nobody says when one has ended, so the one
// that was not heard of for the longest time makes room for a new one.
func (s *Server) watchedBy(child string, now time.Time) *watchedWork {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.watched[child]
	if w == nil {
		if len(s.watched) >= maxWatching {
			delete(s.watched, s.quietest())
		}
		w = newWatchedWork()
		s.watched[child] = w
	}
	w.heard = now
	return w
}

// quietest is the process that was not heard of for the longest time.
func (s *Server) quietest() (child string) {
	for c, w := range s.watched {
		if child == "" || w.heard.Before(s.watched[child].heard) {
			child = c
		}
	}
	return child
}
