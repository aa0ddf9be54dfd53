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

// Program returns a function that starts a program which runs Serve. The
// program is in the directory of the current executable or in the user's PATH.
// It gets no environment.
func Program(name string) func() (io.ReadWriteCloser, error) {
	return func() (io.ReadWriteCloser, error) {
		file, err := find(name)
		if err != nil {
			return nil, &engine.PersonError{Err: err, Step: "install it in the directory of idumb, or in a directory of PATH"}
		}
		return run(file)
	}
}

// find searches for a program in the directory of the current executable, then
// in PATH.
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

// process is a running program with its output.
type process struct {
	io.WriteCloser
	io.Reader
	cmd    *exec.Cmd
	stderr *tail
	once   sync.Once
	err    error
}

// run starts a program without environment variables, in the temporary
// directory.
func run(file string) (*process, error) {
	p := &process{cmd: exec.Command(file), stderr: &tail{}}
	p.cmd.Env = []string{"SystemRoot=" + os.Getenv("SystemRoot")} // Windows needs it to find its libraries
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = os.TempDir(), p.stderr, time.Second
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

// endTimeout is how long a program may take to end after its input is closed.
const endTimeout = 2 * time.Second

// Close closes the program's input and kills it after a timeout. If the program
// failed, the error contains its last output.
func (p *process) Close() error {
	p.once.Do(func() {
		_ = p.WriteCloser.Close()
		force := time.AfterFunc(endTimeout, func() { _ = p.cmd.Process.Kill() })
		defer force.Stop()
		if err := p.cmd.Wait(); err != nil {
			p.err = fmt.Errorf("%s: %w%s", filepath.Base(p.cmd.Path), err, p.stderr.last())
		}
	})
	return p.err
}

// tail keeps the end of a program's output.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write appends output and keeps only its last 2,000 bytes.
func (t *tail) Write(data []byte) (int, error) {
	const most = 2000
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, data...)
	t.text = bytes.Clone(t.text[max(0, len(t.text)-most):])
	return len(data), nil
}

// last returns the last output, as the end of an error.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := strings.TrimSpace(string(t.text)); text != "" {
		return ": " + text
	}
	return ""
}
