package progengine

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Program starts a program that Serve runs in, by its name: it stands beside the one that runs, or
// where the person's PATH says. It gets nothing of the environment.
func Program(name string) func() (io.ReadWriteCloser, error) {
	return func() (io.ReadWriteCloser, error) {
		file, err := find(name)
		if err != nil {
			return nil, &engine.PersonError{Err: err, Step: "install it beside idumb, or in a folder of your PATH"}
		}
		return run(file)
	}
}

// find looks for a program beside this one, then in the person's PATH.
func find(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name+filepath.Ext(self))
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	file, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s is not here: %w", name, err)
	}
	return file, nil
}

// process is a program that runs, and what it says.
type process struct {
	io.WriteCloser
	io.Reader
	cmd  *exec.Cmd
	said *tail
	once sync.Once
	err  error
}

func run(file string) (*process, error) {
	p := &process{cmd: exec.Command(file), said: &tail{}}
	p.cmd.Env = []string{"SystemRoot=" + os.Getenv("SystemRoot")} // windows finds its libraries by it
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = os.TempDir(), p.said, time.Second
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.WriteCloser, p.Reader = in, out
	return p, p.cmd.Start()
}

// ending is how long a program may take to end by itself.
const ending = 2 * time.Second

// Close ends the program: by an end of what it reads, and by force where that is not enough. The
// error is what it said last, of one that did not end well.
func (p *process) Close() error {
	p.once.Do(func() {
		_ = p.WriteCloser.Close()
		force := time.AfterFunc(ending, func() { _ = p.cmd.Process.Kill() })
		defer force.Stop()
		if err := p.cmd.Wait(); err != nil {
			p.err = fmt.Errorf("%s: %w%s", filepath.Base(p.cmd.Path), err, p.said.last())
		}
	})
	return p.err
}

// tail keeps the last of what a program says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(data []byte) (int, error) {
	const most = 2000
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, data...)
	t.text = bytes.Clone(t.text[max(0, len(t.text)-most):])
	return len(data), nil
}

// last is what was said last, for the end of an error.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := strings.TrimSpace(string(t.text)); text != "" {
		return ": " + text
	}
	return ""
}
