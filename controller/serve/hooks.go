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

// questionPatience is the timeout for a question and its answer. The hook has
// given up long before; the timeout frees its connection.
const questionPatience = 10 * frame.Patience

// A hook sends its question as soon as it is connected. A question that is
// incomplete after slowAfter no longer blocks other hooks. At most maxSlow such
// questions may be waiting, so that silent connections do not block the server.
const (
	slowAfter = 5 * time.Millisecond
	maxSlow   = 512
)

// acceptHooks answers one connection after the other until the socket is
// closed. maxAtOnce goroutines run it. They are reused, because a new goroutine
// would have to grow its stack.
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

// acceptHook returns the next connection. Only one goroutine accepts at a time.
func (s *Server) acceptHook(listener *net.UnixListener) (net.Conn, error) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	conn, err := ownOnly{listener, s}.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) { // for example, no file descriptors left
		s.options.Log.Warn("a hook could not be heard", "controller", "serve", "error", err)
		time.Sleep(frame.Patience)
	}
	return conn, err
}

// answerHook answers one question and closes the connection. If the question is
// slow, it calls replace and returns true.
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
		return replaced // the hook is not waiting for an answer
	}
	var announced atomic.Bool
	late := func() bool {
		patience := frame.Patience
		if announced.Load() {
			patience = frame.WorkPatience
		}
		return time.Since(accepted) > patience || hungUp(conn)
	}
	var mu sync.Mutex // guards writes to conn
	announce := time.AfterFunc(time.Until(accepted.Add(frame.Patience/2)), func() {
		mu.Lock()
		defer mu.Unlock()
		if _, err := conn.Write([]byte(frame.Waiting)); err == nil {
			announced.Store(true)
		}
	})
	pid := func() int {
		peer, _ := PeerOf(conn) // without a peer if unknown
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

// readQuestion appends the whole question to data. It stops reading a question
// that exceeds the maximum length. If it fails, it returns the data read before
// the error.
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

// answerTo returns the encoded answer, which may tell the hook to compute it
// itself.
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
	case late(): // the event may be truncated
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

// answerOrBreak asks the answerer and recovers from a panic. why is the reason
// for a missing answer, or "".
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

// samePerson reports whether the client's settings directory is the
// controller's. The directory determines what a user trusts.
func samePerson(env []string) bool {
	asked := trust.ConfigFolder(func(name string) string { return frame.Get(env, name) })
	return asked == trust.ConfigFolder(os.Getenv)
}
