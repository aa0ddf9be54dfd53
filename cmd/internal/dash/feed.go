package dash

import (
	"bufio"
	"context"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/watch"
)

const (
	// minInterval is the minimal time between an answer and the next query: a checkout causes a thousand
	// changes and only a few screens.
	minInterval = 50 * time.Millisecond
	// maxSentEvents is the maximal number of shown events.
	maxSentEvents = 500
)

// Feed is the source of a dashboard's states.
type Feed struct {
	Files *filestore.Store
	Now   func() time.Time
	// Parameters are the parameters of the query: the user's environment.
	Parameters url.Values
	// Load loads the files as a source of answers.
	Load func(context.Context) (*queries.Source, error)

	states    chan<- State
	changed   chan struct{}  // signals a changed file
	run       *watch.Watcher // watches files that are not objects
	trees     trees
	events    records.EventLog
	goneSince time.Time // when the controller stopped answering; zero if none answered
	last      time.Time // when the last state was sent
}

// Run sends states until ctx is cancelled.
func (f *Feed) Run(ctx context.Context, out chan<- State) {
	f.states, f.changed, f.events.Root = out, make(chan struct{}, 1), f.Files.Root()
	f.run, f.trees.due = runWatcher(f.Files.Root()), make(chan struct{}, 1)
	go f.watchRun(ctx)
	go f.watchTrees(ctx)
	for ctx.Err() == nil {
		if client, err := serve.Dial(ctx, f.Files.Root()); err == nil {
			answered := f.follow(ctx, client)
			client.Close()
			if answered {
				f.goneSince = f.Now()
				continue // another controller may have started
			}
		}
		f.fromFiles(ctx)
	}
}

// follow sends the controller's answers until it ends. It returns false if it received no answer.
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
		if !f.waitTurn(ctx) {
			return true
		}
		drain(told)
		drain(f.changed)
		if answer, err = f.askOn(ctx, client, ended); err != nil {
			return true
		}
	}
}

// Limits for a busy controller that does not answer in time: the number of attempts, and the delay
// between them.
const (
	maxAttempts   = 5
	retryInterval = 200 * time.Millisecond
)

// askOn queries a controller that answered before, with retries, until its stream ends.
func (f *Feed) askOn(ctx context.Context, client *serve.Client, ended <-chan struct{}) (answer queries.Dash, err error) {
	for range maxAttempts {
		if answer, err = f.ask(ctx, client); err == nil {
			return answer, nil
		}
		select {
		case <-ctx.Done():
			return answer, ctx.Err()
		case <-ended:
			return answer, err
		case <-time.After(retryInterval):
		}
	}
	return answer, err
}

// listen signals each line of a stream, several at once if the receiver is slow, and its end.
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

// ask queries a controller for the state.
func (f *Feed) ask(ctx context.Context, client *serve.Client) (queries.Dash, error) {
	var answer queries.Dash
	body, err := client.Question(ctx, queries.AskDash, f.Parameters)
	if err != nil {
		return answer, err
	}
	defer body.Close()
	return answer, queries.Receive(body, &answer)
}

// fromFiles sends states from the files until a controller answers.
func (f *Feed) fromFiles(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go f.watchFiles(ctx)
	for ctx.Err() == nil {
		began := f.Now()
		if source, err := f.Load(ctx); err == nil { // otherwise the store was moved away; it may come back
			if answer, err := queries.DashOf(source, f.Parameters); err == nil {
				f.send(ctx, answer, began, false)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-f.changed:
		}
		if !f.waitTurn(ctx) {
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

// send adds events, denied calls and other worktrees to an answer and sends the state to the
// dashboard.
func (f *Feed) send(ctx context.Context, answer queries.Dash, began time.Time, live bool) {
	s := State{Dash: answer, Live: live, Trees: f.trees.last()}
	if !live {
		s.Since = f.goneSince
	}
	s.Events, _ = f.events.Events() // doctor reports unreadable events
	s.Events = s.Events[max(0, len(s.Events)-maxSentEvents):]
	s.Denied, _ = records.ViolationsSince(f.Files.Root(), f.Now().Add(-records.Recent))
	slices.Reverse(s.Denied)
	s.Events = slices.DeleteFunc(slices.Clone(s.Events), func(e resources.Event) bool { return e.Object == "" && e.Message == "" })
	f.last = f.Now()
	s.Time, s.Took = f.last, f.last.Sub(began)
	select {
	case f.states <- s:
	case <-ctx.Done():
	}
	wake(f.trees.due)
}

// waitTurn waits until the next state may be sent. It returns false when ctx is cancelled.
func (f *Feed) waitTurn(ctx context.Context) bool {
	left := minInterval - f.Now().Sub(f.last)
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

// wake signals a channel without blocking.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// drain removes a pending signal from a channel.
func drain(c chan struct{}) {
	select {
	case <-c:
	default:
	}
}

// retryDelay is the delay before a failed watch is retried.
const retryDelay = time.Second

// runWatcher watches files that are shown and are not objects: records of the gate, events, and the
// controller's socket.
func runWatcher(root layout.Root) *watch.Watcher {
	hook, events, run := root.Abs(layout.HookDir), root.Abs(layout.EventsDir), root.Abs(layout.RunDir)
	socket := root.Abs(layout.APISocket)
	return &watch.Watcher{
		Root: root.Abs(layout.Dir),
		Folder: func(abs string) bool {
			return abs == run || abs == events || abs == hook || strings.HasPrefix(abs, hook+string(filepath.Separator))
		},
		File: func(abs string) bool {
			dir := filepath.Dir(abs)
			return abs == socket || dir == events || dir == hook || strings.HasPrefix(dir, hook+string(filepath.Separator))
		},
	}
}

// watchRun signals changes of files that are not objects.
func (f *Feed) watchRun(ctx context.Context) {
	for ctx.Err() == nil {
		_ = f.run.Run(ctx, func(string) { wake(f.changed) }) // retried after an error
		nap(ctx)
	}
}

// watchFiles signals changes of objects.
func (f *Feed) watchFiles(ctx context.Context) {
	for ctx.Err() == nil {
		_ = f.Files.Watch(ctx, func(resources.Key) { wake(f.changed) }) // retried after an error
		nap(ctx)
	}
}

// nap waits for retryDelay, or until ctx ends.
func nap(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryDelay):
	}
}
