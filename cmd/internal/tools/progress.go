package tools

import (
	"bytes"
	"context"
	"time"
)

// Progress contains the output of a command since the previous report.
type Progress struct {
	Text  string // without control sequences; only the end of a long output
	Bytes int64  // the total number of bytes of output so far
}

// progressKey is the key of the report function in a context.
type progressKey struct{}

// WithProgress returns a context in which a long call reports its progress. While a command runs,
// report is called with its new output, from one goroutine and never after the call has ended.
func WithProgress(ctx context.Context, report func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

const (
	// progressEvery is the interval between reports.
	progressEvery = 250 * time.Millisecond
	// maxProgress is the largest size of one report, in bytes. A report contains the newest output,
	// and the answer contains the start and the end.
	maxProgress = 4000
)

// reporting reports the output in out at intervals until end is called, if the context requests it.
func reporting(ctx context.Context, out *truncatedOutput) (end func()) {
	report, ok := ctx.Value(progressKey{}).(func(Progress))
	if !ok {
		return func() {}
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for last := false; !last; {
			select {
			case <-tick.C:
			case <-stop:
				last = true
			}
			if p := out.progress(last); p.Text != "" {
				report(p)
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}

// progress returns the complete lines since the last report, or all remaining output if all is
// true, at most the last maxProgress bytes. The text begins with "[...]" if older ones are left
// out. A prompt without a line end is reported together with the output that follows it.
func (e *truncatedOutput) progress(all bool) Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	kept := append(e.head[:len(e.head):len(e.head)], e.tail...) // if output was lost, the tail is longer than a report
	written := len(kept) + e.dropped
	fresh := kept[max(0, len(kept)-min(maxProgress, written-e.reported)):]
	if !all {
		whole := bytes.LastIndexByte(fresh, '\n') + 1
		written -= len(fresh) - whole
		fresh = fresh[:whole]
	}
	left := written - e.reported - len(fresh)
	if len(fresh) > 0 {
		e.reported = written
	}
	text := printable(string(fresh))
	if text != "" && left > 0 {
		text = "[...]\n" + text
	}
	return Progress{Text: text, Bytes: int64(len(kept) + e.dropped)}
}
