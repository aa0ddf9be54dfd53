package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// patience is the longest time that a scenario waits for a client's turns to end.
const patience = 4 * time.Minute

// actor is one client that works in a project, with its own home and its own scripted model. One
// project can have several actors.
type actor struct {
	clients.Session
	host  string
	place clients.Place
	model *model.Server
	kill  context.CancelFunc // stops the running client immediately
}

// stage is the environment of one scenario with one client: a new project and a directory for the
// logs of the run.
type stage struct {
	*actor  // the client under test
	crew    *crew
	scratch string // the directory that contains all files of the stage
	dir     string // the project
	bin     string // the stage's own directory of idumb programs
	actors  []*actor

	mu          sync.Mutex // needed because scripts find faults while clients run
	faults      []string
	measurement string // a measurement of the scenario, or ""
}

// abandoned is the value of the panic that ends a scenario early.
type abandoned struct{}

// newStage creates a git repository, installs idumb in it like a user would, and opens a session of
// the client there.
func newStage(c *crew, client clients.Client, window int) (*stage, error) {
	scratch, err := os.MkdirTemp("", "idumb-agents-")
	if err == nil {
		scratch, err = filepath.EvalSymlinks(scratch)
	}
	s := &stage{crew: c, scratch: scratch, dir: filepath.Join(scratch, "project"), bin: filepath.Join(scratch, "bin")}
	if err != nil {
		return s, err
	}
	if err := errors.Join(os.Mkdir(s.dir, 0o755), s.linkPrograms()); err != nil {
		return s, err
	}
	s.actor, err = s.join(client, window)
	if err != nil {
		return s, err
	}
	return s, s.prepare(client.Host())
}

// linkPrograms creates the stage's own directory of programs, so that a scenario can replace one of
// them.
func (s *stage) linkPrograms() error {
	if err := os.Mkdir(s.bin, 0o755); err != nil {
		return err
	}
	programs, err := os.ReadDir(s.crew.bin.Dir)
	for _, p := range programs {
		err = errors.Join(err, os.Link(s.crew.bin.Path(p.Name()), s.program(p.Name())))
	}
	return err
}

// join opens a session of a client in the project, with its own home and scripted model.
func (s *stage) join(client clients.Client, window int) (*actor, error) {
	home := filepath.Join(s.scratch, fmt.Sprintf("%s-%d", client.Host(), len(s.actors)+1))
	log := filepath.Join(home, "log")
	if err := os.MkdirAll(log, 0o700); err != nil {
		return nil, err
	}
	server, err := model.Start(filepath.Join(log, "requests.jsonl"))
	if err != nil {
		return nil, err
	}
	a := &actor{host: client.Host(), model: server, place: clients.Place{
		Binary: s.crew.installed[client.Host()], Project: s.dir, Home: home, Bin: s.bin, Model: server.URL(), Log: log, Window: window,
		Worktree: s.worktreeDir(),
	}}
	s.actors = append(s.actors, a)
	a.Session, err = client.Open(a.place)
	return a, err
}

// prepare creates the project: a repository with a first commit, and idumb installed in it.
func (s *stage) prepare(host string) error {
	for _, args := range [][]string{{"init", "-q"}, {"commit", "-q", "--allow-empty", "-m", "start"}} {
		if _, err := s.command("git", args...); err != nil {
			return err
		}
	}
	_, err := s.command(s.program("idumb"), "init", "--agent", host)
	return err
}

func (s *stage) program(name string) string { return filepath.Join(s.bin, name) }

// close ends everything that the scenario started and deletes the stage unless keep is true.
func (s *stage) close(keep bool) error {
	var errs []error
	for _, a := range s.actors {
		errs = append(errs, a.model.Close())
	}
	if s.dir != "" && exists(filepath.Join(s.dir, ".idumb")) {
		s.stopController()
	}
	if !keep {
		errs = append(errs, os.RemoveAll(s.scratch))
	}
	return errors.Join(errs...)
}

// stopController stops the controller if the hook has started one.
func (s *stage) stopController() {
	_, _ = s.command(s.crew.bin.Path("idumb"), "controller", "stop")
}

// command runs a program in the project, in the environment of the first actor.
func (s *stage) command(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.place.Environment(), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}

// idumb runs idumb like a user would and ends the scenario if the command fails.
func (s *stage) idumb(args ...string) string {
	out, err := s.command(s.program("idumb"), args...)
	s.must(err)
	return out
}

// play runs prompts against a script and reports the differences from the script.
func (s *stage) play(a *actor, o clients.Options, prompts []string, lanes ...model.Lane) clients.Result {
	ctx, cancel := context.WithTimeout(s.crew.ctx, patience)
	defer cancel()
	a.kill = cancel
	a.model.Play(lanes...)
	r, err := a.Run(ctx, o, prompts...)
	s.check(ctx.Err() == nil, "%s was stuck for %s and ended by force", a.host, patience)
	if err != nil && ctx.Err() == nil {
		s.fault("%s could not be run: %v", a.host, err)
	}
	s.check(r.Exit == 0, "%s ended with exit code %d: %s", a.host, r.Exit, r.Errors)
	for _, problem := range a.model.Problems() {
		s.fault("%s's model: %s", a.host, problem)
	}
	if a.host == "claude" {
		s.check(len(a.model.Refused()) == 0, "%s tried to leave loopback: %v", a.host, a.model.Refused())
	}
	return r
}

