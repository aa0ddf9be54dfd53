package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/drive"
)

// What an agent is told of the project without asking for it: the <project> section of its pack, and
// what stands beside a file that it touches. Sessions are played to the hook in repositories without
// any mems, so that all which is told at a file comes of the code.
//
// What the figures say:
//
//	touches   files of code that a session reads or edits, each once
//	told      of these, those at which the agent was told anything, at that touch or a later one
//	twice     lines that a session was told more than once
//	taken     exports that a session takes away from others, and how often it was told so at once
//	project   tokens of the longest <project> section
const (
	mostProject = 350
	mostTold    = 1.0 / 3
	leastBroken = 0.9
)

// unasked is what came of sessions in a repository.
type unasked struct {
	name                           string
	sessions, touches, told, twice int
	broken, brokenTold             int // writes that took a name from its importers, and of these those that were told of it at once
	project                        int
}

// unaskedOf plays sessions in the repository that this project makes itself, and in those that are given.
func (o *options) unaskedOf() error {
	bin, err := drive.Build("idumb", "idumb-controller", "idumb-hook")
	if err != nil {
		return fmt.Errorf("unasked: %w", err)
	}
	defer bin.Remove()
	exact, err := counters()
	if err != nil {
		return err
	}
	projects := []*project{shop(1)}
	for _, dir := range o.touches {
		p, err := walked(dir, o.turns)
		if err != nil {
			return err
		}
		projects = append(projects, p)
	}
	fmt.Fprintf(o.out, "\n| told unasked | sessions | touches | told at them (at most %.3f) | lines told twice (none) | <project>, tokens (at most %d) | exports taken away, told at once |\n| --- | --- | --- | --- | --- | --- | --- |\n", mostTold, mostProject)
	for i, p := range projects {
		u, err := overhear(bin, p, exact[0])
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(o.out, "| %s | %d | %d | %.3f | %d | %d | %d, %d |\n", u.name, u.sessions, u.touches, share(u.told, u.touches), u.twice, u.project, u.broken, u.brokenTold)
		if i == 0 {
			o.atLeast("touches of which nothing is told", 1-share(u.told, u.touches), 1-mostTold)
			o.atMost("lines told twice in a session", u.twice, 0)
			o.atMost("tokens of <project>", u.project, mostProject)
			o.atLeast("tokens of <project>", float64(u.project), 1)
			o.atLeast("exports taken away that were told of", share(u.brokenTold, u.broken), leastBroken)
		}
	}
	return nil
}

// overhear plays all sessions of a project, and listens to what is told.
func overhear(bin drive.Bin, p *project, exact counter) (*unasked, error) {
	s, err := openScene(bin, p)
	if err != nil {
		return nil, err
	}
	defer s.close()
	s.heard = func(moment, string) {}
	if err := s.tell(atStart, "SessionStart", map[string]any{"source": "startup"}); err != nil {
		return nil, err
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	u := &unasked{name: p.name}
	for i, c := range p.sessions {
		var unsettled error
		seen, told := map[string]bool{}, map[string]bool{}
		s.heard = func(when moment, text string) {
			switch when {
			case atStart:
				unsettled = s.settle()
				u.project = max(u.project, exact.count(section(text, "project")))
			case atFile, atEdit:
				u.hear(text, seen, func() { told[s.touching] = true })
			}
		}
		if err := s.play(c, i, func(e exchange) { u.broken += len(e.Breaks) }); err != nil || unsettled != nil {
			return nil, cmp.Or(err, unsettled)
		}
		u.sessions, u.touches, u.told = u.sessions+1, u.touches+len(s.read), u.told+len(told)
	}
	return u, nil
}

// hear counts what is told at a file, given the lines that were seen before in the session.
func (u *unasked) hear(text string, seen map[string]bool, told func()) {
	if strings.Contains(text, " no longer has ") {
		u.brokenTold++
	} else {
		told()
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasSuffix(line, ":") { // no heading
			u.twice += count(seen[line])
			seen[line] = true
		}
	}
}

// settle waits until the controller has the map at hand and has written down what the project is. An
// agent that thinks before it does something need not.
func (s *scene) settle() error {
	if _, err := s.repo.Idumb("map"); err != nil {
		return err
	}
	return drive.Eventually(context.Background(), time.Minute, func() error {
		if len(layout.Root(s.repo.Dir).ProjectLines()) == 0 {
			return errors.New("nobody wrote down what the project is")
		}
		return nil
	})
}

// section is a part of a pack between its tags, with them.
func section(pack, name string) string {
	_, rest, found := strings.Cut(pack, "<"+name+">")
	text, _, ended := strings.Cut(rest, "</"+name+">")
	if !found || !ended {
		return ""
	}
	return "<" + name + ">" + text + "</" + name + ">"
}
