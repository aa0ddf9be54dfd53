package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// objects is the number of tasks in the rounds with plans.
const objects = 4

// fields lists the fields that are changed.
var fields = []string{"title", "notes", "description", "expectedOutput"}

// ledger records every acknowledged value, until another one replaces it knowingly.
type ledger struct {
	next   int
	writes map[string]string // place of the write by value
	tally  struct{ edits, killed, away, conflicts, moves int }
}

// sharePlans makes the clones share their plans: the first removes them from git, the others
// follow.
func (r *racer) sharePlans() error {
	first := r.clones[0]
	err := do(
		func() error { return first.idumb("sync", "enable", "--plans") },
		func() error { return first.Git("commit", "-qm", "share plans") },
		func() error { return first.Git("push", "-q", "origin", "HEAD:main") })
	for _, c := range r.clones[1:] {
		err = do(
			func() error { return err },
			func() error { return c.Git("fetch", "-q", "origin", "main") },
			func() error { return c.Git("reset", "-q", "--hard", "FETCH_HEAD") },
			func() error { return c.idumb("sync", "enable", "--plans") })
	}
	return err
}

// withPlans runs the rounds with changes of plans. free is a task that was never started.
func (r *racer) withPlans(rounds int, free string) error {
	if err := r.sharePlans(); err != nil {
		return err
	}
	l := &ledger{writes: map[string]string{}}
	for n := range rounds {
		if err := r.planRound(n, l); err != nil {
			return fmt.Errorf("round %d with plans: %w", n, err)
		}
	}
	if err := r.settle(l); err != nil {
		return err
	}
	if err := r.besideControllers(rounds/4, free, l); err != nil {
		return fmt.Errorf("plans with controllers: %w", err)
	}
	if err := r.matrix(l); err != nil {
		return err
	}
	if err := r.settle(l); err != nil {
		return err
	}
	t := l.tally
	fmt.Printf("%d rounds with plans: %d edits acknowledged, 0 lost; %d same-field conflicts, each with a mark; %d exchanges killed, %d rounds without the remote, %d moves of git: the team's values did not change\n",
		rounds, t.edits, t.conflicts, t.killed, t.away, t.moves)
	return nil
}

