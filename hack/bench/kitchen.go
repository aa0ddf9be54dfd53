package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// backend is a repository with tasks, mems, one active task and, usually, a running controller.
type backend struct {
	repo        *drive.Repo
	controller  *drive.Controller // nil if none is running
	tasks, mems int
}

func (k *backend) String() string { return fmt.Sprintf("%d tasks + %d mems", k.tasks, k.mems) }

// activeTask is the active task of a backend.
const activeTask = 0

// newKitchen creates a repository and starts its controller. It returns when all statuses are
// current and the controller answers.
func newKitchen(b *bench, tasks, mems int) (*backend, error) {
	k, err := newLonelyKitchen(b, tasks, mems)
	if err != nil {
		return nil, err
	}
	if k.controller, err = k.repo.StartController(); err == nil {
		err = k.ready()
	}
	if err != nil {
		k.end()
		return nil, err
	}
	return k, nil
}

// newLonelyKitchen creates a repository without a controller.
func newLonelyKitchen(b *bench, tasks, mems int) (*backend, error) {
	repo, err := repoWithTasks(b, tasks, mixed)
	if err != nil {
		return nil, err
	}
	k := &backend{repo: repo, tasks: tasks, mems: mems}
	err = writeMems(repo, mems)
	if err == nil {
		err = k.work(0)
	}
	if err != nil {
		k.end()
		return nil, err
	}
	return k, nil
}

func (k *backend) ready() error {
	if err := allStatuses(k.repo, k.tasks); err != nil {
		return err
	}
	settle(k.controller.PID())
	return drive.Eventually(context.Background(), time.Minute, k.answers)
}

func (k *backend) end() {
	if k.controller != nil {
		k.controller.Kill()
	}
	k.repo.Remove()
}

// work rewrites the active task's file by hand.
func (k *backend) work(round int) error {
	spec := taskSpec(activeTask, mixed)
	spec["state"], spec["title"] = "active", workTitle(round)
	return k.repo.ReplaceTask(taskName(activeTask), spec)
}

func workTitle(round int) string { return fmt.Sprintf("The work of round %d", round) }

// touch changes an inactive task and waits until all statuses are current.
func (k *backend) touch(round int) error {
	if err := k.change(round); err != nil {
		return err
	}
	settle(k.controller.PID())
	return nil
}

// change changes an inactive task and does not wait.
func (k *backend) change(round int) error {
	spec := taskSpec(k.tasks-1, mixed)
	spec["title"] = fmt.Sprintf("Changed in round %d", round)
	return k.repo.ReplaceTask(taskName(k.tasks-1), spec)
}

// forget removes the records of sessions, because each live session has a pack, and in practice
// only a few are live.
func (k *backend) forget(pattern string) error {
	records, err := filepath.Glob(k.repo.Path("sessions", pattern+".json"))
	if err != nil {
		return err
	}
	for _, record := range records {
		if err := os.Remove(record); err != nil {
			return err
		}
	}
	settle(k.controller.PID())
	return nil
}

// idumb returns a process that runs idumb in this repository.
func (k *backend) idumb(args ...string) process {
	p := process{path: k.repo.Bin.Path("idumb"), args: args, dir: k.repo.Dir, env: append(k.repo.Env(), "IDUMB_AUTOSTART=off")}
	if k.controller != nil {
		p.serves = k.controller.PID()
	}
	return p
}

// writeMems writes n mems of some forty words each.
func writeMems(repo *drive.Repo, n int) error {
	dir := repo.Path("mems")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, 5000)
	for i := range n {
		var text strings.Builder
		for range 40 {
			fmt.Fprintf(&text, "word%c%c%d ", 'a'+rune(zipf.Uint64()%26), 'a'+rune(zipf.Uint64()%7), zipf.Uint64()%9)
		}
		if i%50 == 0 {
			text.WriteString("session tokens are renewed")
		}
		name := fmt.Sprintf("m-%05d", i)
		object := fmt.Sprintf(`{"apiVersion": "idumb.dev/v1alpha1", "kind": "Mem", "metadata": {"name": "%s", "creationTimestamp": "2026-11-%02dT10:00:00Z"}, "spec": {"title": "Note %d", "content": "%s", "tags": ["t%d"]}}`,
			name, 1+i%20, i, text.String(), i%90)
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(object), 0o644); err != nil {
			return err
		}
	}
	return nil
}
