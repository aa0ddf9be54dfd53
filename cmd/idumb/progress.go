package main

import (
	"fmt"
	"io"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// progress tells a person at a terminal, on stderr, how far something is that takes longer than a second: four times a
// second, on one line. To anything else it tells nothing.
type progress struct {
	writer io.Writer
	now    func() time.Time
	next   time.Time

	live    bool // to is a terminal
	printed bool
}

func newProgress(to io.Writer, now func() time.Time) *progress {
	return &progress{writer: to, now: now, next: now().Add(time.Second), live: terminal.Is(to)}
}

func (p *progress) tell(done, of int) {
	now := p.now()
	if !p.live || !now.After(p.next) {
		return
	}
	p.printed = true
	fmt.Fprintf(p.writer, "\rwriting: %d of %d", done, of)
	p.next = now.Add(time.Second / 4)
}

func (p *progress) end() {
	if p.printed {
		fmt.Fprintln(p.writer)
	}
}
