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

// scene is a fresh repository in which one probe does what people and agents do, with the real
// programs. Its methods end the probe (miss) where something does not work that has to.
type scene struct {
	*drive.Repo
	sightings []string
	unmet     []string  // constants of the documents that do not hold
	trace     io.Writer // every step and what came of it
	closers   []func()
}

// miss is what ends a probe: something that should be seen is not.
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

// saw notes what the row's line tells.
func (s *scene) saw(format string, args ...any) {
	s.sightings = append(s.sightings, fmt.Sprintf(format, args...))
}

// failed ends the probe.
func (s *scene) failed(format string, args ...any) { panic(miss{fmt.Sprintf(format, args...)}) }

// documents notes whether a constant of the documents holds. The probe goes on if it does not: file gaps lists
// the constants that do not hold, and the row fails if that list is wrong.
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

// run runs a script as a person does (see drive.Shell).
func (s *scene) run(script string) (string, bool) {
	out, ok := s.Shell(script)
	fmt.Fprintf(s.trace, "$ %s\n%s\n", script, out)
	return out, ok
}

// sh runs a script, which has to work, and returns what it printed.
func (s *scene) sh(script string) string {
	out, ok := s.run(script)
	if !ok {
		s.failed("%q works; it printed %q", firstLine(script), out)
	}
	return out
}

// refused runs a script, which has to fail and print these words, and returns what it printed.
func (s *scene) refused(script string, words ...string) string {
	out, ok := s.run(script)
	if ok {
		s.failed("%q is refused; it printed %q", firstLine(script), out)
	}
	s.want(out, words...)
	return out
}

// want ends the probe where the text lacks one of the words.
func (s *scene) want(text string, words ...string) {
	for _, w := range words {
		if !strings.Contains(text, w) {
			s.failed("%q is in %q", w, text)
		}
	}
}

// lacks ends the probe where the text has one of the words.
func (s *scene) lacks(text string, words ...string) {
	for _, w := range words {
		if strings.Contains(text, w) {
			s.failed("%q is not in %q", w, text)
		}
	}
}

// same ends the probe where two texts differ.
func (s *scene) same(what, got, want string) {
	if got != want {
		s.failed("%s is %q; it is %q", what, want, got)
	}
}

// field is one field of an object, by a JSONPath: field("task/a", ".status.phase").
func (s *scene) field(object, path string) string {
	kind, name, _ := strings.Cut(object, "/")
	return s.sh(fmt.Sprintf("idumb get %s %s -o jsonpath='{%s}'", kind, name, path))
}

// is ends the probe where a field of an object is not that.
func (s *scene) is(object, path, want string) { s.same(object+" "+path, s.field(object, path), want) }

// put writes an object's file by hand: put("tasks/a", `{"workPlan": "p"}`).
func (s *scene) put(file, spec string) { s.file(".idumb/"+file+".json", `{"spec": `+spec+`}`) }

// dated is put for an object that is so old.
func (s *scene) dated(file, spec string, age time.Duration) {
	s.file(".idumb/"+file+".json", fmt.Sprintf(`{"metadata": {"creationTimestamp": %q}, "spec": %s}`, ago(age), spec))
}

// ago is a time of the past as objects say it.
func ago(age time.Duration) string { return time.Now().Add(-age).UTC().Format(time.RFC3339) }

// file writes a file of the repository.
func (s *scene) file(name, text string) {
	file := filepath.Join(s.Dir, filepath.FromSlash(name))
	s.must(os.MkdirAll(filepath.Dir(file), 0o755))
	s.must(os.WriteFile(file, []byte(text), 0o644))
}

// read reads a file of the repository.
func (s *scene) read(name string) string {
	text, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(name)))
	s.must(err)
	return string(text)
}

// exists reports whether there is a file that matches the pattern.
func (s *scene) exists(pattern string) bool {
	files, err := filepath.Glob(filepath.Join(s.Dir, filepath.FromSlash(pattern)))
	return err == nil && len(files) > 0
}

// plan makes an active plan p with these tasks.
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
	s.soon("a controller leads, answers and has packed", func() bool {
		return s.Leads() && s.exists(".idumb/run/hook.sock") && s.exists(".idumb/context/context.xml")
	})
	return c
}

// soon waits until something holds that a running controller brings about.
func (s *scene) soon(what string, holds func() bool) {
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

// text is a value of a host's answer, as JSON where it is no text.
func text(value any) string {
	if t, ok := value.(string); ok {
		return t
	}
	data, _ := json.Marshal(value)
	return string(data)
}
