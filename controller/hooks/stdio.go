package hooks

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// Bounds of the lasting mode.
const (
	// maxAtOnce is how many lines are answered at a time. Those that hang hold
	// their place, so that a process in which everything hangs falls silent, and
	// its host ends it.
	maxAtOnce = 32
	// farewell is how long answers may take that are under way when the input ends.
	farewell = 2 * time.Second
)

// stdio answers lines in the order in which they are done, until the input ends:
// one lasting process in place of one for each event.
type stdio struct {
	answer func(line []byte, say func(res result, late bool)) // in time
	self   program                                            // the file that runs, for another one in its place

	mu  sync.Mutex // of out
	out io.Writer
}

// serve returns the exit code. Lines that are empty are passed over.
func (s *stdio) serve(in io.Reader) int {
	var work sync.WaitGroup
	places := make(chan struct{}, maxAtOnce)
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		text, err := readLine(lines, maxInput)
		if err != nil && !errors.Is(err, errLongLine) {
			break // the end, or nothing more to be had
		}
		if len(text) == 0 && err == nil {
			continue
		}
		places <- struct{}{}
		work.Go(func() {
			defer func() { <-places }()
			s.answer(text, s.say)
		})
		if s.self.replaced() && waitFor(&work, farewell) && lines.Buffered() == 0 { // what was read already would be lost
			execute(s.self.path)
		}
	}
	waitFor(&work, farewell)
	return exitOK
}

// waitFor waits until the work is done, but not for ever; true if it is.
func waitFor(work *sync.WaitGroup, patience time.Duration) bool {
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// say writes a line in one piece. A host that is gone does not matter, and what an answer comes to
// that hangs is not said any more.
func (s *stdio) say(res result, _ bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.out.Write(res.Stdout)
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line without its end. Of one that is longer than max
// bytes nothing is kept, and the error is errLongLine; the lines after it are read as
// if it had not been. A last line without an end counts.
func readLine(r *bufio.Reader, max int) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > max; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLongLine
		case err != nil && len(line) == 0:
			return nil, err
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}

// program is the file that this process runs, as it was when the process began. The zero program
// is never replaced.
type program struct {
	path string
	info os.FileInfo // nil: not known
}

// thisProgram is this process's, if it is the one that reads its standard input: else another
// program in its place would not go on with that.
func thisProgram(stdin io.Reader) program {
	if stdin != os.Stdin {
		return program{}
	}

	path, err := os.Executable()
	if err != nil {
		return program{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return program{}
	}
	return program{path, info}
}

// replaced reports whether there is another file in its place.
func (p program) replaced() bool {
	if p.info == nil {
		return false
	}
	now, err := os.Stat(p.path)
	return err == nil && now.Mode().IsRegular() && (!os.SameFile(now, p.info) || now.Size() != p.info.Size() || !now.ModTime().Equal(p.info.ModTime()))
}
