//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdengine"
	"github.com/idumb-dev/idumb/cmd/idumb-sync/hack/oneetcd"
	"github.com/idumb-dev/idumb/resources"
)

// own lists the fields of the clones, one per clone; common is the field of all
// clones.
var own = [...]string{"title", "notes", "description"}

const common = "expectedOutput"

// hot is the number of tasks whose common field is edited.
const hot = 20

// ahead is the maximum number of edits of a clone without a round. A
// disconnected clone continues up to that number.
const ahead = 200

// team is the set of clones with their etcd.
type team struct {
	size
	server *oneetcd.Server
	engine *etcdengine.Engine
	client *clientv3.Client
	clones []*clone
	faults tally

	mu     sync.Mutex
	names  []string          // all tasks
	last   map[string]string // clone and task -> value of the clone's field
	mine   map[string]string // clone and task -> last value that the clone wrote into the common field
	values map[string]string // values of the common field that no clone saw replaced or decided -> where they were written
	next   int
	edits  int
	alone  int // edits in a conflict mark that no other edit contradicts
}

// newTeam creates the clones and their tasks, starts the clones and waits until all are equal.
func newTeam(s size, dir string, server *oneetcd.Server) (*team, error) {
	if s.clones < 2 || s.clones > len(own) {
		return nil, fmt.Errorf("%d clones: 2 or %d", s.clones, len(own))
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{server.URL}, DialTimeout: 5 * time.Second, Logger: zap.NewNop()})
	if err != nil {
		return nil, err
	}
	t := &team{size: s, server: server, client: client, last: map[string]string{}, mine: map[string]string{}, values: map[string]string{}}
	if t.engine, err = etcdengine.New(client, "acme", "shop", nil); err != nil {
		return nil, err
	}
	for i := range s.clones {
		c, err := newClone(dir, fmt.Sprintf("c%d", i), server.URL)
		if err != nil {
			return nil, err
		}
		t.clones = append(t.clones, c)
	}
	if _, err := t.clones[0].save(resources.Key{Kind: resources.WorkPlans, Name: "p"}, map[string]any{"title": "P", "state": "active"}); err != nil {
		return nil, err
	}
	for range s.tasks {
		if err := t.create(0); err != nil {
			return nil, err
		}
	}
	for _, c := range t.clones {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	return t, t.settle(context.Background())
}

// close stops the clones and closes the connections.
func (t *team) close() {
	for _, c := range t.clones {
		if c.end != nil {
			c.stop()
		}
		c.way.l.Close()
	}
	t.client.Close()
}

// part makes the clones perform a number of edits with faults, and checks the
// result.
func (t *team) part(ctx context.Context, edits int) error {
	editing, over := context.WithCancel(ctx)
	defer over()
	var all sync.WaitGroup
	errs := make([]error, len(t.clones)+1)
	for i := range t.clones {
		all.Go(func() { errs[i] = t.work(ctx, i, edits/len(t.clones)) })
	}
	disturbed := make(chan struct{})
	go func() {
		defer close(disturbed)
		if !t.calm {
			errs[len(t.clones)] = t.disturb(editing)
		}
	}()
	all.Wait()
	over()
	<-disturbed
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return err
	}
	return t.settle(ctx)
}

