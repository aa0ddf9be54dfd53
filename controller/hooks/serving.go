package hooks

import (
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/trust"
)

// Request is an event that a hook sends to the controller.
type Request struct {
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

	mu       sync.Mutex
	watchers map[string]*watchedWork // by the lasting process of a host
}

// NewServer returns the server of a repository.
func NewServer(root Root, backend Backend) *Server {
	backend.trusts = new(trust.Last)
	return &Server{root: root, backend: backend, watchers: map[string]*watchedWork{}}
}

// Answer answers an event. It returns false if the event is not for this
// repository.
func (s *Server) Answer(q Request) (Answered, bool) {
	if child := environment(q.Env).get(lastingVariable); child != "" && IsLasting(q.Host) {
		return s.answerLine(q, child)
	}
	host, known := hosts.ByName(q.Host)
	if !known {
		return Answered{}, false
	}
	r := s.run(q, host)
	res := r.compute(q.Event, nil)
	return res.Answered, !res.otherRepository
}

// run returns a run of the hook for an event, with the data of the controller.
func (s *Server) run(q Request, host hosts.Host) run {
	return run{host: host, env: q.Env, now: q.Now, called: q.Cwd, backend: s.backend, serving: s.root, pid: q.PID, timedOut: q.Late}
}

// lastingVariable names, in the environment of an event, the process that
// answers all events of its host, one a line. Programs started by that process
// may inherit it, including agents of other hosts.
const lastingVariable = "IDUMB_LASTING"

// answerLine answers a line of OpenCode's lasting process child. It returns false for an
// unreadable line or another repository.
func (s *Server) answerLine(q Request, child string) (Answered, bool) {
	x := &opencodeExchange{run: s.run(q, hosts.OpenCode{}), process: s.watchedBy(child, q.Now), line: q.Event}
	in, err := hosts.ReadRequest(x.line)
	if err != nil {
		return Answered{}, false
	}
	res := x.reply(in)
	return res.Answered, !res.otherRepository
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
	w := s.watchers[child]
	if w == nil {
		if len(s.watchers) >= maxWatching {
			delete(s.watchers, s.leastRecent())
		}
		w = newWatchedWork()
		s.watchers[child] = w
	}
	w.lastRequest = now
	return w
}

// leastRecent returns the process with the oldest request.
func (s *Server) leastRecent() (child string) {
	for c, w := range s.watchers {
		if child == "" || w.lastRequest.Before(s.watchers[child].lastRequest) {
			child = c
		}
	}
	return child
}
