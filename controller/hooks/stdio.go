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

// Limits of the lasting mode.
const (
	// maxAtOnce limits the lines that are answered concurrently. Lines that
	// hang are included, so that a process in which every line hangs stops
	// answering, and its host ends it.
	maxAtOnce = 32
	// farewell limits how long running answers may take after the input ends.
	farewell = 2 * time.Second
)

// stdio answers lines until the input ends, in the order in which the answers
// are ready. It replaces one process for each event by one lasting process.
type stdio struct {
	answer func(line []byte, say func(res result, late bool)) // with a timeout
	self   program                                            // the running program file, for restarting after an upgrade

	mu     sync.Mutex // protects output
	output io.Writer
}

// serve answers the lines of in until it ends, and returns the exit code. It skips
// empty lines. If the program file was replaced, it continues as the new program.
func (s *stdio) serve(in io.Reader) int {
	var work sync.WaitGroup
	places := make(chan struct{}, maxAtOnce)
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		text, err := readLine(lines, maxInput)
		if err != nil && !errors.Is(err, errLongLine) {
			break // the end, or a read error
		}
		if len(text) == 0 && err == nil {
			continue
		}
		places <- struct{}{}
		work.Go(func() {
			defer func() { <-places }()
			s.answer(text, s.say)
		})
		if s.self.replaced() && waitFor(&work, farewell) && lines.Buffered() == 0 { // input that was already read would be lost
			execute(s.self.path)
		}
	}
	waitFor(&work, farewell)
	return exitOK
}

// waitFor waits until the work is done, for a limited time, and reports whether
// it is done.
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

// say writes a line in one write. It ignores a host that has ended. An answer
// that is too late is not written.
func (s *stdio) say(res result, _ bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.output.Write(res.Stdout)
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line without its end. It skips a line of more than
// max bytes and returns errLongLine; the next call returns the next line. A
// last line without an end is returned too.
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

// program is the program file of this process at the time when the process
// began. The zero program is never replaced.
type program struct {
	path string
	info os.FileInfo // nil if unknown
}

// thisProgram returns the program of this process if the process reads its
// standard input. Otherwise a new program would not continue with the same
// input.
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

// replaced reports whether the program file has been replaced.
func (p program) replaced() bool {
	if p.info == nil {
		return false
	}
	now, err := os.Stat(p.path)
	return err == nil && now.Mode().IsRegular() && (!os.SameFile(now, p.info) || now.Size() != p.info.Size() || !now.ModTime().Equal(p.info.ModTime()))
}
