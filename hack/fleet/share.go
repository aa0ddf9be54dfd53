package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/drive"
)

// A person is a user in the trial share: users work through a plan, each in a clone with a running
// controller. They complete tasks, commit, pull, push, branch, rebase, stash, work in linked trees,
// confirm and pin mems, and a controller is killed now and then.
//
// No user edits objects of another user. So the trial fails if a command fails, if git finds a
// conflict, if git lists a file that is local to a machine, or if the clones differ in any object
// at the end, apart from local times and checksums.
type person struct {
	*clone
	crowd      *crowd
	number     int
	controller *drive.Controller
}

// A crowd is all users and their actions.
type crowd struct {
	*stage
	people    []*person
	did       map[string]int
	usedNames int // number of names used
}

func share(flags *flag.FlagSet) func(*stage) error {
	steps := flags.Int("steps", 200, "things that are done")
	return func(s *stage) error {
		const people, tasks = 3, 30
		t := &crowd{stage: s, did: map[string]int{}}
		if err := s.meet(people, tasks, false); err != nil {
			return err
		}
		for i, c := range s.clones {
			p := &person{clone: c, crowd: t, number: i}
			if err := p.start(); err != nil {
				return err
			}
			defer func() { p.controller.Kill() }()
			t.people = append(t.people, p)
		}
		for n := range *steps {
			p := t.people[s.random.IntN(people)]
			name, act := t.choose()
			if err := errors.Join(act(p), p.clean()); err != nil {
				return fmt.Errorf("step %d, %s in %s: %w", n, name, p.name, err)
			}
			t.did[name]++
		}
		for _, name := range slices.Sorted(maps.Keys(t.did)) {
			fmt.Printf("%s %d  ", name, t.did[name])
		}
		fmt.Println()
		return t.agree()
	}
}

// next returns an unused name.
func (t *crowd) next(what string) string {
	t.usedNames++
	return fmt.Sprintf("%s-%d", what, t.usedNames)
}

// choose picks the next action, weighted by its frequency.
func (t *crowd) choose() (string, func(*person) error) {
	acts := []struct {
		name  string
		often int
		act   func(*person) error
	}{
		{"complete", 6, (*person).complete},
		{"add", 2, (*person).add},
		{"commit", 5, (*person).commit},
		{"pull", 4, (*person).pull},
		{"push", 5, (*person).push},
		{"rebase", 2, (*person).rebase},
		{"branch", 2, (*person).branch},
		{"stash", 2, (*person).stash},
		{"worktree", 1, (*person).worktree},
		{"amend", 1, (*person).amend},
		{"decide", 2, (*person).decide},
		{"confirm", 2, (*person).confirm},
		{"kill", 1, (*person).kill},
		{"no-idumb", 1, (*person).checkoutBare},
	}
	sum := 0
	for _, a := range acts {
		sum += a.often
	}
	at := t.random.IntN(sum)
	for _, a := range acts {
		if at -= a.often; at < 0 {
			return a.name, a.act
		}
	}
	panic("unreachable")
}

func (c *person) start() (err error) {
	c.controller, err = c.StartController()
	return err
}

func (c *person) kill() error {
	c.controller.Kill()
	return c.start()
}

// clean reports local files that git lists, and unmerged files.
func (c *person) clean() error {
	out, err := drive.Git(c.Dir, "status", "--porcelain", "-uall")
	if err != nil {
		return err
	}
	tracked, err := drive.Git(c.Dir, "ls-files", ".idumb")
	for line := range strings.Lines(out) {
		if strings.Contains(line[:2], "U") {
			err = errors.Join(err, fmt.Errorf("a conflict: %s", line))
		}
		tracked += line[3:]
	}
	for file := range strings.Lines(tracked) {
		file = strings.TrimSpace(file)
		local := func(pattern string) bool {
			same, _ := path.Match(pattern, file)
			return same || strings.HasPrefix(file, pattern+"/")
		}
		if slices.ContainsFunc(append(layout.LocalDirs(), layout.LocalFiles()...), local) || strings.Contains(file, layout.TempPrefix) {
			err = errors.Join(err, fmt.Errorf("git is offered, or has, %s", file))
		}
	}
	return err
}

