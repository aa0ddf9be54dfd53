package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// objects is how many tasks the rounds with plans are about.
const objects = 4

// fields are those that they change.
var fields = []string{"title", "notes", "description", "expectedOutput"}

// ledger knows every value that somebody was told stands, and which of them somebody who saw them replaced.
type ledger struct {
	mu      sync.Mutex
	next    int
	written map[string]string // value: where it was written
	tally   struct{ edits, killed, away, conflicts, moves int }
}

// sharePlans has the clones share their plans: the first takes them out of git, the others follow.
func (tm *team) sharePlans() error {
	first := tm.clones[0]
	steps := []func() error{
		func() error { return first.do("sync", "enable", "--plans") },
		func() error { return git(first.dir, "commit", "-qm", "plans are shared") },
		func() error { return git(first.dir, "push", "-q", "origin", "HEAD:main") },
	}
	for _, c := range tm.clones[1:] {
		steps = append(steps,
			func() error { return git(c.dir, "fetch", "-q", "origin", "main") },
			func() error { return git(c.dir, "reset", "-q", "--hard", "FETCH_HEAD") },
			func() error { return c.do("sync", "enable", "--plans") })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// withPlans runs the rounds in which plans are changed; free is a task that nobody started.
func (tm *team) withPlans(rounds int, free string, r *rand.Rand) error {
	if err := tm.sharePlans(); err != nil {
		return err
	}
	l := &ledger{written: map[string]string{}}
	for n := range rounds {
		if err := tm.planRound(n, r, l); err != nil {
			return fmt.Errorf("round %d with plans: %w", n, err)
		}
	}
	if err := tm.settle(l); err != nil {
		return err
	}
	if err := tm.besideControllers(rounds/4, free, r, l); err != nil {
		return fmt.Errorf("plans with controllers: %w", err)
	}
	if err := tm.matrix(l, r); err != nil {
		return err
	}
	if err := tm.settle(l); err != nil {
		return err
	}
	t := l.tally
	fmt.Printf("%d rounds with plans: %d edits acknowledged, 0 lost; %d same-field conflicts, each with a mark; %d exchanges killed, %d rounds without the remote, %d moves of git's: nothing of the team's changed\n",
		rounds, t.edits, t.conflicts, t.killed, t.away, t.moves)
	return nil
}

// besideControllers runs rounds while controllers exchange as well, and looks that what goes with a claim
// goes up at once.
func (tm *team) besideControllers(rounds int, task string, r *rand.Rand, l *ledger) error {
	for _, c := range tm.clones {
		if err := c.do("controller", "start"); err != nil {
			return err
		}
		defer c.command("controller", "stop").Run()
	}
	for range rounds {
		if err := tm.planRound(3, r, l); err != nil { // an exchange that nothing befalls
			return err
		}
	}
	first, other := tm.clones[0], tm.clones[1]
	if err := first.do("start", task); err != nil {
		return err
	}
	began := time.Now()
	err := drive.Eventually(context.Background(), time.Minute, func() error {
		if err := other.do("sync", "now"); err != nil {
			return err
		}
		if state, err := other.state(task); err != nil || state != "active" {
			return fmt.Errorf("%s is %q in %s, and was started in %s: %w", task, state, other.name, first.name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("a start stood with the team, and in another clone: after %v\n", time.Since(began).Round(time.Millisecond))
	return tm.settle(l)
}

// planRound has the clones change tasks, and exchange at once.
func (tm *team) planRound(n int, r *rand.Rand, l *ledger) error {
	for _, c := range tm.clones {
		for range r.IntN(3) {
			if err := l.edit(c, r.IntN(objects), fields[r.IntN(len(fields))], r.IntN(2) == 0); err != nil {
				return err
			}
		}
	}
	killed, away := -1, false
	switch n % 4 {
	case 0:
		killed = r.IntN(len(tm.clones))
	case 1:
		away = true
	case 2:
		if err := tm.conflict(r, l); err != nil {
			return err
		}
	}
	if away {
		l.tally.away++
		if err := os.Rename(tm.hub, tm.hub+".away"); err != nil {
			return err
		}
	}
	errs := tm.exchangeAll(killed, time.Duration(r.IntN(150))*time.Millisecond)
	if killed >= 0 {
		l.tally.killed++
		errs[killed] = nil
	}
	if away {
		errs = nil
		if err := os.Rename(tm.hub+".away", tm.hub); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// exchangeAll has all clones exchange at once; one of them is killed.
func (tm *team) exchangeAll(killed int, after time.Duration) []error {
	errs := make([]error, len(tm.clones))
	var done sync.WaitGroup
	for i, c := range tm.clones {
		done.Go(func() {
			cmd := c.command("sync", "now")
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			err := cmd.Start()
			if err == nil && i == killed {
				time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
			}
			if err == nil {
				err = cmd.Wait()
			}
			if err != nil {
				errs[i] = fmt.Errorf("%s: idumb sync now: %w: %s", c.name, err, said.String())
			}
		})
	}
	done.Wait()
	return errs
}

// conflict has two clones, which know the same, change one field of one task.
func (tm *team) conflict(r *rand.Rand, l *ledger) error {
	for range 3 {
		if err := errors.Join(tm.exchangeAll(-1, 0)...); err != nil {
			return err
		}
	}
	l.tally.conflicts++
	task, field := r.IntN(objects), fields[r.IntN(len(fields))]
	was, err := tm.clones[0].value(task, field)
	if err != nil {
		return err
	}
	before, err := tm.marks()
	if err != nil {
		return err
	}
	for _, c := range tm.clones[:2] {
		if err := l.edit(c, task, field, false); err != nil {
			return err
		}
		if now, err := c.value(task, field); err != nil || now == was {
			return fmt.Errorf("%s did not change %s: %w", c.name, field, err)
		}
	}
	for range 2 {
		if err := errors.Join(tm.exchangeAll(-1, 0)...); err != nil {
			return err
		}
	}
	after, err := tm.marks()
	if err == nil && strings.Count(after, "\x00") != strings.Count(before, "\x00")+1 {
		err = fmt.Errorf("two changes of %s of %s left %d marks", field, taskName(task), strings.Count(after, "\x00")-strings.Count(before, "\x00"))
	}
	return err
}

// marks are the texts of all conflicts of all clones, each with a zero behind it.
func (tm *team) marks() (string, error) {
	var all strings.Builder
	for _, c := range tm.clones {
		files, err := filepath.Glob(filepath.Join(c.dir, ".git/idumb/sync/trees/main/conflicts/*.json"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			all.Write(append(data, 0))
		}
	}
	return all.String(), nil
}

func (c *clone) file(task int) string {
	return filepath.Join(c.dir, ".idumb/tasks", taskName(task)+".json")
}

// value is what a field of a task says in this clone.
func (c *clone) value(task int, field string) (string, error) {
	data, err := os.ReadFile(c.file(task))
	if err != nil {
		return "", err
	}
	var o struct{ Spec map[string]any }
	if err := json.Unmarshal(data, &o); err != nil {
		return "", err
	}
	value, _ := o.Spec[field].(string)
	return value, nil
}

// edit has a clone change a field to a value that is one of a kind: by a command, or by an editor, which
// compares nothing and tells nobody.
func (l *ledger) edit(c *clone, task int, field string, byEditor bool) error {
	was, err := c.value(task, field)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.next++
	value := fmt.Sprintf("value-%d", l.next)
	l.mu.Unlock()
	if byEditor {
		err = c.save(task, field, value)
	} else {
		err = c.do("patch", "task", taskName(task), "-p", fmt.Sprintf(`{"spec":{%q:%q}}`, field, value))
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.written, was)
	l.written[value] = fmt.Sprintf("%s of %s in %s", field, taskName(task), c.name)
	l.tally.edits++
	return nil
}

// save writes a task as editors do: the whole file, by a rename.
func (c *clone) save(task int, field, value string) error {
	data, err := os.ReadFile(c.file(task))
	if err != nil {
		return err
	}
	var o map[string]any
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	o["spec"].(map[string]any)[field] = value
	if data, err = json.MarshalIndent(o, "", "    "); err != nil {
		return err
	}
	temp := c.file(task) + "~"
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, c.file(task))
}

// settle has all clones exchange until nothing is left to do, and looks that they and the team say the
// same, and that no value is lost that somebody was told stands.
func (tm *team) settle(l *ledger) error {
	for range 3 {
		for _, c := range tm.clones {
			if err := c.do("sync", "now"); err != nil {
				return err
			}
		}
	}
	found, err := tm.marks()
	if err != nil {
		return err
	}
	for n := range objects {
		team, err := exec.Command("git", "-C", tm.hub, "cat-file", "blob", "refs/idumb/state:o/tasks/p/"+taskName(n)).Output()
		if err != nil {
			return fmt.Errorf("%s is not with the team: %w", taskName(n), err)
		}
		_, text, _ := bytes.Cut(team, []byte{'\n'})
		for _, c := range tm.clones {
			if data, err := os.ReadFile(c.file(n)); err != nil || !bytes.Equal(data, text) {
				return fmt.Errorf("%s of %s differs from the team's: %w\n%s\n%s", taskName(n), c.name, err, data, text)
			}
		}
		found += string(text)
	}
	for value, where := range l.written {
		if !strings.Contains(found, `"`+value+`"`) && !strings.Contains(found, `\"`+value+`\"`) {
			return fmt.Errorf("an edit was lost: %s, %s", value, where)
		}
	}
	return nil
}
