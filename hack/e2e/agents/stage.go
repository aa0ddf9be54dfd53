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

// patience is how long a scenario waits for a client's turns to end.
const patience = 4 * time.Minute

// actor is one client with its own home and its own model, at work in a project.
// Several may work in the same one.
type actor struct {
	clients.Session
	host  string
	place clients.Place
	model *model.Server
	kill  context.CancelFunc // ends the client at once while it runs
}

// stage is what one scenario on one client plays on: a fresh project and a place
// for what is written down about the run.
type stage struct {
	*actor  // the client that the scenario is about
	crew    *crew
	scratch string // everything of the stage stands below it
	dir     string // the project
	bin     string // idumb's programs, a folder of the stage's own
	actors  []*actor

	mu     sync.Mutex // scripts find faults while clients run
	faults []string
	said   string // what the scenario measured; "" for nothing
}

// abandoned is what a scenario panics with when it cannot go on.
type abandoned struct{}

// newStage makes a git repository with idumb in it, as its user would, and opens a
// session of the client there.
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

// linkPrograms gives the stage a folder of programs of its own, in which a
// scenario may break one.
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

// join opens a session of a client in the project, with a home and a model of its own.
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

// prepare makes the project: a repository with a first commit, and idumb in it.
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

// close ends everything that the scenario started, and deletes the stage unless it
// is to be kept.
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

// stopController ends the controller that the hook may have started. That none
// runs is no fault.
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

// idumb runs idumb as a person would, and gives the scenario up if it fails.
func (s *stage) idumb(args ...string) string {
	out, err := s.command(s.program("idumb"), args...)
	s.must(err)
	return out
}

// play runs prompts against a script and reports what of it went otherwise.
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

// playUntilKilled plays a prompt in the middle of which the script kills the client.
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

// prompt plays one prompt to the main client.
func (s *stage) prompt(text string, lanes ...model.Lane) clients.Result {
	return s.play(s.actor, clients.Options{}, []string{text}, lanes...)
}

// fault notes what is wrong; the scenario goes on.
func (s *stage) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// say notes what the scenario measured, for its line.
func (s *stage) say(format string, args ...any) { s.said = fmt.Sprintf(format, args...) }

// during makes something that a scenario does, or checks, a part of its script: it
// happens while the client waits for its model.
func (s *stage) during(do func()) func(*model.Request) error {
	return func(*model.Request) error {
		defer recoverAbandoned()
		do()
		return nil
	}
}

// recoverAbandoned ends what gave up; why has been said.
func recoverAbandoned() {
	if r := recover(); r != nil {
		if _, gaveUp := r.(abandoned); !gaveUp {
			panic(r)
		}
	}
}

// check notes a fault unless what has to hold does.
func (s *stage) check(holds bool, format string, args ...any) {
	if !holds {
		s.fault(format, args...)
	}
}

// must gives the scenario up on an error.
func (s *stage) must(err error) {
	if err != nil {
		s.fault("%v", err)
		panic(abandoned{})
	}
}

// object returns a resource as idumb prints it.
func (s *stage) object(resource string) map[string]any {
	out := s.idumb("get", resource, "-o", "json")
	var object map[string]any
	s.must(json.Unmarshal([]byte(out), &object))
	return object
}

// phase returns what holds of a resource: the phase in its status.
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

// wantFile checks what a file of the project holds.
func (s *stage) wantFile(file, want string) {
	got, err := os.ReadFile(s.path(file))
	if err != nil {
		s.fault("%v", err)
		return
	}
	s.check(string(got) == want, "%s holds %q, want %q", file, got, want)
}

// wantNoFile checks that a file is not there.
func (s *stage) wantNoFile(file string) {
	s.check(!exists(s.path(file)), "%s is there, and must not be", file)
}

// write puts a file into the project as a person's editor does.
func (s *stage) write(file, content string) {
	s.must(os.MkdirAll(filepath.Dir(s.path(file)), 0o755))
	s.must(os.WriteFile(s.path(file), []byte(content), 0o644))
}

// wantCheckpoint checks that a task's record names one file and not the other.
func (s *stage) wantCheckpoint(task, file, not string) {
	record, err := os.ReadFile(s.path(".idumb/checkpoints/" + task + ".jsonl"))
	s.check(err == nil && strings.Contains(string(record), file), "the checkpoints of %s do not name %s: %s (%v)", task, file, record, err)
	s.check(!strings.Contains(string(record), not), "the checkpoints of %s name %s: %s", task, not, record)
}

// worktreeDir is where a second working tree of the project stands. Clients trust it
// as they do the project.
func (s *stage) worktreeDir() string { return filepath.Join(s.scratch, "worktree") }

// path is where a file of the project stands.
func (s *stage) path(file string) string { return filepath.Join(s.dir, filepath.FromSlash(file)) }

// editSpec changes fields of an object's spec in its file, as a person would by hand.
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

// eventually waits for something that another process brings about.
func (s *stage) eventually(what string, check func() error) {
	if err := drive.Eventually(context.Background(), 10*time.Second, check); err != nil {
		s.fault("%s: %v", what, err)
	}
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
