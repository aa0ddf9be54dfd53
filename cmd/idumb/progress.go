package main

import (
	"fmt"
	"io"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// progress prints to a terminal how far an operation is that takes longer than a second: four
// times a second, on one line. It prints nothing if the writer is no terminal.
type progress struct {
	writer io.Writer
	now    func() time.Time
	next   time.Time

	live    bool // writer is a terminal
	printed bool
}

// newProgress returns a progress that prints to a terminal, from a second after the call. It
// prints nothing if to is not a terminal.
func newProgress(to io.Writer, now func() time.Time) *progress {
	return &progress{writer: to, now: now, next: now().Add(time.Second), live: terminal.Is(to)}
}

// tell prints that done of the given number of items are done, at most four times a second.
func (p *progress) tell(done, of int) {
	now := p.now()
	if !p.live || !now.After(p.next) {
		return
	}
	p.printed = true
	fmt.Fprintf(p.writer, "\rwriting: %d of %d", done, of)
	p.next = now.Add(time.Second / 4)
}

// end ends the line of the progress, if one was printed.
func (p *progress) end() {
	if p.printed {
		fmt.Fprintln(p.writer)
	}
}
