package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// AskHook returns a function that sends a hook's event to the controller. It is
// for the idumb program, which starts slowly anyway. idumb-hook has a faster
// implementation.
func AskHook(version string) hooks.AskController {
	return func(host string, env []string, event []byte) (hooks.Answered, error) {
		cwd, err := os.Getwd()
		if err != nil {
			return hooks.Answered{}, err
		}
		root, err := layout.FindFor(layout.Project(env), cwd)
		if err != nil {
			return hooks.Answered{}, err
		}
		a, err := askHook(root, frame.Question{Host: host, Version: version, Cwd: cwd, Env: frame.RelevantEnv(env), Event: event})
		if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
			err = hooks.ErrSilent
		}
		switch {
		case errors.Is(err, frame.ErrOlder):
			err = errors.Join(err, stopOlder(root))
		case errors.Is(err, frame.ErrNewer):
			err = hooks.ErrNewer
		}
		return hooks.Answered{Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit}, err
	}
}

// stopOlder stops a controller that this version does not understand, so that a
// controller of this version is started. All versions understand the request.
func stopOlder(root layout.Root) error {
	ctx, cancel := context.WithTimeout(context.Background(), frame.Timeout)
	defer cancel()
	client, err := Dial(ctx, root)
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Ask(ctx, http.MethodPost, "/stop", nil)
}

// askHook sends one question to the controller of a repository.
func askHook(root layout.Root, q frame.Question) (frame.Answer, error) {
	head, err := q.AppendHead(nil)
	if err != nil {
		return frame.Answer{}, err
	}
	conn, _, err := dial(context.Background(), root, layout.HookSocket)
	if err != nil {
		return frame.Answer{}, err
	}
	defer conn.Close()
	err = conn.SetDeadline(time.Now().Add(frame.Timeout))
	if err == nil {
		_, err = conn.Write(append(head, q.Event...))
	}
	if err == nil {
		err = conn.CloseWrite()
	}
	if err != nil {
		return frame.Answer{}, fmt.Errorf("send the query to the controller: %w", err)
	}
	data, err := readAnswer(conn)
	if err != nil {
		return frame.Answer{}, fmt.Errorf("read the controller's answer: %w", err)
	}
	return frame.ParseAnswer(data)
}

// readAnswer reads the full answer. It extends the deadline if the controller
// announces its answer.
func readAnswer(conn net.Conn) ([]byte, error) {
	first := make([]byte, len(frame.Waiting))
	n, err := io.ReadFull(conn, first)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(first[:n]) == frame.Waiting {
		n = 0
		if err := conn.SetDeadline(time.Now().Add(frame.WorkTimeout)); err != nil {
			return nil, err
		}
	}
	rest, err := io.ReadAll(conn)
	return append(first[:n], rest...), err
}
