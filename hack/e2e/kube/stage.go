package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// plan contains the initial objects of the repository.
const plan = `kind: WorkPlan
metadata: {name: accounts}
spec: {title: Accounts, acceptance: [done], state: active}
---
kind: TaskNode
metadata: {name: db-schema, labels: {area: db}}
spec: {workPlan: accounts, title: The schema, expectedOutput: a migration}
---
kind: TaskNode
metadata: {name: login-api, labels: {area: docs}}
spec: {workPlan: accounts, title: The API, expectedOutput: an API, dependsOn: [db-schema]}
---
kind: TaskNode
metadata: {name: login-form}
spec: {workPlan: accounts, title: The form, expectedOutput: a form, dependsOn: [login-api]}
`

// patience is the timeout of a row.
const patience = time.Minute

// stage is a repository named shop with a controller for kubectl.
type stage struct {
	home, root string
	env        []string
	recorder   *recorder // nil without a recording
}

func newStage(bin drive.Bin, kubectl, record string) (s *stage, err error) {
	home, err := os.MkdirTemp("", "idumb-kube-")
	if err != nil {
		return nil, err
	}
	s = &stage{home: home, root: filepath.Join(home, "shop")}
	folder, err := filepath.Abs(bin.Dir)
	if err == nil {
		kubectl, err = filepath.Abs(kubectl)
	}
	if err != nil {
		return nil, err
	}
	s.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "IDUMB_TRUST="+home, "KUBECONFIG="+filepath.Join(home, "kubeconfig"), "K="+kubectl, "PATH="+folder+":"+os.Getenv("PATH"))
	begin := "mkdir -p shop && cd shop && git init -q . && idumb init --agent none && cat >plan.yaml && idumb apply -f plan.yaml && rm plan.yaml && idumb controller start && idumb controller kubeconfig >../kubeconfig"
	if out, err := s.sh(home, begin, plan); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %s", err, out), s.end())
	}
	if record != "" {
		if s.recorder, err = newRecorder(s.root, filepath.Join(home, "kubeconfig"), record); err != nil {
			return nil, errors.Join(err, s.end())
		}
	}
	return s, nil
}

// sh runs a script and returns its output.
func (s *stage) sh(dir, script, stdin string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = dir, s.env, strings.NewReader(stdin), time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = fmt.Errorf("it hangs: %w", ctx.Err())
	}
	return string(out), err
}

// play runs a row and returns the failure, empty for none.
func (s *stage) play(r row) string {
	out, err := s.sh(s.root, r.script, "")
	if err != nil && len(r.wants) == 0 || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("%v\n%s", err, out)
	}
	for _, want := range r.wants {
		if !strings.Contains(out, want) {
			return fmt.Sprintf("it does not say %q:\n%s", want, out)
		}
	}
	for _, lack := range r.lacks {
		if strings.Contains(out, lack) {
			return fmt.Sprintf("it says %q:\n%s", lack, out)
		}
	}
	return ""
}

// end stops the controller and removes everything.
func (s *stage) end() error {
	_, _ = s.sh(s.root, "idumb controller stop", "")
	return errors.Join(s.recorder.close(), os.RemoveAll(s.home))
}