// work simulates a user with an editor at a clone.
func (t *team) work(ctx context.Context, i, edits int) error {
	c, r := t.clones[i], rand.New(rand.NewPCG(t.seed, uint64(t.edits+i)))
	for range edits {
		for c.edited.Load()-c.settled.Load() > ahead {
			select {
			case err := <-c.fatal:
				return fmt.Errorf("%s: %w", c.name, err)
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Millisecond):
			}
		}
		var err error
		switch n := r.IntN(1000); {
		case n == 0:
			err = t.create(i)
		case n <= 33:
			err = t.edit(i, r, common, hot)
		default:
			err = t.edit(i, r, own[i], math.MaxInt)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// create creates a task in a clone.
func (t *team) create(i int) error {
	t.mu.Lock()
	t.next++
	name := fmt.Sprintf("t%d", t.next)
	t.mu.Unlock()
	if _, err := t.clones[i].save(taskKey(name), map[string]any{"workPlan": "p", common: "v" + name + "."}); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names, t.edits = append(t.names, name), t.edits+1
	t.values["v"+name+"."] = name
	return nil
}

// edit changes a field of one of the first tasks, if the clone has the task.
// The value is unique.
func (t *team) edit(i int, r *rand.Rand, field string, among int) error {
	c := t.clones[i]
	t.mu.Lock()
	task := t.names[r.IntN(min(among, len(t.names)))]
	t.next++
	value := fmt.Sprintf("v%d.", t.next)
	t.mu.Unlock()
	spec, err := c.spec(task)
	if err != nil || spec == nil {
		return err
	}
	spec[field] = value
	if field == common { // before other clones can see and replace it
		t.mu.Lock()
		t.values[value] = task + " in " + c.name
		t.mu.Unlock()
	}
	was, err := c.save(taskKey(task), spec)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.edits++; field == common {
		replaced, _ := was[common].(string)
		delete(t.values, replaced)
		delete(t.values, t.mine[c.name+" "+task]) // this edit resolves a conflict with the previous value
		t.mine[c.name+" "+task] = value
	} else {
		t.last[c.name+" "+task] = value
	}
	return nil
}

// patience is the timeout, without faults, until all clones are equal.
const patience = 5 * time.Minute

// settle waits until all clones have the expected state.
func (t *team) settle(ctx context.Context) (err error) {
	told := time.Now()
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		for _, c := range t.clones {
			c.poke()
		}
		if err = t.look(ctx); err == nil {
			return nil
		}
		if time.Since(told) > time.Minute {
			fmt.Println("not yet:", err)
			told = time.Now()
		}
	}
	return err
}

// look returns an error for the first unexpected state.
func (t *team) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	items, err := t.engine.List(ctx, "state/o/tasks/")
	if err != nil {
		return err
	}
	if len(items) != len(t.names) {
		return fmt.Errorf("the etcd has %d tasks of %d", len(items), len(t.names))
	}
	var all strings.Builder
	for _, c := range t.clones {
		texts, err := c.marks()
		if err != nil {
			return err
		}
		for _, text := range texts {
			all.WriteString(text)
		}
	}
	marked, alone := all.String(), map[string]string{}
	for _, item := range items {
		name := item.Key[strings.LastIndex(item.Key, "/")+1:]
		_, text, _ := strings.Cut(string(item.Value), "\n")
		for _, c := range t.clones {
			if here, err := os.ReadFile(c.file(name)); err != nil || string(here) != text {
				return errors.Join(fmt.Errorf("%s of %s is not the team's", name, c.name), err)
			}
		}
		if err := t.ownStand(name, marked, alone); err != nil {
			return err
		}
		all.WriteString(text)
	}
	if err := t.commonStand(all.String()); err != nil {
		return err
	}
	t.alone += len(alone)
	maps.Copy(t.last, alone)
	return nil
}

// ownStand checks the last value that each clone wrote into its field of a
// task. A value that is only in a mark conflicts with no other edit; alone
// records the current value.
func (t *team) ownStand(task, marked string, alone map[string]string) error {
	spec, err := t.clones[0].spec(task)
	if err != nil {
		return err
	}
	for i, c := range t.clones {
		want := t.last[c.name+" "+task]
		switch is, _ := spec[own[i]].(string); {
		case is == want:
		case strings.Contains(marked, `"`+want+`"`):
			alone[c.name+" "+task] = is
		default:
			return fmt.Errorf("an edit was lost: %s of %s is %q, and %s wrote %q last", own[i], task, is, c.name, want)
		}
	}
	return nil
}

// commonStand returns an error if a value of the common field is lost: no clone saw it replaced, and
// all, the text of the objects and conflict marks, does not contain it.
func (t *team) commonStand(all string) error {
	for value, where := range t.values {
		if !strings.Contains(all, `"`+value+`"`) {
			return fmt.Errorf("an edit was lost: %s of %s", value, where)
		}
	}
	return nil
}

// tell prints the numbers of edits, conflicts, rounds and faults so far.
func (t *team) tell(took time.Duration) {
	var sent, taken, rounds, failed int64
	marks := 0
	for _, c := range t.clones {
		sent, taken, rounds, failed = sent+c.sent.Load(), taken+c.taken.Load(), rounds+c.rounds.Load(), failed+c.failed.Load()
		texts, _ := c.marks()
		marks += len(texts)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	fmt.Printf("%s: %d edits acknowledged in %v (%.0f/s), %d sent, %d taken, %d conflicts marked, %d of them without a concurrent edit; %d rounds, %d failed; %s; load %s\n",
		time.Now().Format("15:04:05"), t.edits, took.Round(time.Second), float64(t.edits)/took.Seconds(), sent, taken, marks, t.alone, rounds, failed, t.faults, first)
}
