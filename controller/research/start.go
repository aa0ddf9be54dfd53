package research

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program returns the path of idumb, which runs researchers: in the directory
// of this program, or else in PATH.
func Program() (string, error) {
	if self, err := os.Executable(); err == nil {
		file := filepath.Join(filepath.Dir(self), "idumb"+filepath.Ext(self))
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return exec.LookPath("idumb")
}

// Start runs a request in a separate process without waiting for the answer. It
// returns the name of the delegation, or an error if none was created.
func Start(ctx context.Context, q Request, root string, env []string) (string, error) {
	program, err := Program()
	if err != nil {
		return "", fmt.Errorf("research needs the program idumb: %w", err)
	}
	c := exec.Command(program, "-C", root, "research", "--wait", "--task="+q.Task, "--host="+q.Host, "--from="+q.Role, "--parent="+q.Parent, "--", "-")
	var complaint bytes.Buffer
	c.Dir, c.Env, c.Stdin, c.Stderr = root, env, strings.NewReader(q.Question), &complaint
	alone(c)
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = c.Wait()
		return "", errors.New(strings.TrimPrefix(strings.TrimSpace(complaint.String()), "error: "))
	}
	go c.Wait() // in a long-lived process, so that no zombie remains
	_, name, _ := strings.Cut(strings.TrimSpace(line), "/")
	name, _, _ = strings.Cut(name, " ")
	return name, ctx.Err()
}
