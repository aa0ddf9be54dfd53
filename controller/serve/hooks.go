package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/trust"
)

// questionPatience is how long a whole question and its answer may take on their way. Who
// asks has gone away by then; this keeps a connection from staying for ever.
const questionPatience = 10 * frame.Patience

// acceptHooks answers one connection after the other, until the socket is closed. It is called
// maxAtOnce times at once: who answered before has the stack for it, which somebody new would grow.
func (s *Server) acceptHooks(listener *net.UnixListener) {
	for {
		conn, err := s.acceptHook(listener)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		s.answerHook(conn.(*net.UnixConn), time.Now())
		if s.options.HookAnswered != nil {
			s.options.HookAnswered()
		}
	}
}

// acceptHook returns the next connection, to one at a time.
func (s *Server) acceptHook(listener *net.UnixListener) (net.Conn, error) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	conn, err := ownOnly{listener, s}.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) { // as when there are no descriptors left
		s.options.Log.Warn("a hook could not be heard", "controller", "serve", "error", err)
		time.Sleep(frame.Patience)
	}
	return conn, err
}

// answerHook answers one question and hangs up.
func (s *Server) answerHook(conn *net.UnixConn, accepted time.Time) {
	defer conn.Close()
	if conn.SetDeadline(accepted.Add(questionPatience)) != nil {
		return
	}
	data, err := readQuestion(conn)
	if err != nil {
		return // nobody waits for an answer
	}
	var announced atomic.Bool
	late := func() bool {
		patience := frame.Patience
		if announced.Load() {
			patience = frame.WorkPatience
		}
		return time.Since(accepted) > patience || hungUp(conn)
	}
	var mu sync.Mutex // of what is written
	announce := time.AfterFunc(time.Until(accepted.Add(frame.Patience/2)), func() {
		mu.Lock()
		defer mu.Unlock()
		if _, err := conn.Write([]byte(frame.Waiting)); err == nil {
			announced.Store(true)
		}
	})
	pid := func() int {
		peer, _ := PeerOf(conn) // nobody known, at worst
		return peer.PID
	}
	answer := s.answerTo(data, accepted, pid, late)
	announce.Stop()
	mu.Lock()
	defer mu.Unlock()
	if !late() {
		_, _ = conn.Write(answer)
	}
}

// readQuestion reads until who asks has said all. A longer question than may be is not read
// to its end.
func readQuestion(conn io.Reader) ([]byte, error) {
	const usual = 8 << 10
	data := make([]byte, 0, usual)
	for len(data) <= frame.MaxHead+frame.MaxEvent {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := conn.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// answerTo returns the bytes of the answer, which may be that the hook is to compute.
func (s *Server) answerTo(data []byte, accepted time.Time, pid func() int, late func() bool) []byte {
	q, err := frame.ParseQuestion(data)
	if err != nil {
		return frame.AppendNo(nil, err.Error())
	}
	answerer := s.hooks.Load()
	switch {
	case answerer == nil:
		return frame.AppendNo(nil, "the controller is not ready")
	case !samePerson(q.Env):
		return frame.AppendNo(nil, "the controller works with the settings of another home")
	case late(): // the event may be cut
		return frame.AppendNo(nil, "too late")
	}
	ctx, cancel := context.WithDeadline(s.ctx, accepted.Add(frame.WorkPatience))
	defer cancel()
	answer, why := s.answerOrBreak(ctx, *answerer, q, pid, late)
	if why == "" {
		data, err := answer.Append(nil)
		if err == nil {
			return data
		}
		why = err.Error()
	}
	return frame.AppendNo(nil, why)
}

// answerOrBreak asks the answerer and survives its panic; why it has no answer, or "".
func (s *Server) answerOrBreak(ctx context.Context, by HookAnswerer, q frame.Question, pid func() int, late func() bool) (answer frame.Answer, why string) {
	defer func() {
		if p := recover(); p != nil {
			s.options.Log.Error("a hook's question broke its answer", "controller", "serve", "host", q.Host, "panic", p, "stack", string(debug.Stack()))
			answer, why = frame.Answer{}, "broke"
		}
	}()
	answer, answered := by.AnswerHook(ctx, q, pid, late)
	if !answered {
		return answer, "the controller does not know"
	}
	return answer, ""
}

// samePerson reports whether who asks keeps their settings where the controller looks for
// them: what a person trusts is told by those.
func samePerson(env []string) bool {
	asked := trust.ConfigFolder(func(name string) string { return frame.Get(env, name) })
	return asked == trust.ConfigFolder(os.Getenv)
}