// object contains the used fields of an object.
type object struct {
	Metadata struct{ Name string }
	Spec     struct{ State, Source string }
}

func (c *person) list(kind string) ([]object, error) {
	out, err := c.Idumb("get", kind, "-o", "json")
	var list struct{ Items []object }
	if err == nil {
		err = json.Unmarshal([]byte(out), &list)
	}
	return list.Items, err
}

// mine reports whether an object belongs to this user.
func (c *person) mine(name string) bool {
	sum := 0
	for _, r := range name {
		sum += int(r)
	}
	return sum%len(c.crowd.people) == c.number
}

// some returns one of this user's objects for which fits is true.
func (c *person) some(kind string, fits func(object) bool) (string, error) {
	list, err := c.list(kind)
	list = slices.DeleteFunc(list, func(o object) bool { return !c.mine(o.Metadata.Name) || !fits(o) })
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[c.crowd.random.IntN(len(list))].Metadata.Name, nil
}

func (c *person) complete() error {
	name, err := c.some("tasks", func(o object) bool { return o.Spec.State == "planned" || o.Spec.State == "" })
	if err != nil || name == "" {
		return err
	}
	if err := c.idumb("start", "task/"+name); err != nil {
		return err
	}
	return c.idumb("complete", "task/"+name, "--evidence", "seen by "+c.name)
}

func (c *person) add() error {
	name := c.crowd.next("added")
	return c.idumb("create", "task", name, "--plan", "p", "--expect", name+" works")
}

func (c *person) decide() error {
	name := c.crowd.next("anchor")
	return c.idumb("create", "anchor", name, "--type", "decision", "--content", "we do as "+name+" says")
}

// confirm makes a spec of a derived mem: by confirming or by an annotation or label.
func (c *person) confirm() error {
	name, err := c.some("mems", func(o object) bool { return o.Spec.Source != "" })
	if err != nil || name == "" {
		return err
	}
	return c.idumb([][]string{{"mem", "confirm", name}, {"annotate", "mem", name, "seen=yes", "--overwrite"}, {"label", "mem", name, "seen=yes", "--overwrite"}}[c.crowd.random.IntN(3)]...)
}

// commit commits all changes. Every third message contains a fact worth remembering.
func (c *person) commit() error {
	if err := c.Git("add", "-A"); err != nil {
		return err
	}
	return c.Git("commit", "-q", "--allow-empty", "-m", c.message())
}

func (c *person) message() string {
	name := c.crowd.next("change")
	if c.crowd.random.IntN(3) == 0 {
		return "decision: we do " + name
	}
	return name
}

// pull merges pushed changes, half of the time with uncommitted work.
func (c *person) pull() error {
	if c.crowd.random.IntN(2) == 0 {
		if err := c.commit(); err != nil {
			return err
		}
	}
	return c.Git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
}

func (c *person) push() error {
	if err := errors.Join(c.commit(), c.Git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")); err != nil {
		return err
	}
	return c.Git("push", "-q", "origin", "main")
}

func (c *person) rebase() error {
	return errors.Join(c.commit(), c.Git("fetch", "-q"), c.Git("rebase", "-q", "origin/main"))
}

func (c *person) amend() error {
	return errors.Join(c.commit(), c.Git("commit", "-q", "--amend", "--allow-empty", "-m", c.message()))
}

// branch works on a branch, which is merged or deleted.
func (c *person) branch() error {
	side := c.crowd.next("side")
	err := errors.Join(c.commit(), c.Git("checkout", "-q", "-b", side), c.complete(), c.commit(), c.clean(), c.Git("checkout", "-q", "main"))
	if err == nil && c.crowd.random.IntN(2) == 0 {
		err = c.Git("merge", "-q", "--no-ff", "--no-edit", side)
	}
	return errors.Join(err, c.Git("branch", "-q", "-D", side))
}

// stash stashes work and restores it.
func (c *person) stash() error {
	if err := errors.Join(c.commit(), c.complete(), c.add(), c.Git("stash", "-q", "-u")); err != nil {
		return err
	}
	if list, err := drive.Git(c.Dir, "stash", "list"); err != nil || list == "" {
		return err
	}
	return errors.Join(c.clean(), c.Git("stash", "pop", "-q"))
}

