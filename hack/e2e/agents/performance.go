package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
)

// performance is one run of a scenario with one client.
type performance struct {
	scenario scenario
	client   clients.Client
	crew     *crew
	notRun   string // the reason why the scenario is not run, or ""

	faults      []string
	measurement string // the measurement
	took        time.Duration
	keptDir     string // the directory that was kept
}

// schedule returns the requested performances. It includes scenarios of missing clients, so that
// the report lists them as not run.
func (c *crew) schedule(wanted selection, missing map[string]error) []*performance {
	var all []*performance
	for _, client := range clients.All() {
		if !includes(wanted.hosts, client.Host()) {
			continue
		}
		for _, sc := range scenarios() {
			if !includes(sc.hosts, client.Host()) {
				continue
			}
			if chapter, _, _ := strings.Cut(sc.id, "."); !includes(wanted.scenarios, sc.id) && !includes(wanted.scenarios, chapter) {
				continue
			}
			if wanted.quick && !sc.testsClient && client.Host() != sc.first() {
				continue
			}
			p := &performance{scenario: sc, client: client, crew: c, notRun: sc.unsupported[client.Host()]}
			if missing[client.Host()] != nil {
				p.notRun = "the client cannot be installed"
			}
			all = append(all, p)
		}
	}
	return all
}

// play runs the scenario on its own stage.
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
		p.keptDir = s.scratch
	}
	if err := s.close(keep); err != nil {
		s.fault("leaving the stage: %v", err)
	}
	p.faults, p.measurement = s.faults, s.measurement
}

// perform runs the scenario. A scenario that ends early has already recorded its fault.
func (p *performance) perform(s *stage) {
	defer recoverAbandoned()
	p.scenario.play(s)
}

// print writes the line of one performance, followed by its faults.
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
	if p.measurement != "" {
		line += ": " + p.measurement
	}
	fmt.Fprintf(w, "%s (%.1fs)\n", line, p.took.Seconds())
	for _, fault := range p.faults {
		fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(fault, "\n", "\n    "))
	}
	if p.keptDir != "" {
		fmt.Fprintf(w, "    kept in %s\n", p.keptDir)
	}
}

// report writes the last line and reports whether nothing failed.
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
