package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// commit is one of a history.
type commit struct {
	id, parent, subject string
	files               []string // that it changed, those that it made or removed aside
	touched             []string // all that it changed
}

// git runs a command in a repository.
func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s in %s: %s", args[0], dir, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}

// history returns the commits of the current branch along first parents, oldest first,
// merges left out.
func history(dir string) ([]commit, error) {
	out, err := git(dir, "log", "--first-parent", "--no-merges", "--reverse", "--no-renames", "--name-status", "-z", "--format=%x01%H%x02%P%x02%s%x02")
	if err != nil {
		return nil, err
	}
	var commits []commit
	for _, text := range strings.Split(string(out), "\x01")[1:] {
		parts := strings.SplitN(text, "\x02", 4)
		if len(parts) < 4 {
			return nil, fmt.Errorf("git log in %s: %q has no subject", dir, text)
		}
		parent, _, _ := strings.Cut(parts[1], " ")
		c := commit{id: parts[0], parent: parent, subject: parts[2]}
		fields := strings.FieldsFunc(parts[3], func(r rune) bool { return r == 0 || r == '\n' })
		for i := 0; i+1 < len(fields); i += 2 {
			c.touched = append(c.touched, fields[i+1])
			if fields[i] == "M" {
				c.files = append(c.files, fields[i+1])
			}
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// tree returns the files of a commit with the ids of their contents.
func tree(dir, id string) (map[string]string, error) {
	out, err := git(dir, "ls-tree", "-r", "-z", id)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, row := range strings.Split(string(out), "\x00") {
		head, path, ok := strings.Cut(row, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 && fields[1] == "blob" {
			files[path] = fields[2]
		}
	}
	return files, nil
}

// blobs reads contents by their ids, through one lasting git.
type blobs struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	seen map[string]string
}

func openBlobs(dir string) (*blobs, error) {
	b := &blobs{cmd: exec.Command("git", "-C", dir, "cat-file", "--batch"), seen: map[string]string{}}
	var err error
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.out = bufio.NewReader(out)
	return b, b.cmd.Start()
}

func (b *blobs) close() error { return errors.Join(b.in.Close(), b.cmd.Wait()) }

// maxContent is how much of a file is indexed, in bytes.
const maxContent = 16 << 10

// read returns the beginning of a text; "" for what is no text.
func (b *blobs) read(id string) (string, error) {
	if text, known := b.seen[id]; known {
		return text, nil
	}
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return "", err
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return "", err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return "", fmt.Errorf("git cat-file: %s", strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return "", err
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return "", err
	}
	data = data[:min(size, maxContent)]
	if bytes.IndexByte(data, 0) >= 0 {
		data = nil
	}
	b.seen[id] = string(data)
	return b.seen[id], nil
}
