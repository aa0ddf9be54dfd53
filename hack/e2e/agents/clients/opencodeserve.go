package clients

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// OpenCodeServer is an `opencode serve` process that is used over HTTP. It supports several
// conversations in one process and features that the command line does not have.
type OpenCodeServer struct {
	base, dir string
	cmd       *exec.Cmd
	log       *os.File
	exited    chan struct{}
	stop      context.CancelFunc

	mu     sync.Mutex
	events []OpenCodeEvent
}

// OpenCodeEvent is one event of the server's stream.
type OpenCodeEvent struct {
	Type       string          `json:"type"`
	Properties json.RawMessage `json:"properties"`
}

// OpenCodeServed is a Session whose client can be run as a server.
type OpenCodeServed interface {
	// Serve starts a server and returns when the server is listening. The server runs until Close.
	Serve(ctx context.Context, o Options) (*OpenCodeServer, error)
	// Titles returns a variable for Options.Env that makes OpenCode request titles from its model.
	Titles() string
}

// Titles implements OpenCodeServed.
func (s *openCodeSession) Titles() string { return s.config(true) }

var listening = regexp.MustCompile(`listening on (http://\S+)`)

// Serve implements OpenCodeServed.
func (s *openCodeSession) Serve(ctx context.Context, o Options) (*OpenCodeServer, error) {
	ctx, stop := context.WithCancel(ctx)
	v := &OpenCodeServer{stop: stop, exited: make(chan struct{})}
	v.cmd = s.place.start(ctx, o, s.env(), append([]string{"serve", "--port", "0", "--print-logs"}, o.Args...)...)
	v.dir = v.cmd.Dir
	v.cmd.Cancel = func() error { return v.cmd.Process.Signal(os.Interrupt) }
	if err := v.start(s.place.Log); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

// start starts the process and waits for its address.
func (v *OpenCodeServer) start(logs string) (err error) {
	v.log, err = os.OpenFile(filepath.Join(logs, "opencode-serve.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		close(v.exited)
		return err
	}
	v.cmd.Stderr = v.log
	stdout, err := v.cmd.StdoutPipe()
	if err == nil {
		err = v.cmd.Start()
	}
	if err != nil {
		close(v.exited)
		return err
	}
	address := make(chan string, 1)
	go v.read(stdout, address)
	select {
	case v.base = <-address:
		go v.listen()
		return nil
	case <-v.exited:
		return errors.New("opencode serve ended before it listened")
	}
}

// read logs the output of the process until it ends, and sends the address on which the process
// listens.
func (v *OpenCodeServer) read(stdout io.Reader, address chan<- string) {
	defer close(v.exited)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		_, _ = v.log.WriteString(line)
		if found := listening.FindStringSubmatch(line); found != nil {
			select {
			case address <- found[1]:
			default:
			}
		}
		if err != nil {
			_ = v.cmd.Wait() // a failure shows in the requests
			return
		}
	}
}

// Close stops the server and waits until it has ended.
func (v *OpenCodeServer) Close() error {
	v.stop()
	<-v.exited
	if v.log == nil {
		return nil
	}
	return v.log.Close()
}

// PID returns the process ID of the server.
func (v *OpenCodeServer) PID() int { return v.cmd.Process.Pid }

// Call sends a request to the server and decodes the response into out, which may be nil. It
// returns an error response as an error with its text.
func (v *OpenCodeServer) Call(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if in == nil {
		body = nil
	}
	request, err := http.NewRequestWithContext(ctx, method, v.base+path+"?directory="+url.QueryEscape(v.dir), bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, text)
	}
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(text, out)
}

// NewSession starts a conversation and returns its ID.
func (v *OpenCodeServer) NewSession(ctx context.Context) (string, error) {
	var session struct {
		ID string `json:"id"`
	}
	err := v.Call(ctx, http.MethodPost, "/session", map[string]any{}, &session)
	return session.ID, err
}

// Prompt sends a prompt and waits until its turn has ended.
func (v *OpenCodeServer) Prompt(ctx context.Context, session, prompt string) error {
	var message struct {
		Info struct {
			Error json.RawMessage `json:"error"`
		} `json:"info"`
	}
	err := v.Call(ctx, http.MethodPost, "/session/"+session+"/message", map[string]any{
		"parts": []any{map[string]any{"type": "text", "text": prompt}},
	}, &message)
	if err == nil && len(message.Info.Error) > 0 {
		err = fmt.Errorf("the turn ended with an error: %s", message.Info.Error)
	}
	return err
}

// Compact summarizes a conversation, like /compact in the terminal.
func (v *OpenCodeServer) Compact(ctx context.Context, session string) error {
	return v.Call(ctx, http.MethodPost, "/session/"+session+"/summarize", map[string]any{
		"providerID": openCodeProvider, "modelID": openCodeProvider,
	}, nil)
}

// Command runs a slash command. The name does not include the slash.
func (v *OpenCodeServer) Command(ctx context.Context, session, command, arguments string) error {
	return v.Call(ctx, http.MethodPost, "/session/"+session+"/command", map[string]any{"command": command, "arguments": arguments}, nil)
}

// OpenCodeSession is a conversation as the server lists it.
type OpenCodeSession struct {
	ID       string `json:"id"`
	ParentID string `json:"parentID"`
	Title    string `json:"title"`
}

// Sessions returns the project's conversations.
func (v *OpenCodeServer) Sessions(ctx context.Context) ([]OpenCodeSession, error) {
	var all []OpenCodeSession
	err := v.Call(ctx, http.MethodGet, "/session", nil, &all)
	return all, err
}

// Events returns the events so far, oldest first.
func (v *OpenCodeServer) Events() []OpenCodeEvent {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]OpenCodeEvent(nil), v.events...)
}

// listen collects events until the server ends.
func (v *OpenCodeServer) listen() {
	answer, err := http.Get(v.base + "/event?directory=" + url.QueryEscape(v.dir))
	if err != nil {
		return
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		var e OpenCodeEvent
		if data, ok := strings.CutPrefix(line, "data:"); ok && json.Unmarshal([]byte(data), &e) == nil {
			v.mu.Lock()
			v.events = append(v.events, e)
			v.mu.Unlock()
		}
	}
}

// runServed starts a server and sends prompts and commands to one conversation in it.
func (s *openCodeSession) runServed(ctx context.Context, o Options, prompts []string) (Result, error) {
	began := time.Now()
	v, err := s.Serve(ctx, o)
	if err != nil {
		return Result{}, err
	}
	session, err := v.NewSession(ctx)
	for _, prompt := range prompts {
		if err == nil {
			err = v.say(ctx, session, prompt)
		}
	}
	s.ran = true
	return Result{Took: time.Since(began)}, errors.Join(err, v.Close())
}

// say sends a text that a user would type: a prompt or a slash command.
func (v *OpenCodeServer) say(ctx context.Context, session, prompt string) error {
	command, isCommand := strings.CutPrefix(prompt, "/")
	if !isCommand {
		return v.Prompt(ctx, session, prompt)
	}
	name, arguments, _ := strings.Cut(command, " ")
	if name == "compact" {
		return v.Compact(ctx, session)
	}
	return v.Command(ctx, session, name, arguments)
}
