package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A contender is the trial contend: processes change the same tasks at once, with hand edits in
// between, while the controller is killed, suspended and restarted.
//
// A change is one "idumb annotate" with a unique key; it is acknowledged when the command exits
// with 0. A hand edit reads a file, changes it and renames it over the old one, like sed -i,
// without a lock. No program can keep the changes that such an editor overwrites: changes that were
// acknowledged, or running, between its read and its rename. They are counted separately, based on
// the bytes that the editor read. Any other missing change is a loss. At the end each status must
// be about the current file.
type contender struct {
	*stage
	repo  *clone
	tasks []string

	mu      sync.Mutex
	changes []change
	edits   []edit
}

// A change is one annotation by a writer, with the times of its command.
type change struct {
	task, key    string
	begun, acked time.Time
}

// An edit is one hand edit: the text that it read, and the times of the read and the rename.
type edit struct {
	task, marker  string
	base          string
	begun, landed time.Time
}

func contend(flags *flag.FlagSet) func(*stage) error {
	writers := flags.Int("writers", 8, "processes that write at once")
	changes := flags.Int("changes", 200, "changes by each of them")
	objects := flags.Int("objects", 5, "tasks that they share")
	edits := flags.Int("edits", 200, "hand edits in between")
	return func(s *stage) (err error) {
		c := &contender{stage: s}
		c.repo, c.tasks, err = s.disturbed("shared", *objects, func(int) map[string]any {
			return map[string]any{"expectedOutput": "all changes", "title": "untouched"}
		})
		if err != nil {
			return err
		}
		began := time.Now()
		err = c.contend(*writers, *changes, *edits)
		fmt.Println(c.repo.chaos)
		fmt.Printf("%d changes by commands wanted, %d acknowledged, %d hand edits, in %.1fs\n", *writers**changes, len(c.changes), len(c.edits), time.Since(began).Seconds())
		return do(
			func() error { return err },
			func() error { return c.judge(*writers * *changes) },
			c.repo.chaos.calm,
			func() error { return c.repo.AwaitStatuses(c.tasks...) })
	}
}

// contend runs the writers and the hand editor while the controller is disturbed.
func (c *contender) contend(writers, changes, edits int) error {
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range changes {
				a := change{task: c.tasks[(w+n)%len(c.tasks)], key: fmt.Sprintf("w%d-%d", w, n), begun: time.Now()}
				if err := c.repo.Command("annotate", "task", a.task, a.key+"=done").Run(); err != nil {
					continue // refused, not lost: it was not acknowledged
				}
				a.acked = time.Now()
				c.mu.Lock()
				c.changes = append(c.changes, a)
				c.mu.Unlock()
			}
		})
	}
	wg.Go(func() {
		for n := range edits {
			if e, err := c.edit(c.tasks[n%len(c.tasks)], fmt.Sprintf("hand-%d", n)); err == nil {
				c.edits = append(c.edits, e)
			}
			time.Sleep(3 * time.Millisecond)
		}
	})
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	for err := error(nil); ; {
		select {
		case <-done:
			return err
		case <-time.After(30 * time.Millisecond):
			if err == nil {
				err = c.repo.chaos.step()
			}
		}
	}
}

// edit adds a marker to the task's title by hand.
func (c *contender) edit(task, marker string) (edit, error) {
	e := edit{task: task, marker: marker, begun: time.Now()}
	err := c.repo.replace(task, func(text []byte) ([]byte, error) {
		e.base = string(text)
		return bytes.Replace(text, []byte(`"title": "`), []byte(`"title": "`+marker+` `), 1), nil
	})
	e.landed = time.Now()
	return e, err
}

// judge compares the acknowledged changes with the files.
func (c *contender) judge(wanted int) error {
	overwritten, lost, lostEdits := 0, 0, 0
	for _, a := range c.changes {
		switch there, err := c.repo.says(a.task, `"`+a.key+`"`); {
		case err != nil:
			return err
		case there:
		case c.overwritten(a):
			overwritten++
		default:
			lost++
			fmt.Println("lost:", a.task, a.key)
		}
	}
	for i, e := range c.edits { // a later edit contains all markers that it read
		switch there, err := c.repo.says(e.task, e.marker+" "); {
		case err != nil:
			return err
		case !there:
			lostEdits++
			fmt.Println("hand edit lost:", e.task, e.marker, "number", i)
		}
	}
	fmt.Printf("overwritten by the editor itself: %d\nacknowledged changes lost: %d\nhand edits lost: %d\n", overwritten, lost, lostEdits)
	out, err := drive.Git(c.repo.Dir, "status", "--porcelain", "--ignored")
	if strings.Contains(out, ".tmp") {
		fmt.Println("temporary files remain:\n" + out)
	}
	if lost > 0 || lostEdits > 0 {
		err = errors.Join(err, fmt.Errorf("%d acknowledged changes and %d hand edits were lost", lost, lostEdits))
	}
	if len(c.changes) < wanted*9/10 {
		err = errors.Join(err, fmt.Errorf("only %d of %d changes were acknowledged", len(c.changes), wanted))
	}
	return err
}

// overwritten reports whether a hand edit read the file before the change and renamed its version
// over it.
func (c *contender) overwritten(a change) bool {
	return slices.ContainsFunc(c.edits, func(e edit) bool {
		return e.task == a.task && !strings.Contains(e.base, `"`+a.key+`"`) && e.landed.After(a.begun) && e.begun.Before(a.acked)
	})
}
