package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A stage contains the common parts of all trials: the built programs, a directory, repositories
// and the random source.
type stage struct {
	dir    string
	bin    drive.Bin
	random *rand.Rand
	seed   uint64
	hub    string // bare repository of the clones
	clones []*clone
}

// A clone is a repository of the stage, like the clone of one machine.
type clone struct {
	*drive.Repo
	name  string
	chaos *chaos // disturbances of its controller; nil for none
}

func newStage(seed uint64) (*stage, error) {
	bin, err := drive.Build("idumb", "idumb-controller", "idumb-hook")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "idumb-fleet-")
	return &stage{dir: dir, bin: bin, random: rand.New(rand.NewPCG(seed, 1)), seed: seed, hub: filepath.Join(dir, "hub.git")}, err
}

// remove ends the controllers and deletes all files.
func (s *stage) remove() error {
	for _, c := range s.clones {
		if c.chaos != nil {
			c.chaos.kill()
		}
	}
	return errors.Join(s.bin.Remove(), os.RemoveAll(s.dir))
}

// newClone returns a repository without its directory, with variables for its processes.
func (s *stage) newClone(vars ...string) *clone {
	name := string(rune('a' + len(s.clones)))
	c := &clone{name: name, Repo: &drive.Repo{Dir: filepath.Join(s.dir, name), Bin: s.bin, Vars: vars}}
	s.clones = append(s.clones, c)
	return c
}

// do runs the steps up to the first that fails.
func do(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// idumb runs a command that must succeed.
func (c *clone) idumb(args ...string) error {
	if _, err := c.Idumb(args...); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// field returns the value of a field of a task's spec in this clone.
func (c *clone) field(task, field string) (string, error) {
	data, err := os.ReadFile(c.file(task))
	if err != nil {
		return "", err
	}
	var o struct{ Spec map[string]any }
	err = json.Unmarshal(data, &o)
	value, _ := o.Spec[field].(string)
	return value, err
}

func (c *clone) file(task string) string { return c.Path("tasks", task+".json") }

// replace changes a task's file like an editor: by a rename, without a check of its revision.
func (c *clone) replace(task string, change func(text []byte) ([]byte, error)) error {
	data, err := os.ReadFile(c.file(task))
	if err != nil {
		return err
	}
	if data, err = change(data); err != nil {
		return err
	}
	temp := c.file(task) + "~"
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, c.file(task))
}

// disturbed creates the stage's only repository, with hand-written tasks and a disturbed
// controller. It returns the names of the tasks.
func (s *stage) disturbed(plan string, tasks int, spec func(i int) map[string]any) (c *clone, names []string, err error) {
	c = s.newClone()
	err = do(
		func() error { _, err := drive.Git(s.dir, "init", "-q", c.Dir); return err },
		func() error { return c.idumb("init") },
		func() error {
			return c.idumb("create", "workplan", plan, "--title", plan, "--accept", "no edit is lost", "--state", "active")
		})
	for i := 0; i < tasks && err == nil; i++ {
		names = append(names, taskName(i))
		of := spec(i)
		of["workPlan"] = plan
		err = c.WriteTask(names[i], of)
	}
	if err == nil {
		c.chaos, err = newChaos(c.Repo, s.seed)
	}
	return c, names, err
}

func taskName(n int) string { return fmt.Sprintf("task-%04d", n) }

// ourFile matches the names of files that the store reads, without temporary files.
var ourFile = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.json$`)

// checkJSON reports files below .idumb of any repository that are not valid JSON.
func (s *stage) checkJSON() error {
	var errs []error
	for _, c := range s.clones {
		errs = append(errs, filepath.WalkDir(c.Path(), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !ourFile.MatchString(d.Name()) {
				return ignoreGone(err)
			}
			data, err := os.ReadFile(path)
			if err == nil && !json.Valid(data) {
				err = fmt.Errorf("%s is torn: %q", path, data)
			}
			return ignoreGone(err)
		}))
	}
	return errors.Join(errs...)
}

func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// says reports whether a task's file contains a text.
func (c *clone) says(task, text string) (bool, error) {
	data, err := os.ReadFile(c.file(task))
	return strings.Contains(string(data), text), err
}

// meet creates the hub, the first clone with a plan and its tasks, and the other clones. A branch
// "bare" has no .idumb. With private, each clone has separate user settings and no automatic
// controller.
func (s *stage) meet(clones, tasks int, private bool) error {
	newClone := func() *clone {
		if !private {
			return s.newClone()
		}
		home := filepath.Join(s.dir, fmt.Sprint(len(s.clones), "-home"))
		return s.newClone("HOME="+home, "IDUMB_AUTOSTART=off", "IDUMB_TRUST=")
	}
	first := newClone()
	err := do(
		func() error { _, err := drive.Git(s.dir, "init", "-q", "--bare", "-b", "main", s.hub); return err },
		func() error { _, err := drive.Git(s.dir, "clone", "-q", s.hub, first.Dir); return err },
		func() error { return first.Git("checkout", "-q", "-b", "main") },
		func() error { return first.Git("commit", "-q", "--allow-empty", "-m", "begin") },
		func() error { return first.Git("branch", "bare") },
		func() error { return first.idumb("init", "--agent", "none") },
		func() error {
			return first.idumb("create", "workplan", "p", "--title", "P", "--accept", "all works", "--state", "active")
		})
	for n := 0; n < tasks && err == nil; n++ {
		err = first.idumb("create", "task", taskName(n), "--plan", "p", "--expect", taskName(n)+" works")
	}
	if err == nil {
		err = do(
			func() error { return first.Git("add", "-A") },
			func() error { return first.Git("commit", "-q", "-m", "plan") },
			func() error { return first.Git("push", "-q", "origin", "main", "bare") })
	}
	for n := 1; n < clones && err == nil; n++ {
		_, err = drive.Git(s.dir, "clone", "-q", s.hub, newClone().Dir)
	}
	return err
}
