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

// A hook asks as soon as it has connected. Who has not said all after slowAfter waits beside the others, at
// most maxSlow at once, so that connections that say nothing keep nobody waiting.
const (
	slowAfter = 5 * time.Millisecond
	maxSlow   = 512
)

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
		replaced := s.answerHook(conn.(*net.UnixConn), time.Now(), func() { s.asking.Go(func() { s.acceptHooks(listener) }) })
		if s.options.HookAnswered != nil {
			s.options.HookAnswered()
		}
		if replaced {
			s.slow.Add(-1)
			return
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

// answerHook answers one question and hangs up. It calls replace, and reports so, if the question is slow.
func (s *Server) answerHook(conn *net.UnixConn, accepted time.Time, replace func()) (replaced bool) {
	defer conn.Close()
	patience := accepted.Add(questionPatience)
	if conn.SetWriteDeadline(patience) != nil || conn.SetReadDeadline(accepted.Add(slowAfter)) != nil {
		return false
	}
	data, err := readQuestion(conn, make([]byte, 0, usualQuestion))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if replaced = s.slow.Add(1) <= maxSlow; replaced {
			replace()
		} else {
			s.slow.Add(-1)
		}
		if conn.SetReadDeadline(patience) == nil {
			data, err = readQuestion(conn, data)
		}
	}
	if err != nil {
		return replaced // nobody waits for an answer
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
	return replaced
}

const usualQuestion = 8 << 10

// readQuestion adds to data until who asks has said all. A longer question than may be is not read
// to its end. With an error it returns what was read until then.
func readQuestion(conn io.Reader, data []byte) ([]byte, error) {
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
			return data, err
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
