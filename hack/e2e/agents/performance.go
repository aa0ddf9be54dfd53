package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
)

// performance is one scenario on one client.
type performance struct {
	scenario scenario
	client   clients.Client
	crew     *crew
	notRun   string // why it is not played; "" if it is

	faults []string
	said   string // what it measured
	took   time.Duration
	kept   string // the folder that was kept
}

// schedule lists what is asked for, the scenarios of a client that is missing
// among it: what is not run is said.
func (c *crew) schedule(wanted selection, missing map[string]error) []*performance {
	var all []*performance
	for _, client := range clients.All() {
		if !includes(wanted.hosts, client.Host()) {
			continue
		}
		for _, sc := range scenarios() {
			if !includes(sc.on, client.Host()) {
				continue
			}
			if chapter, _, _ := strings.Cut(sc.id, "."); !includes(wanted.scenarios, sc.id) && !includes(wanted.scenarios, chapter) {
				continue
			}
			if wanted.quick && !sc.joint && client.Host() != sc.first() {
				continue
			}
			p := &performance{scenario: sc, client: client, crew: c, notRun: sc.notOn[client.Host()]}
			if missing[client.Host()] != nil {
				p.notRun = "the client cannot be installed"
			}
			all = append(all, p)
		}
	}
	return all
}

// play plays the scenario on a stage of its own.
func (p *performance) play(keep bool) {
	if p.notRun != "" {
		return
	}
	began := time.Now()
	s, err := newStage(p.crew, p.client, p.scenario.window)
	if err != nil {
		s.fault("the stage: %v", err)
	} else {
		p.perform(s)
	}
	p.took = time.Since(began)
	keep = keep || len(s.faults) > 0
	if keep {
		p.kept = s.scratch
	}
	if err := s.close(keep); err != nil {
		s.fault("leaving the stage: %v", err)
	}
	p.faults, p.said = s.faults, s.said
}

// perform runs the scenario; one that gives up has said why.
func (p *performance) perform(s *stage) {
	defer recoverAbandoned()
	p.scenario.play(s)
}

// print writes the line of one performance, and under it what is wrong.
func (p *performance) print(w io.Writer) {
	verdict := "ok     "
	switch {
	case p.notRun != "":
		verdict = "NOT RUN"
	case len(p.faults) > 0:
		verdict = "FAILED "
	}
	line := fmt.Sprintf("%s %-9s %-4s %s", verdict, p.client.Host(), p.scenario.id, p.scenario.title)
	if p.notRun != "" {
		fmt.Fprintf(w, "%s: %s\n", line, p.notRun)
		return
	}
	if p.said != "" {
		line += ": " + p.said
	}
	fmt.Fprintf(w, "%s (%.1fs)\n", line, p.took.Seconds())
	for _, fault := range p.faults {
		fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(fault, "\n", "\n    "))
	}
	if p.kept != "" {
		fmt.Fprintf(w, "    kept in %s\n", p.kept)
	}
}

// report writes the last line, and tells whether nothing failed.
func report(w io.Writer, all []*performance, took time.Duration) bool {
	var passed, failed int
	var notRun []string
	for _, p := range all {
		switch {
		case p.notRun != "":
			notRun = append(notRun, p.client.Host()+" "+p.scenario.id)
		case len(p.faults) > 0:
			failed++
		default:
			passed++
		}
	}
	line := fmt.Sprintf("agents: %d passed, %d failed in %.0fs", passed, failed, took.Seconds())
	if len(notRun) > 0 {
		line += fmt.Sprintf("; NOT RUN: %s", strings.Join(notRun, ", "))
	}
	fmt.Fprintln(w, line)
	return failed == 0 && passed > 0
}
