// Crash kills commands and the controller with SIGKILL at random moments and
// looks at what is left:
//
//	go run ./hack/crash [-kills 1000] [-seed N]
//
// After every kill each file below .idumb must be whole: parse as JSON, and hold
// either what was there before the command or what the command wanted. Every
// change whose command exited 0 must still be there at the end, and the
// controller, started once more, must reach the same statuses as one that starts
// with none. The exit code is 1 if anything of that fails.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

func main() {
	kills := flag.Int("kills", 1000, "processes to kill")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random moments")
	flag.Parse()
	if err := run(*kills, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

// crasher is one run.
type crasher struct {
	repo       *drive.Repo
	random     *rand.Rand
	controller *drive.Controller
	acked      map[string][]string // task -> annotation keys that were acknowledged
	killed     struct{ commands, controllers int }
	survived   int // commands that were done before the kill came
}

const tasks = 6

func run(kills int, seed uint64) error {
	fmt.Println("seed", seed)
	bin, err := drive.Build("idumb", "idumb-controller")
	if err != nil {
		return err
	}
	defer bin.Remove()
	repo, err := drive.NewRepo(bin)
	if err != nil {
		return err
	}
	defer repo.Remove()
	c := &crasher{repo: repo, random: rand.New(rand.NewPCG(seed, 1)), acked: map[string][]string{}}
	if err := c.populate(); err != nil {
		return err
	}
	if c.controller, err = repo.StartController(); err != nil {
		return err
	}
	defer func() { c.controller.Kill() }()
	for n := 0; c.killed.commands+c.killed.controllers < kills; n++ {
		if err := c.step(n); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
	}
	return c.judge()
}

func (c *crasher) populate() error {
	if _, err := c.repo.Idumb("create", "workplan", "crash", "--title", "Crash", "--accept", "whole", "--state", "active"); err != nil {
		return err
	}
	for i := range tasks {
		spec := map[string]any{"workPlan": "crash", "expectedOutput": "whole"}
		if i > 0 {
			spec["dependsOn"] = []string{fmt.Sprintf("t%d", i-1)}
		}
		if err := c.repo.WriteTask(fmt.Sprintf("t%d", i), spec); err != nil {
			return err
		}
	}
	return nil
}

// step runs one command and kills it, or the controller while the command runs.
func (c *crasher) step(n int) error {
	task, key := fmt.Sprintf("t%d", c.random.IntN(tasks)), fmt.Sprintf("k%d", n)
	cmd := c.repo.Command("annotate", "task", task, key+"=v")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(c.random.Int64N(int64(12 * time.Millisecond))))
	killController := n%10 == 9
	if killController {
		c.controller.Kill()
		c.killed.controllers++
	} else {
		cmd.Process.Kill()
	}
	// What counts as acknowledged is what a person saw: the line on standard output.
	err := cmd.Wait()
	switch {
	case strings.Contains(stdout.String(), "annotated"):
		c.acked[task] = append(c.acked[task], key)
		c.survived++
	case err == nil:
		return fmt.Errorf("annotate exited 0 without saying so: %q", stdout.String())
	case !killController:
		c.killed.commands++
	default:
		return fmt.Errorf("annotate failed although only the controller was killed: %w", err)
	}
	if killController {
		if c.controller, err = c.repo.StartController(); err != nil {
			return err
		}
	}
	return c.everyFileIsWhole()
}

// ourFile is a name that the store itself reads; temporary files do not match.
var ourFile = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.json$`)

func (c *crasher) everyFileIsWhole() error {
	return filepath.WalkDir(c.repo.Path(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !ourFile.MatchString(d.Name()) {
			return ignoreGone(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return ignoreGone(err)
		}
		if !json.Valid(data) {
			return fmt.Errorf("%s is torn: %q", path, data)
		}
		return nil
	})
}

func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// judge checks the acknowledged changes and that the statuses converge.
func (c *crasher) judge() error {
	acked, lost := 0, 0
	for task, keys := range c.acked {
		data, err := os.ReadFile(c.repo.Path("tasks", task+".json"))
		if err != nil {
			return err
		}
		for _, key := range keys {
			acked++
			if !bytes.Contains(data, []byte(`"`+key+`"`)) {
				lost++
				fmt.Println("lost:", task, key)
			}
		}
	}
	fmt.Printf("%d commands and %d controllers killed, %d commands were done first\n", c.killed.commands, c.killed.controllers, c.survived)
	fmt.Printf("%d changes acknowledged, %d lost; every file whole after every kill\n", acked, lost)
	if lost > 0 {
		return fmt.Errorf("%d acknowledged changes were lost", lost)
	}
	if acked == 0 {
		return fmt.Errorf("no command was acknowledged: the kills came too early to prove anything")
	}
	return c.converges()
}

// converges compares the statuses with those of a controller that starts without any.
func (c *crasher) converges() error {
	if err := c.statusesAreCurrent(); err != nil {
		return err
	}
	before, err := c.statuses()
	if err != nil {
		return err
	}
	c.controller.Kill()
	if err := os.RemoveAll(c.repo.Path("status")); err != nil {
		return err
	}
	if c.controller, err = c.repo.StartController(); err != nil {
		return err
	}
	if err := c.statusesAreCurrent(); err != nil {
		return err
	}
	after, err := c.statuses()
	if err != nil {
		return err
	}
	for name, status := range before {
		if after[name] != status {
			return fmt.Errorf("status of %s differs from one computed from nothing:\n%s\n%s", name, status, after[name])
		}
	}
	fmt.Printf("%d statuses equal those computed from nothing\n", len(before))
	return nil
}

// statusesAreCurrent waits until each task's status is about its present file.
func (c *crasher) statusesAreCurrent() error {
	return drive.Eventually(context.Background(), 20*time.Second, func() error {
		for i := range tasks {
			name := fmt.Sprintf("t%d", i)
			revision, err := c.repo.Idumb("get", "task", name, "-o", "jsonpath={.status.observedRevision}")
			if err != nil {
				return err
			}
			status, err := c.repo.Status("tasks", name)
			if err != nil {
				return err
			}
			if status["observedRevision"] != strings.TrimSpace(revision) {
				return fmt.Errorf("status of %s is about revision %v; the file is at %s", name, status["observedRevision"], revision)
			}
		}
		return nil
	})
}

var transitionTimes = regexp.MustCompile(`"(lastTransitionTime|startedAt|completedAt)": "[^"]*"`)

func (c *crasher) statuses() (map[string]string, error) {
	found := map[string]string{}
	for i := range tasks {
		name := fmt.Sprintf("t%d", i)
		data, err := os.ReadFile(c.repo.Path("status", "tasks", name+".json"))
		if err != nil {
			return nil, err
		}
		found[name] = transitionTimes.ReplaceAllString(string(data), `"$1": "-"`)
	}
	return found, nil
}
