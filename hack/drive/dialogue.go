package drive

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// patience is the timeout of an answer.
const patience = time.Minute

// Dialogue is a running program that answers lines of JSON by lines of JSON with the same "id",
// such as idumb-mcp, and idumb-hook for OpenCode's plugin. It is not safe for concurrent use.
type Dialogue struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	lines    chan map[string]any
	requests int
}

// Talk starts a built program in the repository for a dialogue. The caller must close it. The
// program starts no controller.
func (r *Repo) Talk(program string, args ...string) (*Dialogue, error) {
	d := &Dialogue{cmd: exec.Command(r.Bin.Path(program), args...), lines: make(chan map[string]any, 100)}
	d.cmd.Dir, d.cmd.Env, d.cmd.Stderr = r.Dir, r.order().Env, os.Stderr
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go d.listen(out)
	return d, nil
}

func (d *Dialogue) listen(out io.Reader) {
	defer close(d.lines)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line map[string]any
		if json.Unmarshal(lines.Bytes(), &line) == nil {
			d.lines <- line
		}
	}
}

// Ask sends a line with a new "id" and returns the answer with this id. It ignores other lines.
func (d *Dialogue) Ask(line map[string]any) (map[string]any, error) {
	d.requests++
	line["id"] = d.requests
	if err := d.Tell(line); err != nil {
		return nil, err
	}
	late := time.After(patience)
	for {
		select {
		case answer, open := <-d.lines:
			if !open {
				return nil, fmt.Errorf("%s ended without an answer", d.cmd.Path)
			}
			if answer["id"] == float64(d.requests) {
				return answer, nil
			}
		case <-late:
			return nil, fmt.Errorf("%w after %s: %s does not answer", ErrTimeout, patience, d.cmd.Path)
		}
	}
}

// Tell sends a line that needs no answer.
func (d *Dialogue) Tell(line map[string]any) error {
	data, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = d.in.Write(append(data, '\n'))
	return err
}

// Close closes the program's input, and kills the program if it does not exit.
func (d *Dialogue) Close() error {
	d.in.Close()
	end := time.AfterFunc(patience, func() { d.cmd.Process.Kill() })
	defer end.Stop()
	for range d.lines { // drain the output until the program exits
	}
	return d.cmd.Wait()
}
