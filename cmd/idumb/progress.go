package main

import (
	"fmt"
	"io"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/terminal"
)

// progress tells, on stderr, how far something is that takes longer than a second: to a person at a
// terminal four times a second on one line, to anything else a line every five seconds.
type progress struct {
	to   io.Writer
	now  func() time.Time
	next time.Time

	live bool // to is a terminal
	told bool
}

func newProgress(to io.Writer, now func() time.Time) *progress {
	return &progress{to: to, now: now, next: now().Add(time.Second), live: terminal.Is(to)}
}

func (p *progress) tell(done, of int) {
	now := p.now()
	if !now.After(p.next) {
		return
	}
	if p.told = true; p.live {
		fmt.Fprintf(p.to, "\rwriting: %d of %d", done, of)
		p.next = now.Add(time.Second / 4)
		return
	}
	fmt.Fprintf(p.to, "writing: %d of %d\n", done, of)
	p.next = now.Add(5 * time.Second)
}

func (p *progress) end() {
	if p.told && p.live {
		fmt.Fprintln(p.to)
	}
}
