package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// scene is a new repository for one probe, which runs the real programs like users and agents. Its
// methods end the probe with a miss if an expectation fails.
type scene struct {
	*drive.Repo
	sightings []string
	unmet     []string  // constants of the documents that are not met
	trace     io.Writer // receives every step and its result
	closers   []func()
}

// miss is the panic value of a failed probe.
type miss struct{ text string }

func newScene(bin drive.Bin, trace io.Writer) (*scene, error) {
	repo, err := drive.NewRepo(bin)
	if err != nil {
		return nil, err
	}
	s := &scene{Repo: repo, trace: trace}
	s.sh(`git config user.name Ann; git config user.email ann@example.com`)
	return s, nil
}

func (s *scene) close() {
	for _, end := range s.closers {
		end()
	}
	_ = s.Remove()
}

// saw records an observation for the row's line.
func (s *scene) saw(format string, args ...any) {
	s.sightings = append(s.sightings, fmt.Sprintf(format, args...))
}

// failed ends the probe.
func (s *scene) failed(format string, args ...any) { panic(miss{fmt.Sprintf(format, args...)}) }

// documents records whether a constant of the documents is met. The probe continues if it is not:
// file gaps lists the unmet constants, and the row fails if that list is wrong.
func (s *scene) documents(constant string, holds bool) {
	fmt.Fprintf(s.trace, "the documents say %q: %v\n", constant, holds)
	if !holds {
		s.unmet = append(s.unmet, constant)
	}
}

func (s *scene) must(err error) {
	if err != nil {
		s.failed("%v", err)
	}
}

// run runs a script like a user (see drive.Shell).
func (s *scene) run(script string) (string, bool) {
	out, ok := s.Shell(script)
	fmt.Fprintf(s.trace, "$ %s\n%s\n", script, out)
	return out, ok
}

// sh runs a script that must succeed, and returns its output.
func (s *scene) sh(script string) string {
	out, ok := s.run(script)
	if !ok {
		s.failed("%q works; it printed %q", firstLine(script), out)
	}
	return out
}

// refused runs a script that must fail and print the words, and returns its output.
func (s *scene) refused(script string, words ...string) string {
	out, ok := s.run(script)
	if ok {
		s.failed("%q is refused; it printed %q", firstLine(script), out)
	}
	s.want(out, words...)
	return out
}

// want ends the probe if the text lacks one of the words.
func (s *scene) want(text string, words ...string) {
	for _, w := range words {
		if !strings.Contains(text, w) {
			s.failed("%q is in %q", w, text)
		}
	}
}

// lacks ends the probe if the text contains one of the words.
func (s *scene) lacks(text string, words ...string) {
	for _, w := range words {
		if strings.Contains(text, w) {
			s.failed("%q is not in %q", w, text)
		}
	}
}

// wantSame ends the probe if two texts differ.
func (s *scene) wantSame(what, got, want string) {
	if got != want {
		s.failed("%s is %q; it is %q", what, want, got)
	}
}

// field returns a field of an object, by a JSONPath: field("task/a", ".status.phase").
func (s *scene) field(object, path string) string {
	kind, name, _ := strings.Cut(object, "/")
	return s.sh(fmt.Sprintf("idumb get %s %s -o jsonpath='{%s}'", kind, name, path))
}

// is ends the probe if a field of an object differs from want.
func (s *scene) is(object, path, want string) {
	s.wantSame(object+" "+path, s.field(object, path), want)
}

// writeObject writes an object's file by hand: put("tasks/a", `{"workPlan": "p"}`).
func (s *scene) writeObject(file, spec string) { s.file(".idumb/"+file+".json", `{"spec": `+spec+`}`) }

// dated is put for an object with an age.
func (s *scene) dated(file, spec string, age time.Duration) {
	s.file(".idumb/"+file+".json", fmt.Sprintf(`{"metadata": {"creationTimestamp": %q}, "spec": %s}`, ago(age), spec))
}

// ago returns a past time in the format of objects.
func ago(age time.Duration) string { return time.Now().Add(-age).UTC().Format(time.RFC3339) }

// file writes a file of the repository.
func (s *scene) file(name, text string) {
	file := filepath.Join(s.Dir, filepath.FromSlash(name))
	s.must(os.MkdirAll(filepath.Dir(file), 0o755))
	s.must(os.WriteFile(file, []byte(text), 0o644))
}

// readFile reads a file of the repository.
func (s *scene) readFile(name string) string {
	text, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(name)))
	s.must(err)
	return string(text)
}

// exists reports whether a file matches the pattern.
func (s *scene) exists(pattern string) bool {
	files, err := filepath.Glob(filepath.Join(s.Dir, filepath.FromSlash(pattern)))
	return err == nil && len(files) > 0
}

// plan creates an active plan p with tasks.
func (s *scene) plan(tasks ...string) {
	s.sh(`idumb create workplan p --title 'The plan' --accept 'it works' --state active`)
	for _, t := range tasks {
		s.sh("idumb create task " + t + " --plan p --expect 'it is done'")
	}
}

// controller starts a controller for the rest of the scene, and waits until it answers.
func (s *scene) controller() *drive.Controller {
	c, err := s.StartController()
	s.must(err)
	s.closers = append(s.closers, c.Kill)
	s.eventually("a controller leads, answers and has packed", func() bool {
		return s.Leads() && s.exists(".idumb/run/hook.sock") && s.exists(".idumb/context/context.xml")
	})
	return c
}

// eventually waits for an effect of a running controller.
func (s *scene) eventually(what string, holds func() bool) {
	err := drive.Eventually(context.Background(), 10*time.Second, func() error {
		if !holds() {
			return fmt.Errorf("%s: not seen", what)
		}
		return nil
	})
	s.must(err)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// text formats a value of a host's answer, as JSON unless it is a string.
func text(value any) string {
	if t, ok := value.(string); ok {
		return t
	}
	data, _ := json.Marshal(value)
	return string(data)
}
