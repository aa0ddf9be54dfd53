package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// quiet is how long a command that follows files lets changes gather: a save, or a
	// checkout, is many events.
	quiet = 30 * time.Millisecond
	// clockStep is how often it looks without any event: phases also change by
	// themselves, when a mem fades or a session goes idle.
	clockStep = 10 * time.Second
	// watchAgain is the pause before files are watched again after that failed.
	watchAgain = time.Second
)

// follower follows objects: by the stream of the controller, and where none answers by watching
// the files. So it outlives a controller, and a store that is moved away and back.
type follower struct {
	app  *app
	find questions.Find
	rows bool // rows of a table are wanted, and not whole objects
	// step is told what there is, and then each change, until it is done.
	step func([]change) (done bool, err error)

	columns []questions.ColumnDefinition // of the rows
	seen    map[resources.Key]change     // what step was told of each object that there is
}

// change is what happened to an object.
type change struct {
	action string // questions.Added, ...
	key    resources.Key
	object json.RawMessage // the whole object as JSON
	row    questions.Row   // or its row, with all columns
}

// follow runs until step is done, or ctx ends.
func (f *follower) follow(ctx context.Context) error {
	f.seen = map[resources.Key]change{}
	files, err := f.app.open()
	if err != nil {
		return err
	}
	if done, err := f.streams(ctx, files.Root()); done || err != nil {
		return err
	}
	changed := make(chan struct{}, 1)
	go watchFiles(ctx, files, changed)
	clock := time.NewTicker(clockStep)
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

// look compares the files with what was seen.
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
	found, err := find.In(w.source())
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

// shapeOfRows is that of the rows that a controller streams.
var shapeOfRows = questions.Shape{Wide: true, Metadata: true}

// compare tells what is different from what was seen.
func (f *follower) compare(now []change) (done bool, err error) {
	there := map[resources.Key]bool{}
	var changes []change
	for _, c := range now {
		there[c.key] = true
		c.action = questions.Added
		changes = f.note(changes, c)
	}
	var gone []change
	for key, c := range f.seen {
		if !there[key] {
			c.action = questions.Deleted
			gone = f.note(gone, c)
		}
	}
	slices.SortFunc(gone, func(a, b change) int { return a.key.Compare(b.key) })
	return f.step(append(changes, gone...))
}

// missing are the objects that were named and are not there.
func (f *follower) missing() (names []string) {
	for _, key := range f.find.Keys {
		if _, there := f.seen[key]; !there {
			names = append(names, key.String())
		}
	}
	return names
}

// note remembers a change and adds it to those to be told, if it is one.
func (f *follower) note(changes []change, c change) []change {
	before, known := f.seen[c.key]
	f.seen[c.key] = c
	switch {
	case c.action == questions.Deleted:
		delete(f.seen, c.key)
		if !known {
			return changes
		}
	case known && f.shows(&before) == f.shows(&c):
		return changes
	case known:
		c.action = questions.Modified
	default:
		c.action = questions.Added
	}
	return append(changes, c)
}

// shows is what a change shows of its object: of a row all but ages, and the revision of the
// file, which may say more than a row does.
func (f *follower) shows(c *change) string {
	if !f.rows {
		return string(c.object)
	}
	text := c.row.Object.Metadata.ResourceVersion
	for i, cell := range c.row.Cells {
		if i < len(f.columns) && f.columns[i].Type != questions.DateType {
			text += "\x00" + cell
		}
	}
	return text
}

// nextChange waits for a change and for the quiet after it, or for the clock.
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
	case <-time.After(quiet):
	}
	return ctx.Err()
}

// watchFiles reports changes of objects until ctx ends.
func watchFiles(ctx context.Context, files *filestore.Store, changed chan<- struct{}) {
	for ctx.Err() == nil {
		files.Watch(ctx, func(resources.Key) { // its error is not final: it is tried again, and the clock looks meanwhile
			select {
			case changed <- struct{}{}:
			default: // one is waiting already
			}
		})
		select {
		case <-ctx.Done():
		case <-time.After(watchAgain):
		}
	}
}

// warnWithoutController says that no controller runs: what is followed is
// computed here, but nothing is archived, packed or recorded.
func (a *app) warnWithoutController(root layout.Root) {
	if !root.ControllerAlive() {
		a.errf("Warning: no controller is running in %s: only changes of the files are seen; start one with \"idumb controller start\"\n", root)
	}
}
