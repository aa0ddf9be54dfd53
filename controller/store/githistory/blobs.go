package githistory

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// blobs reads git objects by ID. It is safe for concurrent use. The caller must
// close it.
type blobs struct {
	mu      sync.Mutex // guards all fields
	process *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
	broken  error // the position in git's output is unknown after an error
}

// openBlobs starts the git process that reads objects.
func openBlobs(ctx context.Context, root layout.Root) (*blobs, error) {
	b := &blobs{process: command(ctx, root, "cat-file", "--batch")}
	var err error
	if b.input, err = b.process.StdinPipe(); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	pipe, err := b.process.StdoutPipe()
	if err == nil {
		err = b.process.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	b.output = bufio.NewReader(pipe)
	return b, nil
}

// maxBlob is the maximum size of a file that is read, in bytes.
const maxBlob = 1 << 20

// errLarge and errAbsent are reasons why an object is not read.
var (
	errLarge  = errors.New("larger than 1 MiB")
	errAbsent = errors.New("it is missing here")
)

// read returns the content of an object. It returns errLarge if it exceeds
// maxBlob.
func (b *blobs) read(id string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken != nil {
		return nil, b.broken
	}
	size, err := b.ask(id)
	if errors.Is(err, errAbsent) {
		return nil, err
	}
	if err != nil {
		b.broken = fmt.Errorf("git cat-file %s: %w", id, err)
		return nil, b.broken
	}
	data := make([]byte, min(size, maxBlob))
	if _, err = io.ReadFull(b.output, data); err == nil {
		_, err = io.CopyN(io.Discard, b.output, size-int64(len(data))+1) // including the newline at the end
	}
	if err != nil {
		b.broken = fmt.Errorf("git cat-file %s: %w", id, err)
		return nil, b.broken
	}
	if size > maxBlob {
		return nil, errLarge
	}
	return data, nil
}

// ask requests an object and returns its size.
func (b *blobs) ask(id string) (size int64, err error) {
	if _, err = io.WriteString(b.input, id+"\n"); err != nil {
		return 0, err
	}
	head, err := b.output.ReadString('\n')
	if err != nil {
		return 0, err
	}
	words := strings.Fields(head)
	if len(words) > 1 && words[len(words)-1] == "missing" {
		return 0, errAbsent
	}
	if len(words) != 3 || words[1] != "blob" {
		return 0, errors.New("not the content of a file")
	}
	length, err := strconv.ParseUint(words[2], 10, 62)
	return int64(length), err
}

// Close ends the git process.
func (b *blobs) Close() error {
	_ = b.input.Close()
	return b.process.Wait()
}

// maxVersions is the maximum number of commits of a file that are read.
const maxVersions = 200

// Versions yields the versions of a file in the commits reachable from HEAD, newest
// first. It yields at most maxVersions versions and omits those over 1 MiB. It
// yields nothing without git.
func Versions(ctx context.Context, root layout.Root, file string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		raw, err := git(ctx, root, "--literal-pathspecs", "log", "-n", strconv.Itoa(maxVersions), "--format=", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=d", "--", file)
		if err != nil || len(raw) == 0 {
			return
		}
		held, err := openBlobs(ctx, root)
		if err != nil {
			return
		}
		defer held.Close()
		for line := range strings.Lines(string(raw)) { // :MODE MODE BEFORE AFTER STATUS<tab>FILE
			fields := strings.Fields(line)
			if len(fields) < 5 || hexOf(fields[3]) == "" {
				continue
			}
			data, err := held.read(fields[3])
			if err != nil && !errors.Is(err, errLarge) || err == nil && !yield(data) {
				return
			}
		}
	}
}
