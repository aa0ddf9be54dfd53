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

// questionTimeout is the timeout for a question and its answer. The hook has
// given up long before; the timeout frees its connection.
const questionTimeout = 10 * frame.Timeout

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
		replaced := s.answerHook(conn.(*net.UnixConn), time.Now(), func() { s.hookWorkers.Go(func() { s.acceptHooks(listener) }) })
		if s.options.OnHookAnswer != nil {
			s.options.OnHookAnswer()
		}
		if replaced {
			s.slowConns.Add(-1)
			return
		}
	}
}

// acceptHook returns the next connection of the current user. Only one goroutine
// accepts at a time. After an error other than net.ErrClosed it waits before it
// returns.
func (s *Server) acceptHook(listener *net.UnixListener) (net.Conn, error) {
	s.acceptMu.Lock()
	defer s.acceptMu.Unlock()
	conn, err := ownUserListener{listener, s}.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) { // for example, no file descriptors left
		s.options.Log.Warn("a hook could not be heard", "controller", "serve", "error", err)
		time.Sleep(frame.Timeout)
	}
	return conn, err
}

// answerHook answers one question and closes the connection. If the question is
// slow, it calls replace and returns true.
func (s *Server) answerHook(conn *net.UnixConn, accepted time.Time, replace func()) (replaced bool) {
	defer conn.Close()
	patience := accepted.Add(questionTimeout)
	if conn.SetWriteDeadline(patience) != nil || conn.SetReadDeadline(accepted.Add(slowAfter)) != nil {
		return false
	}
	data, err := readQuestion(conn, make([]byte, 0, usualQuestion))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if replaced = s.slowConns.Add(1) <= maxSlow; replaced {
			replace()
		} else {
			s.slowConns.Add(-1)
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
		patience := frame.Timeout
		if announced.Load() {
			patience = frame.WorkTimeout
		}
		return time.Since(accepted) > patience || hungUp(conn)
	}
	var mu sync.Mutex // guards writes to conn
	answered := false // guarded by mu; nothing may follow the answer
	announce := time.AfterFunc(time.Until(accepted.Add(frame.Timeout/2)), func() {
		mu.Lock()
		defer mu.Unlock()
		if answered {
			return
		}
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
	answered = true
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
	case !sameUser(q.Env):
		return frame.AppendNo(nil, "the controller works with the settings of another home")
	case late(): // the event may be truncated
		return frame.AppendNo(nil, "too late")
	}
	ctx, cancel := context.WithDeadline(s.ctx, accepted.Add(frame.WorkTimeout))
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
			s.options.Log.Error("a hook's question caused a panic", "controller", "serve", "host", q.Host, "panic", p, "stack", string(debug.Stack()))
			answer, why = frame.Answer{}, "broke"
		}
	}()
	answer, answered := by.AnswerHook(ctx, q, pid, late)
	if !answered {
		return answer, "the controller does not know"
	}
	return answer, ""
}

// sameUser reports whether the client's settings directory is the
// controller's. The directory determines what a user trusts.
func sameUser(env []string) bool {
	asked := trust.ConfigDir(func(name string) string { return frame.Getenv(env, name) })
	return asked == trust.ConfigDir(os.Getenv)
}
