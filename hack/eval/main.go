// Eval measures the memory of iDumb: whether questions find the right mems, whether agents receive
// them in time and with how much noise, and how much of a pack stays an unchanged prefix. It needs no
// network and no model:
//
//	go run ./hack/eval                     everything, on the sets of this project
//	go run ./hack/eval -quick              the same at a small size, for CI: exits with 1 below a threshold
//	go run ./hack/eval FILE.jsonl ...      other sets of questions (their form: set.go)
//	go run ./hack/eval -delivery           only delivery (its figures: delivery.go)
//	go run ./hack/eval -history DIR        delivery in sessions made from a git history as well
//	go run ./hack/eval map ORACLE DIR...   the code scanners against compilers (oracles)
//	go run ./hack/eval map edges-go DIR... the import resolver against them (edges)
//
// The sets in testdata: history.jsonl contains this project's commits as mems, and questions by an
// author who does not remember their words. projects.jsonl contains mems of agents in two software
// projects, with later tasks, questions and keywords; nobody who worked on the scorer has read it.
// delivery.jsonl contains two sessions in an invented service, with a key of the mems that each prompt
// needs, written before the first measurement by an author who does not work on delivery.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/hack/eval/edges"
	"github.com/idumb-dev/idumb/hack/eval/oracles"
)

func main() {
	if len(os.Args) > 1 {
		if run := subcommands[os.Args[1]]; run != nil {
			if err := run(os.Args[2:], os.Stdout); err != nil {
				fmt.Fprintf(os.Stderr, "eval %s: %v\n", os.Args[1], err)
				os.Exit(1)
			}
			return
		}
	}
	o := options{output: os.Stdout}
	flag.BoolVar(&o.quick, "quick", false, "run at a small size and exit with 1 below a threshold")
	flag.Func("history", "a `folder` of a repository whose history is played as sessions; may be given several times", func(dir string) error {
		o.histories = append(o.histories, dir)
		return nil
	})
	flag.BoolVar(&o.deliveryOnly, "delivery", false, "measure delivery only")
	flag.IntVar(&o.turns, "turns", 100, "turns of each -history")
	flag.Parse()
	o.files = flag.Args()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// subcommands measure other parts than memory, on repositories given by path.
var subcommands = map[string]func(args []string, out io.Writer) error{"map": runMap}

// runMap compares the scanners or the resolver with compilers.
func runMap(args []string, out io.Writer) error {
	if known, err := edges.Run(args, out); known {
		return err
	}
	return oracles.Run(args, out)
}

// options selects the measurements.
type options struct {
	quick        bool
	files        []string
	deliveryOnly bool // measure only delivery
	histories    []string
	turns        int    // number of turns of each history
	source       string // directory of this module
	output       io.Writer
	failures     int
}

// run measures, and prints a table for each kind of question.
func (o *options) run() error {
	began := time.Now()
	var err error
	if o.source, err = drive.Source(); err != nil {
		return err
	}
	if o.deliveryOnly {
		if err := o.delivery(); err != nil {
			return err
		}
		return o.end(began)
	}
	if len(o.files) > 0 {
		if err := o.sets(o.files); err != nil {
			return err
		}
		return o.end(began)
	}
	if err := o.sets(o.ownSets()); err != nil {
		return err
	}
	for _, part := range []func() error{o.delivery, o.reuse} {
		if err := part(); err != nil {
			return err
		}
	}
	return o.end(began)
}

func (o *options) end(began time.Time) error {
	fmt.Fprintf(o.output, "\n%.0f s\n", time.Since(began).Seconds())
	if o.failures > 0 {
		return fmt.Errorf("%d measures are below their thresholds (thresholds.go)", o.failures)
	}
	return nil
}

// prefixed returns the path of a file in testdata.
func (o *options) prefixed(name string) string {
	return filepath.Join(o.source, "hack", "eval", "testdata", name)
}

// ownSets returns the files of questions in testdata.
func (o *options) ownSets() []string {
	files := make([]string, len(thresholds))
	for i, t := range thresholds {
		files[i] = o.prefixed(t.set + ".jsonl")
	}
	return files
}

// sets evaluates the questions of files.
func (o *options) sets(files []string) error {
	fmt.Fprintf(o.output, "| set | questions | ranked by | recall@5 | recall@10 | nDCG@10 | relevant inside %d | %d | %d | %d | %d tokens |\n", budgets[0], budgets[1], budgets[2], budgets[3], budgets[4])
	fmt.Fprintln(o.output, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, file := range files {
		s, err := readSet(file)
		if err != nil {
			return err
		}
		results := askSet(s)
		for _, r := range rankers {
			o.rows(s.name, r.name, results[r.name])
		}
		o.checkSet(s.name, results)
	}
	return nil
}

// rows prints the results of a ranker on a set, by category if there are any.
func (o *options) rows(set, ranker string, byCategory map[string]measures) {
	categories := make([]string, 0, len(byCategory))
	for c := range byCategory {
		categories = append(categories, c)
	}
	slices.Sort(categories)
	for _, c := range categories {
		name := set
		if c != "" {
			name += ", " + c
		}
		m := byCategory[c]
		fmt.Fprintf(o.output, "| %s | %d | %s | %.3f | %.3f | %.3f |", name, m.questions, ranker, m.recall[0], m.recall[1], m.ndcg)
		for _, share := range m.withinBudgets {
			fmt.Fprintf(o.output, " %.3f |", share)
		}
		fmt.Fprintln(o.output)
	}
}

// reuse replays a session.
func (o *options) reuse() error {
	s, err := readSet(o.ownSets()[0])
	if err != nil {
		return err
	}
	within, between := replay(s, 1, replayTasks, replaySteps)
	fmt.Fprintf(o.output, "\n| share of the unchanged prefix, in bytes | input as sent (a pack and updates) | whole packs |\n| --- | --- | --- |\n")
	fmt.Fprintf(o.output, "| while the task stays (%d steps) | %.3f | %.3f |\n", within.steps, within.sentUpdates, within.fullPacks)
	fmt.Fprintf(o.output, "| when the task changes (%d steps) | %.3f | %.3f |\n", between.steps, between.sentUpdates, between.fullPacks)
	a, b := replay(s, 1, switchTasks, switchSteps)
	bytes := func(i int) string {
		return fmt.Sprintf("%d of %d bytes", a.kept[i]+b.kept[i], a.read[i]+b.read[i])
	}
	fmt.Fprintf(o.output, "| in %d turns with %d switches of tasks | %s | %s |\n", a.steps+b.steps, b.steps, bytes(1), bytes(0))
	o.atLeast("reuse during a task", within.sentUpdates, leastWithin)
	o.atLeast("reuse at a change of the task", between.sentUpdates, leastBetween)
	return nil
}
