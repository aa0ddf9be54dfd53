// Package feed tells a dashboard what there is, and again after each change: what the controller
// answers, woken by its stream, or where there is none what the files say, woken by the system that
// watches them. Nothing is asked by the clock.
package feed

import (
	"bufio"
	"context"
	"io"
	"net/url"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/dash"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/watch"
)

const (
	// pause is how long after an answer the next one is asked for at the earliest: a checkout is
	// a thousand changes and a few screens.
	pause = 50 * time.Millisecond
	// lately is how far back denials are shown.
	lately = 24 * time.Hour
	// mostEvents is how many events are shown at most.
	mostEvents = 500
)

// Feed is where a dashboard has its states from.
type Feed struct {
	Files *filestore.Store
	Now   func() time.Time
	// Parameters are those of the question: in which environment the person asks.
	Parameters url.Values
	// Load reads the files, to answer from them.
	Load func(context.Context) (*questions.Source, error)

	out     chan<- dash.State
	changed chan struct{}  // something did, as the files say
	run     *watch.Watcher // of what is no object
	trees   trees
	events  records.EventLog
	gone    time.Time // since when no controller answers; zero: none did
	last    time.Time // when a state was sent
}

// Run sends states until ctx ends.
func (f *Feed) Run(ctx context.Context, out chan<- dash.State) {
	f.out, f.changed, f.events.Root = out, make(chan struct{}, 1), f.Files.Root()
	f.run, f.trees.due = runWatcher(f.Files.Root()), make(chan struct{}, 1)
	go f.watchRun(ctx)
	go f.watchTrees(ctx)
	for ctx.Err() == nil {
		if client, err := serve.Dial(ctx, f.Files.Root()); err == nil {
			answered := f.follow(ctx, client)
			client.Close()
			if answered {
				f.gone = f.Now()
				continue // another one may be there
			}
		}
		f.fromFiles(ctx)
	}
}

// follow sends what a controller answers until it ends; false: it answered nothing.
func (f *Feed) follow(ctx context.Context, client *serve.Client) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	began := f.Now()
	answer, err := f.ask(ctx, client)
	if err != nil {
		return false
	}
	body, err := client.Changes(ctx, answer.Version)
	if err != nil {
		return false
	}
	told := make(chan struct{}, 1)
	ended := listen(ctx, body, told)
	for {
		f.send(ctx, answer, began, true)
		select {
		case <-ctx.Done():
			return true
		case <-ended:
			return true
		case <-told:
		case <-f.changed:
		}
		began = f.Now()
		if !f.rest(ctx) {
			return true
		}
		drain(told)
		drain(f.changed)
		if answer, err = f.askOn(ctx, client, ended); err != nil {
			return true
		}
	}
}

// A controller that is busy does not answer in time now and then. It is asked some more times before it
// counts as gone.
const (
	patience = 5
	breath   = 200 * time.Millisecond
)

// askOn asks a controller that answered before, until its stream ends.
func (f *Feed) askOn(ctx context.Context, client *serve.Client, ended <-chan struct{}) (answer questions.Dash, err error) {
	for range patience {
		if answer, err = f.ask(ctx, client); err == nil {
			return answer, nil
		}
		select {
		case <-ctx.Done():
			return answer, ctx.Err()
		case <-ended:
			return answer, err
		case <-time.After(breath):
		}
	}
	return answer, err
}

// listen tells of each line of a stream, of several that nobody took as one, and of its end.
func listen(ctx context.Context, body io.ReadCloser, told chan struct{}) (ended chan struct{}) {
	ended = make(chan struct{})
	context.AfterFunc(ctx, func() { body.Close() })
	go func() {
		defer close(ended)
		for lines := bufio.NewReader(body); ; {
			if _, err := lines.ReadSlice('\n'); err != nil {
				return
			}
			wake(told)
		}
	}()
	return ended
}

// ask asks a controller for all that is shown.
func (f *Feed) ask(ctx context.Context, client *serve.Client) (questions.Dash, error) {
	var answer questions.Dash
	body, err := client.Question(ctx, questions.AskDash, f.Parameters)
	if err != nil {
		return answer, err
	}
	defer body.Close()
	return answer, questions.Receive(body, &answer)
}

// fromFiles sends what the files say, until a controller answers.
func (f *Feed) fromFiles(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go f.watchFiles(ctx)
	for ctx.Err() == nil {
		began := f.Now()
		if source, err := f.Load(ctx); err == nil { // else the store was moved away; it may come back
			if answer, err := questions.DashOf(source, f.Parameters); err == nil {
				f.send(ctx, answer, began, false)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-f.changed:
		}
		if !f.rest(ctx) {
			return
		}
		drain(f.changed)
		if client, err := serve.Dial(ctx, f.Files.Root()); err == nil {
			_, err = f.ask(ctx, client)
			client.Close()
			if err == nil {
				return
			}
		}
	}
}

// send sends a state.
func (f *Feed) send(ctx context.Context, answer questions.Dash, began time.Time, live bool) {
	s := dash.State{Dash: answer, Live: live, Trees: f.trees.last()}
	if !live {
		s.Since = f.gone
	}
	s.Events, _ = f.events.Events() // what cannot be read is doctor's to tell
	s.Events = s.Events[max(0, len(s.Events)-mostEvents):]
	s.Denied, _ = records.ViolationsSince(f.Files.Root(), f.Now().Add(-lately))
	slices.Reverse(s.Denied)
	s.Events = slices.DeleteFunc(slices.Clone(s.Events), func(e resources.Event) bool { return e.Object == "" && e.Message == "" })
	f.last = f.Now()
	s.At, s.Took = f.last, f.last.Sub(began)
	select {
	case f.out <- s:
	case <-ctx.Done():
	}
	wake(f.trees.due)
}

// rest waits until the next state may be sent; false when ctx ends.
func (f *Feed) rest(ctx context.Context) bool {
	left := pause - f.Now().Sub(f.last)
	if left <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(left):
		return true
	}
}

// wake notes that something changed; once is enough.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func drain(c chan struct{}) {
	select {
	case <-c:
	default:
	}
}
