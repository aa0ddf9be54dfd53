// Seeds checks the requirements of the owner's documents (rows F01 to F66, see table.go) with the
// real programs, each row in a separate repository:
//
//	go run ./hack/seeds [-only F02,F03] [-v] [-bin DIR]
//
// It prints a line for each row: + and the observations; "decided against" with the reason; - with
// the expectation and the observation; ~ if constants of the documents are not met and file gaps
// lists them. The exit code is 1 if a row fails, if an unmet constant is not in gaps, or if a
// constant in gaps is met.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/hack/drive"
)

func main() {
	drive.ServeClient()
	only := flag.String("only", "", "rows to try, as F02,F03; all without it")
	verbose := flag.Bool("v", false, "print every step and its result")
	flag.Parse()
	good, err := try(*only, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// try runs the rows and prints the results. It reports whether each result matches its mark.
func try(only string, verbose bool) (good bool, err error) {
	chosen, err := choose(only)
	if err != nil {
		return false, err
	}
	bin, err := drive.Build("idumb", "idumb-hook", "idumb-mcp", "idumb-controller")
	if err != nil {
		return false, err
	}
	defer bin.Remove()
	outcomes := tryAll(bin, chosen)
	var missed []row
	for i, r := range chosen {
		if !(<-outcomes[i]).print(r, verbose) {
			missed = append(missed, r)
		}
	}
	good = true
	for _, r := range missed { // under load a controller may be too late for a hook, which then reports less
		fmt.Println("again, without other rows:")
		good = tryRow(bin, r).print(r, verbose) && good
	}
	return good, nil
}

// print prints the result of a row, and reports whether it matches its mark.
func (o *outcome) print(r row, verbose bool) bool {
	if verbose {
		_, _ = io.Copy(os.Stdout, &o.trace)
	}
	line, asMarked := o.line(r)
	fmt.Println(line)
	return asMarked
}

func choose(only string) ([]row, error) {
	if only == "" {
		return rows(), nil
	}
	var chosen []row
	for _, r := range rows() {
		if strings.Contains(","+only+",", ","+r.id+",") {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no row is named in %q; they are F01 to F66", only)
	}
	return chosen, nil
}

// atOnce is the number of parallel rows: they mostly wait for processes.
const atOnce = 4

// tryAll runs the rows, and sends the result of each on a separate channel.
func tryAll(bin drive.Bin, chosen []row) []chan *outcome {
	outcomes := make([]chan *outcome, len(chosen))
	for i := range chosen {
		outcomes[i] = make(chan *outcome, 1)
	}
	next, mu := 0, sync.Mutex{}
	for range atOnce {
		go func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(chosen) {
					return
				}
				outcomes[i] <- tryRow(bin, chosen[i])
			}
		}()
	}
	return outcomes
}

// gaps lists the unmet constants of the documents: row, constant and reason, separated by tabs.
//
//go:embed gaps
var gaps string

// gapsOf returns the listed constants of a row with their reasons.
func gapsOf(id string) map[string]string {
	listed := map[string]string{}
	for line := range strings.Lines(gaps) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); len(fields) == 3 && fields[0] == id {
			listed[fields[1]] = fields[2]
		}
	}
	return listed
}

// outcome is the result of a row.
type outcome struct {
	now   *result // nil if the row has no probe
	trace bytes.Buffer
}

// result is the result of one probe.
type result struct {
	sightings []string
	unmet     []string
	missed    string // why it failed; empty if it succeeded
}

func tryRow(bin drive.Bin, r row) *outcome {
	o := &outcome{}
	if r.probe != nil {
		o.now = tryProbe(bin, &o.trace, r.probe)
	}
	return o
}

func tryProbe(bin drive.Bin, trace io.Writer, probe func(*scene)) (r *result) {
	r = &result{}
	s, err := newScene(bin, trace)
	if err != nil {
		r.missed = err.Error()
		return r
	}
	defer func() {
		s.close()
		r.sightings, r.unmet = s.sightings, s.unmet
		switch cause := recover().(type) {
		case nil:
		case miss:
			r.missed = cause.text
		default:
			panic(cause)
		}
	}()
	probe(s)
	return r
}

// line returns the printed line of a row, and whether the result matches its mark.
func (o *outcome) line(r row) (string, bool) {
	head := r.id + " " + r.what + ": "
	switch {
	case r.against != "":
		return "decided against " + head + r.against, true
	case o.now != nil && o.now.missed != "":
		return "- " + head + "expected: " + o.now.missed, false
	}
	listed := gapsOf(r.id)
	for _, constant := range o.now.unmet {
		if _, known := listed[constant]; !known {
			return "- " + head + "expected: " + constant + " (or a line in hack/seeds/gaps)", false
		}
	}
	for constant := range listed {
		if !slices.Contains(o.now.unmet, constant) {
			return "- " + head + "hack/seeds/gaps lists " + strconv.Quote(constant) + ", which is met: remove the line", false
		}
	}
	if len(listed) > 0 {
		return "~ " + head + fmt.Sprintf("%d constants are not met (hack/seeds/gaps): %s", len(listed), strings.Join(o.now.unmet, "; ")), true
	}
	return "+ " + head + strings.Join(o.now.sightings, "; "), true
}

// oneLine returns a text on one line, cut to 200 characters.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 200 {
		return string(runes[:200]) + "..."
	}
	return text
}