// besideControllers runs rounds while controllers exchange too, and checks that the changes of
// a claim are sent immediately.
func (r *racer) besideControllers(rounds int, task string, l *ledger) error {
	stop, err := r.startControllers()
	defer stop()
	if err != nil {
		return err
	}
	for range rounds {
		if err := r.planRound(3, l); err != nil { // an undisturbed exchange
			return err
		}
	}
	first, other := r.clones[0], r.clones[1]
	if err := first.idumb("start", task); err != nil {
		return err
	}
	began := time.Now()
	err = drive.Eventually(context.Background(), time.Minute, func() error {
		if err := other.idumb("sync", "now"); err != nil {
			return err
		}
		if state, err := other.field(task, "state"); err != nil || state != "active" {
			return fmt.Errorf("%s is %q in %s, and was started in %s: %w", task, state, other.name, first.name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("a start reached the remote and another clone after %v\n", time.Since(began).Round(time.Millisecond))
	return r.settle(l)
}

// planRound makes the clones change tasks and exchange at once.
func (r *racer) planRound(n int, l *ledger) error {
	for _, c := range r.clones {
		for range r.random.IntN(3) {
			if err := l.edit(c, r.random.IntN(objects), fields[r.random.IntN(len(fields))], r.random.IntN(2) == 0); err != nil {
				return err
			}
		}
	}
	killed, away := -1, false
	switch n % 4 {
	case 0:
		killed = r.random.IntN(len(r.clones))
	case 1:
		away = true
	case 2:
		if err := r.conflict(l); err != nil {
			return err
		}
	}
	if away {
		l.tally.away++
		if err := os.Rename(r.hub, r.hub+".away"); err != nil {
			return err
		}
	}
	errs := r.exchangeAll(killed, time.Duration(r.random.IntN(150))*time.Millisecond)
	if killed >= 0 {
		l.tally.killed++
		errs[killed] = nil
	}
	if away {
		errs = nil
		if err := os.Rename(r.hub+".away", r.hub); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// exchangeAll makes all clones exchange at once, and returns their errors. One of them is killed
// (-1: none).
func (r *racer) exchangeAll(killed int, after time.Duration) (errs []error) {
	for _, o := range r.together(killed, after, -1, "sync", "now") {
		errs = append(errs, o.err)
	}
	return errs
}

// conflict makes two synchronized clones change one field of one task.
func (r *racer) conflict(l *ledger) error {
	for range 3 {
		if err := errors.Join(r.exchangeAll(-1, 0)...); err != nil {
			return err
		}
	}
	l.tally.conflicts++
	task, field := r.random.IntN(objects), fields[r.random.IntN(len(fields))]
	was, err := r.clones[0].field(taskName(task), field)
	if err != nil {
		return err
	}
	before, err := r.marks()
	if err != nil {
		return err
	}
	for _, c := range r.clones[:2] {
		if err := l.edit(c, task, field, false); err != nil {
			return err
		}
		if now, err := c.field(taskName(task), field); err != nil || now == was {
			return fmt.Errorf("%s did not change %s: %w", c.name, field, err)
		}
	}
	for range 2 {
		if err := errors.Join(r.exchangeAll(-1, 0)...); err != nil {
			return err
		}
	}
	after, err := r.marks()
	if err == nil && strings.Count(after, "\x00") != strings.Count(before, "\x00")+1 {
		err = fmt.Errorf("two changes of %s of %s left %d marks", field, taskName(task), strings.Count(after, "\x00")-strings.Count(before, "\x00"))
	}
	return err
}

// marks returns the texts of all conflicts of all clones, each terminated by a zero byte.
func (r *racer) marks() (string, error) {
	var all strings.Builder
	for _, c := range r.clones {
		files, err := filepath.Glob(filepath.Join(c.Dir, ".git/idumb/sync/trees/main/conflicts/*.json"))
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

// edit changes a field in a clone to a unique value: by a command, or by an editor without a
// check of the revision.
func (l *ledger) edit(c *clone, task int, field string, byEditor bool) error {
	was, err := c.field(taskName(task), field)
	if err != nil {
		return err
	}
	decided, err := c.conflictValues(taskName(task), field)
	if err != nil {
		return err
	}
	l.next++
	value := fmt.Sprintf("value-%d", l.next)
	if byEditor {
		err = c.save(taskName(task), field, value)
	} else {
		err = c.idumb("patch", "task", taskName(task), "-p", fmt.Sprintf(`{"spec":{%q:%q}}`, field, value))
	}
	if err != nil {
		return err
	}
	delete(l.writes, was)
	for _, kept := range decided {
		delete(l.writes, kept)
	}
	l.writes[value] = fmt.Sprintf("%s of %s in %s", field, taskName(task), c.name)
	l.tally.edits++
	return nil
}

// conflictValues lists the values of a field in the clone's conflicts. A local edit of the field resolves
// them.
func (c *clone) conflictValues(task, field string) (values []string, err error) {
	files, err := filepath.Glob(filepath.Join(c.Dir, ".git/idumb/sync/trees/main/conflicts/*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var mark struct {
			Kind, Name, Ours string
			Fields           []struct {
				Field string
				Ours  any
			}
		}
		if err := json.Unmarshal(data, &mark); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if mark.Kind != "tasks" || mark.Name != task {
			continue
		}
		for _, f := range mark.Fields {
			if value, ok := f.Ours.(string); ok && f.Field == "spec."+field {
				values = append(values, value)
			}
		}
		var whole struct{ Spec map[string]any }
		if json.Unmarshal([]byte(mark.Ours), &whole) == nil { // the full object may have been saved
			if value, ok := whole.Spec[field].(string); ok && len(mark.Fields) == 0 {
				values = append(values, value)
			}
		}
	}
	return values, nil
}

// save changes a field like an editor.
func (c *clone) save(task, field, value string) error {
	return c.replace(task, func(text []byte) ([]byte, error) {
		var o map[string]any
		if err := json.Unmarshal(text, &o); err != nil {
			return nil, err
		}
		o["spec"].(map[string]any)[field] = value
		return json.MarshalIndent(o, "", "    ")
	})
}

// settle makes all clones exchange until they agree, and checks that they and the team agree, and
// that no acknowledged value is lost.
func (r *racer) settle(l *ledger) error {
	for range 3 {
		for _, c := range r.clones {
			if err := c.idumb("sync", "now"); err != nil {
				return err
			}
		}
	}
	found, err := r.marks()
	if err != nil {
		return err
	}
	for n := range objects {
		team, err := drive.Git(r.hub, "cat-file", "blob", "refs/idumb/state:o/tasks/p/"+taskName(n))
		if err != nil {
			return fmt.Errorf("%s is not with the team: %w", taskName(n), err)
		}
		_, text, _ := strings.Cut(team, "\n")
		for _, c := range r.clones {
			if data, err := os.ReadFile(c.file(taskName(n))); err != nil || string(data) != text {
				return fmt.Errorf("%s of %s differs from the team's: %w\n%s\n%s", taskName(n), c.name, err, data, text)
			}
		}
		found += text
	}
	for value, where := range l.writes {
		if !strings.Contains(found, `"`+value+`"`) && !strings.Contains(found, `\"`+value+`\"`) {
			return fmt.Errorf("an edit was lost: %s, %s", value, where)
		}
	}
	return nil
}
