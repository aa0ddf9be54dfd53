package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// streams follows the controller's streams, one after the other, while a controller answers. done is
// true if the command must end.
func (f *follower) streams(ctx context.Context, root layout.Root) (done bool, err error) {
	for answered := false; ; answered = true {
		switch done, ended, err := f.stream(ctx, root); {
		case ctx.Err() != nil:
			return true, ctx.Err()
		case done || err != nil:
			return true, err
		case !ended && answered:
			f.app.errf("Warning: the controller stopped; watching the files until a controller is running\n")
			return false, nil
		case !ended:
			return false, nil
		}
	}
}

// received is a line of a stream, or its end.
type received struct {
	kind string
	line []byte
	err  error
}

// stream follows the controller's streams until one ends or the command is done. ended is false if
// the controller did not answer.
func (f *follower) stream(ctx context.Context, root layout.Root) (done, ended bool, err error) {
	client, err := serve.Dial(ctx, root)
	if err != nil {
		return false, false, nil
	}
	defer client.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan received)
	finds := f.byKind()
	for kind, find := range finds {
		body, err := client.Watch(ctx, kind, find, f.rows)
		if err != nil {
			return false, false, nil
		}
		defer body.Close()
		go func() {
			reader := bufio.NewReaderSize(body, 64<<10)
			for err := error(nil); err == nil; {
				var line []byte
				line, err = reader.ReadBytes('\n')
				select {
				case lines <- received{kind, line, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	done, err = f.receive(ctx, lines, len(finds))
	return done, true, err
}

// byKind splits the query into one for each kind, because a stream of the controller has one kind.
func (f *follower) byKind() map[string]*queries.Find {
	finds := map[string]*queries.Find{}
	one := func(kind string) *queries.Find {
		if finds[kind] == nil {
			find := f.find
			find.Kinds, find.Keys = nil, nil
			finds[kind] = &find
		}
		return finds[kind]
	}
	for _, kind := range f.find.Kinds {
		one(kind)
	}
	for _, key := range f.find.Keys {
		find := one(key.Kind)
		find.Keys = append(find.Keys, key)
	}
	return finds
}

// receive processes the lines of several streams until one of them ends. beginning is their number.
func (f *follower) receive(ctx context.Context, lines <-chan received, beginning int) (done bool, err error) {
	var now []change // initial objects
	for !done && err == nil {
		var l received
		select {
		case l = <-lines:
		case <-ctx.Done():
			return true, ctx.Err()
		}
		var event queries.Event
		if l.err == nil {
			err = json.Unmarshal(l.line, &event)
		}
		switch {
		case l.err != nil || event.Type == queries.Failed: // the receiver was too slow: start again
			return false, nil
		case err != nil:
			err = fmt.Errorf("read the answer of the controller: %w", err)
		case event.Type != queries.Bookmark:
			c, unread := f.decode(l.kind, event)
			if err = unread; err != nil || !f.find.Names(c.key) {
				continue
			}
			if beginning > 0 {
				now = append(now, c)
			} else if changes := f.note(nil, c); len(changes) > 0 {
				done, err = f.step(changes)
			}
		case strings.Contains(string(event.Object), queries.InitialEventsEnd):
			if beginning--; beginning == 0 {
				done, err = f.compare(now)
			}
		}
	}
	return done, err
}

// decode parses a change of an object of a kind.
func (f *follower) decode(kind string, event queries.Event) (change, error) {
	c := change{action: event.Type, key: resources.Key{Kind: kind}, object: event.Object}
	if !f.rows {
		var head struct{ Metadata struct{ Name string } }
		err := json.Unmarshal(event.Object, &head)
		c.key.Name = head.Metadata.Name
		return c, err
	}
	var table queries.Table
	if err := json.Unmarshal(event.Object, &table); err != nil {
		return c, fmt.Errorf("read a row of the controller's answer: %w", err)
	}
	if len(table.Columns) > 0 {
		f.columns = table.Columns
	}
	if len(table.Rows) != 1 || table.Rows[0].Object == nil || len(table.Rows[0].Cells) != len(f.columns) {
		return c, errors.New("the controller sent a row without a resource name; restart it with \"idumb controller stop\" and \"idumb controller start\"")
	}
	c.row = table.Rows[0]
	c.key.Name = c.row.Object.Metadata.Name
	return c, nil
}
