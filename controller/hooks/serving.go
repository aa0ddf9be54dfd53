package hooks

import (
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/trust"
)

// Asked is an event that a hook sends to the controller.
type Asked struct {
	Host  string   // the name of the host
	Cwd   string   // the folder in which the hook was called
	Env   []string // the relevant variables of its environment
	Event []byte   // as the host sent it
	Now   time.Time
	PID   func() int  // the process ID of the hook, or 0 if unknown; may be nil
	Late  func() bool // reports whether the hook computes the answer itself and ignores this one; nil if the hook waits
}

// Server answers events in the controller, in the same way as Main. It is safe
// for concurrent use.
type Server struct {
	root    Root
	backend Backend

	mu      sync.Mutex
	watched map[string]*watchedWork // by the lasting process of a host
}

// NewServer returns the server of a repository.
func NewServer(root Root, backend Backend) *Server {
	backend.trusts = new(trust.Last)
	return &Server{root: root, backend: backend, watched: map[string]*watchedWork{}}
}

// Answer answers an event. It returns false if the event is not for this
// repository.
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

// run returns a run that uses the backend.
func (s *Server) run(q Asked, host hosts.Host) run {
	return run{host: host, env: q.Env, now: q.Now, called: q.Cwd, backend: s.backend, serving: s.root, pid: q.PID, late: q.Late}
}

// lastingVariable names, in the environment of an event, the process that
// answers all events of its host, one a line. Programs started by that process
// may inherit it, including agents of other hosts.
const lastingVariable = "IDUMB_LASTING"

// answerLine answers a line of a lasting process.
func (s *Server) answerLine(q Asked, child string) (Answered, bool) {
	x := &opencodeExchange{run: s.run(q, hosts.OpenCode{}), watched: s.watchedBy(child, q.Now), line: q.Event}
	in, err := hosts.ReadRequest(x.line)
	if err != nil {
		return Answered{}, false
	}
	res := x.reply(in)
	return res.Answered, !res.elsewhere
}

// maxWatching limits the lasting processes in memory. A process that was
// removed only misses a message about its work.
const maxWatching = 64

// watchedBy returns the state for a lasting process. The end of a process is
// not reported, so the process with the oldest request is removed to make room
// for a new one.
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

// quietest returns the process with the oldest request.
func (s *Server) quietest() (child string) {
	for c, w := range s.watched {
		if child == "" || w.heard.Before(s.watched[child].heard) {
			child = c
		}
	}
	return child
}