// worktree works in a linked tree without a controller, and merges it.
func (c *person) worktree() error {
	side := c.crowd.next("tree")
	tree := *c
	tree.clone = &clone{name: side, Repo: &drive.Repo{Dir: filepath.Join(c.crowd.dir, side), Bin: c.Bin}}
	if err := errors.Join(c.commit(), c.Git("worktree", "add", "-q", "-b", side, tree.Dir)); err != nil {
		return err
	}
	err := errors.Join(tree.complete(), tree.commit(), tree.clean())
	return errors.Join(err, c.Git("worktree", "remove", "--force", tree.Dir), c.Git("merge", "-q", "--no-edit", side), c.Git("branch", "-q", "-D", side),
		os.RemoveAll(tree.Dir+".settings"))
}

// checkoutBare checks out a branch without .idumb.
func (c *person) checkoutBare() error {
	err := errors.Join(c.commit(), c.Git("checkout", "-q", "--detach", "origin/bare"))
	if err == nil {
		err = c.clean()
	}
	return errors.Join(err, c.Git("checkout", "-q", "main"))
}

// kinds lists the compared kinds.
var kinds = []string{"workplans", "tasks", "anchors", "mems", "roles", "chainrules", "triggers", "delegations", "config"}

// agree brings all clones to the same commit, and waits until they agree.
func (t *crowd) agree() error {
	for range 2 { // the first clones pull the last one's push
		for _, c := range t.people {
			if err := errors.Join(c.push(), c.clean()); err != nil {
				return fmt.Errorf("at the end, in %s: %w", c.name, err)
			}
		}
	}
	for _, c := range t.people {
		if err := errors.Join(c.Git("pull", "-q", "--ff-only", "origin", "main"), c.clean()); err != nil {
			return fmt.Errorf("at the end, in %s: %w", c.name, err)
		}
	}
	began := time.Now()
	objects := 0
	for _, kind := range kinds {
		err := drive.Eventually(context.Background(), 20*time.Second, func() (err error) {
			n, err := t.countDifferences(kind)
			if err == nil {
				objects += n
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("%d clones agree about %d objects, %.1f s after the last pull\n", len(t.people), objects, time.Since(began).Seconds())
	return nil
}

// countDifferences reports differences between the clones in the objects of a kind, and returns their number.
func (t *crowd) countDifferences(kind string) (int, error) {
	first, err := t.people[0].say(kind)
	if err != nil {
		return 0, err
	}
	for _, c := range t.people[1:] {
		other, err := c.say(kind)
		if err != nil {
			return 0, err
		}
		for name := range other {
			if _, there := first[name]; !there {
				return 0, fmt.Errorf("%s %s is in %s and not in %s", kind, name, c.name, t.people[0].name)
			}
		}
		for name, text := range first {
			if other[name] != text {
				return 0, fmt.Errorf("%s %s is in %s\n%s\nand in %s\n%s", kind, name, t.people[0].name, text, c.name, other[name])
			}
		}
	}
	return len(first), nil
}

// say returns a clone's objects of a kind by name, without local data.
func (c *person) say(kind string) (map[string]string, error) {
	out, err := c.Idumb("get", kind, "-o", "json")
	if err != nil {
		return nil, err
	}
	var list map[string]any
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		return nil, err
	}
	items, isList := list["items"].([]any)
	if !isList {
		items = []any{list}
	}
	said := map[string]string{}
	for _, item := range items {
		o, _ := item.(map[string]any)
		meta, _ := o["metadata"].(map[string]any)
		delete(meta, "resourceVersion")
		delete(meta, "managedFields")
		o["status"] = timeless(o["status"])
		text, err := json.MarshalIndent(o, "", " ")
		if err != nil {
			return nil, err
		}
		said[fmt.Sprint(meta["name"])] = string(text)
	}
	return said, nil
}

// timeless removes times, and data of local logs, from a status.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if strings.HasSuffix(key, "At") || strings.HasSuffix(key, "Time") || strings.HasSuffix(key, "Since") || key == "checkpoints" {
				delete(v, key)
				continue
			}
			v[key] = timeless(value)
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}