// playUntilKilled runs a prompt whose script kills the client.
func (s *stage) playUntilKilled(a *actor, text string, lanes ...model.Lane) {
	ctx, cancel := context.WithTimeout(s.crew.ctx, patience)
	defer cancel()
	a.kill = cancel
	a.model.Play(lanes...)
	_, err := a.Run(ctx, clients.Options{}, text)
	s.check(errors.Is(ctx.Err(), context.Canceled), "%s was not killed: %v %v", a.host, ctx.Err(), err)
	for _, problem := range a.model.Problems() {
		s.fault("%s's model: %s", a.host, problem)
	}
}

// prompt sends one prompt to the main client.
func (s *stage) prompt(text string, lanes ...model.Lane) clients.Result {
	return s.play(s.actor, clients.Options{}, []string{text}, lanes...)
}

// fault records a fault. The scenario continues.
func (s *stage) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// measure records a measurement for the scenario's output line.
func (s *stage) measure(format string, args ...any) { s.measurement = fmt.Sprintf(format, args...) }

// during converts an action or a check of a scenario into a part of its script, which runs while
// the client waits for its model.
func (s *stage) during(do func()) func(*model.Request) error {
	return func(*model.Request) error {
		defer recoverAbandoned()
		do()
		return nil
	}
}

// recoverAbandoned recovers from the panic of an abandoned scenario, which has already recorded its
// fault.
func recoverAbandoned() {
	if r := recover(); r != nil {
		if _, gaveUp := r.(abandoned); !gaveUp {
			panic(r)
		}
	}
}

// check records a fault if holds is false.
func (s *stage) check(holds bool, format string, args ...any) {
	if !holds {
		s.fault(format, args...)
	}
}

// must ends the scenario if err is not nil.
func (s *stage) must(err error) {
	if err != nil {
		s.fault("%v", err)
		panic(abandoned{})
	}
}

// object returns a resource as idumb prints it in JSON.
func (s *stage) object(resource string) map[string]any {
	out := s.idumb("get", resource, "-o", "json")
	var object map[string]any
	s.must(json.Unmarshal([]byte(out), &object))
	return object
}

// phase returns the phase in the status of a resource.
func (s *stage) phase(resource string) string {
	status, _ := s.object(resource)["status"].(map[string]any)
	phase, _ := status["phase"].(string)
	return phase
}

// wantPhase checks the phase of a resource.
func (s *stage) wantPhase(resource, want string) {
	got := s.phase(resource)
	s.check(got == want, "%s is %s, want %s", resource, got, want)
}

// wantFile checks the content of a file in the project.
func (s *stage) wantFile(file, want string) {
	got, err := os.ReadFile(s.path(file))
	if err != nil {
		s.fault("%v", err)
		return
	}
	s.check(string(got) == want, "%s holds %q, want %q", file, got, want)
}

// wantNoFile checks that a file does not exist.
func (s *stage) wantNoFile(file string) {
	s.check(!exists(s.path(file)), "%s is there, and must not be", file)
}

// write writes a file to the project like a user's editor does.
func (s *stage) write(file, content string) {
	s.must(os.MkdirAll(filepath.Dir(s.path(file)), 0o755))
	s.must(os.WriteFile(s.path(file), []byte(content), 0o644))
}

// wantCheckpoint checks that the checkpoints of a task name the first file and not the second.
func (s *stage) wantCheckpoint(task, file, not string) {
	record, err := os.ReadFile(s.path(".idumb/checkpoints/" + task + ".jsonl"))
	s.check(err == nil && strings.Contains(string(record), file), "the checkpoints of %s do not name %s: %s (%v)", task, file, record, err)
	s.check(!strings.Contains(string(record), not), "the checkpoints of %s name %s: %s", task, not, record)
}

// worktreeDir returns the directory of the project's second working tree. Clients trust it like the
// project.
func (s *stage) worktreeDir() string { return filepath.Join(s.scratch, "worktree") }

// path returns the absolute path of a file in the project.
func (s *stage) path(file string) string { return filepath.Join(s.dir, filepath.FromSlash(file)) }

// editSpec changes fields in the spec of an object's file, like a user would by hand.
func (s *stage) editSpec(file string, fields map[string]any) error {
	data, err := os.ReadFile(s.path(file))
	if err != nil {
		return err
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	spec, _ := object["spec"].(map[string]any)
	for name, value := range fields {
		spec[name] = value
	}
	data, err = json.MarshalIndent(object, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path(file), append(data, '\n'), 0o644)
}

// eventually waits until check succeeds, for a result that another process produces.
func (s *stage) eventually(what string, check func() error) {
	if err := drive.Eventually(context.Background(), 10*time.Second, check); err != nil {
		s.fault("%s: %v", what, err)
	}
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
