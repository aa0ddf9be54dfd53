package tools

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress is what a command has written since the last one.
type Progress struct {
	Text  string // without what a terminal would act on; of much, the end
	Bytes int64  // of output so far, all in all
}

type progressKey struct{}

// WithProgress returns a context under which a call that takes its time tells how it goes:
// report is called with what a command writes, while it runs, from one goroutine and never
// after the call has been answered.
func WithProgress(ctx context.Context, report func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

const (
	// progressEvery is how often a command's output is reported.
	progressEvery = 250 * time.Millisecond
	// maxProgress is how much of the output one report holds, in bytes: who follows it
	// sees the newest; the answer holds the beginning and the end.
	maxProgress = 4000
)

// reporter hands on what is written to it, a few times a second.
type reporter struct {
	report func(Progress)
	stop   chan struct{}
	done   chan struct{}

	mu      sync.Mutex
	pending []byte
	lost    bool
	bytes   int64
}

// reported returns what a command is to write to so that its output is kept in out and
// reported, if the context asks for that, and a function that ends the reports.
func reported(ctx context.Context, out io.Writer) (w io.Writer, end func()) {
	report, ok := ctx.Value(progressKey{}).(func(Progress))
	if !ok {
		return out, func() {}
	}
	r := &reporter{report: report, stop: make(chan struct{}), done: make(chan struct{})}
	go r.run()
	return io.MultiWriter(out, r), func() {
		close(r.stop)
		<-r.done
	}
}

// Write keeps the end of what has not been reported.
func (r *reporter) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes += int64(len(p))
	r.pending = append(r.pending, p[max(0, len(p)-maxProgress):]...)
	if over := len(r.pending) - maxProgress; over > 0 {
		r.pending, r.lost = append(r.pending[:0], r.pending[over:]...), true
	}
	return len(p), nil
}

func (r *reporter) run() {
	defer close(r.done)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			r.flush(false)
		case <-r.stop:
			r.flush(true)
			return
		}
	}
}

// flush reports whole lines, and at the end what is left. A prompt without an end of its
// line is reported with what comes behind it.
func (r *reporter) flush(all bool) {
	r.mu.Lock()
	n := len(r.pending)
	if !all {
		n = strings.LastIndexByte(string(r.pending), '\n') + 1
	}
	text, lost, bytes := string(r.pending[:n]), r.lost, r.bytes
	r.pending = append(r.pending[:0], r.pending[n:]...)
	r.lost = r.lost && n == 0
	r.mu.Unlock()
	text = strings.TrimRight(plainOutput(strings.ToValidUTF8(text, "?")), "\n")
	if text == "" {
		return
	}
	if lost {
		text = "[...]\n" + text
	}
	r.report(Progress{Text: text, Bytes: bytes})
}
