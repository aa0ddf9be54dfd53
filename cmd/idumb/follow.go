package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// settleTime is the time to collect file events: a save or a checkout causes many.
	settleTime = 30 * time.Millisecond
	// pollInterval is the polling interval without events: phases may change with time, when a mem
	// fades or a session becomes idle.
	pollInterval = 10 * time.Second
	// watchRetryDelay is the delay before a failed watch is retried.
	watchRetryDelay = time.Second
)

// follower follows objects by the controller's stream, or by watching the files if no controller
// answers. It survives the end of a controller, and a store that is moved away and back.
type follower struct {
	app  *app
	find queries.Find
	rows bool // produce table rows instead of full objects
	// step receives the current objects, and then each change, until it returns true.
	step func([]change) (done bool, err error)

	columns     []queries.ColumnDefinition // columns of the rows
	lastChanges map[resources.Key]change   // last change of each existing object that step received
}

// change is a change of an object.
type change struct {
	action string // such as queries.Added
	key    resources.Key
	object json.RawMessage // the full object as JSON
	row    queries.Row     // or its row with all columns
}

// follow runs until step returns true or ctx is cancelled.
func (f *follower) follow(ctx context.Context) error {
	f.lastChanges = map[resources.Key]change{}
	files, err := f.app.open()
	if err != nil {
		return err
	}
	if done, err := f.streams(ctx, files.Root()); done || err != nil {
		return err
	}
	changed := make(chan struct{}, 1)
	go watchFiles(ctx, files, changed)
	clock := time.NewTicker(pollInterval)
	defer clock.Stop()
	for first := true; ; first = false {
		if done, err := f.look(ctx, files); done || err != nil {
			return err
		}
		if first {
			f.app.warnWithoutController(files.Root())
		}
		if err := nextChange(ctx, changed, clock.C); err != nil {
			return err
		}
		if done, err := f.streams(ctx, files.Root()); done || err != nil {
			return err
		}
	}
}

// look reads the files and passes the differences from the objects seen before to step. done is
// true if the follower must end.
func (f *follower) look(ctx context.Context, files *filestore.Store) (done bool, err error) {
	w, err := f.app.reload(ctx, files)
	switch {
	case ctx.Err() != nil:
		return true, ctx.Err()
	case errors.Is(err, store.ErrGone): // it may come back
		return false, nil
	case err != nil:
		return true, err
	}
	find := f.find
	find.Whole = !f.rows
	found, err := find.Run(w.source())
	if err != nil {
		return true, err
	}
	now := make([]change, len(found.Entries))
	for i, e := range found.Entries {
		now[i].key = e.Key
		if !f.rows {
			now[i].object, err = e.Line()
		} else {
			table := shapeOfRows.Table(e.Key.Kind, found.Entries[i:i+1], w.now)
			f.columns, now[i].row = table.Columns, table.Rows[0]
		}
		if err != nil {
			return true, err
		}
	}
	return f.compare(now)
}

// shapeOfRows is the shape of the rows that a controller streams.
var shapeOfRows = queries.Shape{Wide: true, Metadata: true}

// compare passes the differences from the objects seen to step.
func (f *follower) compare(now []change) (done bool, err error) {
	there := map[resources.Key]bool{}
	var changes []change
	for _, c := range now {
		there[c.key] = true
		changes = f.note(changes, c)
	}
	var gone []change
	for key, c := range f.lastChanges {
		if !there[key] {
			c.action = queries.Deleted
			gone = f.note(gone, c)
		}
	}
	slices.SortFunc(gone, func(a, b change) int { return a.key.Compare(b.key) })
	return f.step(append(changes, gone...))
}

// missing returns the named objects that do not exist.
func (f *follower) missing() (names []string) {
	for _, key := range f.find.Keys {
		if _, there := f.lastChanges[key]; !there {
			names = append(names, key.String())
		}
	}
	return names
}

// note records a change and appends it to changes if the object differs.
func (f *follower) note(changes []change, c change) []change {
	before, known := f.lastChanges[c.key]
	f.lastChanges[c.key] = c
	switch {
	case c.action == queries.Deleted:
		delete(f.lastChanges, c.key)
		if !known {
			return changes
		}
	case known && f.shows(&before) == f.shows(&c):
		return changes
	case known:
		c.action = queries.Modified
	default:
		c.action = queries.Added
	}
	return append(changes, c)
}

// shows returns a text that represents the printed state of an object: the row without ages, and
// the file's revision, because the file may contain more than the row.
func (f *follower) shows(c *change) string {
	if !f.rows {
		return string(c.object)
	}
	text := c.row.Object.Metadata.ResourceVersion
	for i, cell := range c.row.Cells {
		if i < len(f.columns) && f.columns[i].Type != queries.DateType {
			text += "\x00" + cell
		}
	}
	return text
}

// nextChange waits for a change and the quiet time after it, or for the clock.
func nextChange(ctx context.Context, changed <-chan struct{}, clock <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-clock:
		return nil
	case <-changed:
	}
	select {
	case <-ctx.Done():
	case <-time.After(settleTime):
	}
	return ctx.Err()
}

// watchFiles signals changes of objects until ctx is cancelled.
func watchFiles(ctx context.Context, files *filestore.Store, changed chan<- struct{}) {
	for ctx.Err() == nil {
		files.Watch(ctx, func(resources.Key) { // retried after an error; the clock covers the gap
			select {
			case changed <- struct{}{}:
			default: // a signal is pending
			}
		})
		select {
		case <-ctx.Done():
		case <-time.After(watchRetryDelay):
		}
	}
}

// warnWithoutController warns that no controller is running: the command computes status itself,
// but archiving, packing and recording do not happen.
func (a *app) warnWithoutController(root layout.Root) {
	if !root.ControllerAlive() {
		a.errf("Warning: no controller is running in %s: only file changes are detected; start one with \"idumb controller start\"\n", root)
	}
}
