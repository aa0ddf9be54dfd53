// Contend lets several processes change the same objects at once, with hand edits
// in between, and the controller killed, hung and started again meanwhile, and counts
// acknowledged changes that were lost:
//
//	go run ./hack/contend [-writers 8] [-changes 200] [-objects 5] [-edits 200] [-seed N]
//
// A change is one "idumb annotate" of a key of its own; it is acknowledged when
// the command exits 0. A hand edit reads a file, changes it and renames it over
// the old one, as sed -i does, taking no lock. What such an editor overwrites
// itself (a change that was acknowledged between its read and its rename, or that
// was on its way then) no program can keep; it is counted apart, from the
// bytes that the editor read. Everything else that is missing is a loss, and the
// exit code is 1; so it is if in the end a status is not about the file that is there.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// change is one annotation that a writer set, and when its command ran.
type change struct {
	task, key    string
	begun, acked time.Time
}

// edit is one hand edit: what it read, and when it did so and renamed.
type edit struct {
	task, marker  string
	read          string
	begun, landed time.Time
}

func main() {
	writers := flag.Int("writers", 8, "processes that write at once")
	changes := flag.Int("changes", 200, "changes by each of them")
	objects := flag.Int("objects", 5, "tasks that they share")
	edits := flag.Int("edits", 200, "hand edits in between")
	seed := flag.Uint64("seed", 1, "of what happens to the controller; 0: another one each time")
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	if err := run(*writers, *changes, *objects, *edits, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "contend:", err)
		os.Exit(1)
	}
}

func run(writers, changes, objects, edits int, seed uint64) error {
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
	if err := populate(repo, objects); err != nil {
		return err
	}
	chaos, err := drive.NewChaos(repo, seed)
	if err != nil {
		return err
	}
	defer chaos.Kill()

	began := time.Now()
	acked, byHand, err := contend(repo, chaos, writers, changes, objects, edits)
	took := time.Since(began)
	fmt.Println(chaos)
	if err == nil {
		err = judge(repo, acked, byHand, writers*changes, took)
	}
	if err == nil {
		err = chaos.Calm()
	}
	if err != nil {
		return err
	}
	var names []string
	for i := range objects {
		names = append(names, taskName(i))
	}
	return repo.AwaitStatuses(names...)
}

func populate(repo *drive.Repo, objects int) error {
	if _, err := repo.Idumb("create", "workplan", "shared", "--title", "Shared", "--accept", "nothing is lost", "--state", "active"); err != nil {
		return err
	}
	for i := range objects {
		err := repo.WriteTask(taskName(i), map[string]any{"workPlan": "shared", "expectedOutput": "all changes", "title": "untouched"})
		if err != nil {
			return err
		}
	}
	return nil
}

func taskName(i int) string { return fmt.Sprintf("t%d", i) }

// contend runs writers and the hand editor together, while things happen to the controller, and
// returns what was acknowledged and what was edited.
func contend(repo *drive.Repo, chaos *drive.Chaos, writers, changes, objects, edits int) ([]change, []edit, error) {
	var mu sync.Mutex
	var acked []change
	var byHand []edit
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range changes {
				c := change{task: taskName((w + n) % objects), key: fmt.Sprintf("w%d-%d", w, n), begun: time.Now()}
				if err := repo.Command("annotate", "task", c.task, c.key+"=done").Run(); err != nil {
					continue // refused, not lost: it was not acknowledged
				}
				c.acked = time.Now()
				mu.Lock()
				acked = append(acked, c)
				mu.Unlock()
			}
		})
	}
	wg.Go(func() {
		for n := range edits {
			if e, err := editByHand(repo, taskName(n%objects), fmt.Sprintf("hand-%d", n)); err == nil {
				byHand = append(byHand, e)
			}
			time.Sleep(3 * time.Millisecond)
		}
	})
	return acked, byHand, chaosUntil(wg.Wait, chaos)
}

// chaosUntil lets something happen to the controller every few milliseconds until wait returns.
func chaosUntil(wait func(), chaos *drive.Chaos) (err error) {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	for {
		select {
		case <-done:
			return err
		case <-time.After(30 * time.Millisecond):
			if err == nil {
				err = chaos.Step()
			}
		}
	}
}

// editByHand adds a marker to the task's title as sed -i would.
func editByHand(repo *drive.Repo, task, marker string) (edit, error) {
	path := repo.Path("tasks", task+".json")
	e := edit{task: task, marker: marker, begun: time.Now()}
	data, err := os.ReadFile(path)
	if err != nil {
		return e, err
	}
	e.read = string(data)
	changed := strings.Replace(e.read, `"title": "`, `"title": "`+marker+` `, 1)
	temp := filepath.Join(filepath.Dir(path), "sed"+marker)
	if err := os.WriteFile(temp, []byte(changed), 0o644); err != nil {
		return e, err
	}
	if err := os.Rename(temp, path); err != nil {
		return e, err
	}
	e.landed = time.Now()
	return e, nil
}

// judge compares what was acknowledged with what is on disk.
func judge(repo *drive.Repo, acked []change, byHand []edit, wanted int, took time.Duration) error {
	overwritten, lost := 0, 0
	for _, c := range acked {
		data, err := os.ReadFile(repo.Path("tasks", c.task+".json"))
		switch {
		case err != nil:
			return err
		case strings.Contains(string(data), `"`+c.key+`"`):
		case overwrittenBy(byHand, c):
			overwritten++
		default:
			lost++
			fmt.Println("lost:", c.task, c.key)
		}
	}
	lostEdits := missingEdits(repo, byHand)
	fmt.Printf("%d changes by commands wanted, %d acknowledged, %d hand edits, in %.1fs\n", wanted, len(acked), len(byHand), took.Seconds())
	fmt.Printf("overwritten by the editor itself: %d\nacknowledged changes lost: %d\nhand edits lost: %d\n", overwritten, lost, lostEdits)
	if out, err := exec.Command("git", "-C", repo.Dir, "status", "--porcelain", "--ignored").Output(); err == nil && strings.Contains(string(out), ".tmp") {
		fmt.Println("temporary files were left behind:\n" + string(out))
	}
	switch {
	case lost > 0 || lostEdits > 0:
		return fmt.Errorf("%d acknowledged changes and %d hand edits were lost", lost, lostEdits)
	case len(acked) < wanted*9/10:
		return fmt.Errorf("only %d of %d changes were acknowledged", len(acked), wanted)
	}
	return nil
}

// overwrittenBy reports whether a hand edit that had read the file before the
// change was in it renamed its own version over it.
func overwrittenBy(byHand []edit, c change) bool {
	for _, e := range byHand {
		if e.task == c.task && !strings.Contains(e.read, `"`+c.key+`"`) && e.landed.After(c.begun) && e.begun.Before(c.acked) {
			return true
		}
	}
	return false
}

// missingEdits counts hand edits whose marker is gone although a command, not a
// later hand edit, wrote last: a later edit carries all markers that it read.
func missingEdits(repo *drive.Repo, byHand []edit) int {
	missing := 0
	for i, e := range byHand {
		data, err := os.ReadFile(repo.Path("tasks", e.task+".json"))
		if err != nil || strings.Contains(string(data), e.marker+" ") {
			continue
		}
		fmt.Println("hand edit lost:", e.task, e.marker, "number", i)
		missing++
	}
	return missing
}
