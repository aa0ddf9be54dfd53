// Crash kills commands and the controller with SIGKILL at random moments, lets the controller
// hang, end and start meanwhile, and looks at what is left:
//
//	go run ./hack/crash [-kills 1000] [-seed N]
//
// After every step each file below .idumb must be whole: parse as JSON, and hold
// either what was there before the command or what the command wanted. Whatever state the
// controller is in, a command that is not killed ends without an error, and the gate denies
// what it has to. Every change whose command exited 0 must still be there at the end, and the
// controller, started once more, must reach the same statuses as one that starts
// with none. The exit code is 1 if anything of that fails.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
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
	seed := flag.Uint64("seed", 1, "of the random moments; 0: another one each time")
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	if err := run(*kills, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

// crasher is one run.
type crasher struct {
	repo     *drive.Repo
	random   *rand.Rand
	chaos    *drive.Chaos
	acked    map[string][]string // task -> annotation keys that were acknowledged
	killed   int                 // commands
	refused  int                 // commands
	survived int                 // commands that were done before the kill came
}

const tasks = 6

func taskName(i int) string { return fmt.Sprintf("t%d", i) }

func run(kills int, seed uint64) error {
	fmt.Println("seed", seed)
	bin, err := drive.Build("idumb", "idumb-controller", "idumb-hook")
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
	if c.chaos, err = drive.NewChaos(repo, seed); err != nil {
		return err
	}
	defer c.chaos.Kill()
	for n := 0; c.killed+c.chaos.Killed() < kills; n++ {
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
			spec["dependsOn"] = []string{taskName(i - 1)}
		}
		if err := c.repo.WriteTask(taskName(i), spec); err != nil {
			return err
		}
	}
	return nil
}

// step runs one command and kills it, or has something happen to the controller meanwhile.
func (c *crasher) step(n int) error {
	task, key := taskName(c.random.IntN(tasks)), fmt.Sprintf("k%d", n)
	cmd := c.repo.Command("annotate", "task", task, key+"=v")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(c.random.Int64N(int64(12 * time.Millisecond))))
	spare := n%2 == 1
	var chaos error
	if spare {
		chaos = c.chaos.Step()
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
	case spare && c.chaos.Hangs() && strings.Contains(stderr.String(), "another process is writing"):
		c.refused++ // it hangs in the middle of writing, and the command says who does
	case spare:
		return fmt.Errorf("annotate failed although nobody killed it: %w\n%s", errors.Join(err, chaos), stderr.String())
	default:
		c.killed++
	}
	if spare && chaos == nil {
		chaos = c.repo.AskGate("src/a.go") // no task is active
	}
	return errors.Join(chaos, c.everyFileIsWhole())
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
	fmt.Printf("commands: %d killed, %d refused, %d were done first or spared\n%s\n", c.killed, c.refused, c.survived, c.chaos)
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
	before, err := c.settled()
	if err != nil {
		return err
	}
	c.chaos.Kill()
	if err := os.RemoveAll(c.repo.Path("status")); err != nil {
		return err
	}
	after, err := c.settled()
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

// settled returns the statuses once a controller has seen to all of them.
func (c *crasher) settled() (map[string]string, error) {
	if err := c.chaos.Calm(); err != nil {
		return nil, err
	}
	var names []string
	for i := range tasks {
		names = append(names, taskName(i))
	}
	if err := c.repo.AwaitStatuses(names...); err != nil {
		return nil, err
	}
	return c.statuses()
}

var transitionTimes = regexp.MustCompile(`"(lastTransitionTime|startedAt|completedAt)": "[^"]*"`)

func (c *crasher) statuses() (map[string]string, error) {
	found := map[string]string{}
	for i := range tasks {
		name := taskName(i)
		data, err := os.ReadFile(c.repo.Path("status", "tasks", name+".json"))
		if err != nil {
			return nil, err
		}
		found[name] = transitionTimes.ReplaceAllString(string(data), `"$1": "-"`)
	}
	return found, nil
}
