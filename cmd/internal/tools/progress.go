package tools

import (
	"bytes"
	"context"
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

// reporting reports what is written to out a few times a second, if the context asks for that,
// until end is called.
func reporting(ctx context.Context, out *ends) (end func()) {
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

// progress is what was written since the last one: whole lines, and at the end what is left. A
// prompt without an end of its line is reported with what comes behind it.
func (e *ends) progress(all bool) Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	kept := append(e.head[:len(e.head):len(e.head)], e.tail...) // where some is lost, the tail is longer than a report
	written := len(kept) + e.lost
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
	text := shownOutput(string(fresh))
	if text != "" && left > 0 {
		text = "[...]\n" + text
	}
	return Progress{Text: text, Bytes: int64(len(kept) + e.lost)}
}
