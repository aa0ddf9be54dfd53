// Eval measures what memory is worth: whether the mems that matter are found, whether they
// fit, whether agents are told them when they need them and what else they are told then, what a
// printed pack consists of, whether a pack's beginning stays as it was, and whether packs keep
// their budget. It needs no network and no model:
//
//	go run ./hack/eval                        everything, over the sets of this project
//	go run ./hack/eval -quick                 a small size, for CI: ends with 1 below a threshold
//	go run ./hack/eval -git DIR -commits 300  over another repository's history
//	go run ./hack/eval FILE.jsonl ...         other sets of questions alone (their form: set.go)
//	go run ./hack/eval -git DIR FILE.jsonl    and a history beside them
//	go run ./hack/eval -delivery              delivery alone (its figures: delivery.go)
//	go run ./hack/eval -history DIR           and sessions made of a history beside our own set
//	go run ./hack/eval map ORACLE DIR...      the scanners of code against compilers (oracles)
//	go run ./hack/eval map edges-go DIR...    the resolver of imports against them (edges)
//
// Sets in testdata: history.jsonl has this project's own commits as mems, and questions of
// somebody who does not remember their words. conversations.jsonl has two short
// conversations over months, conversations-a.jsonl and conversations-b.jsonl two long ones
// each, by authors who knew nothing of the scorer: it was tuned on all of these.
// conversations-held-out.jsonl has two short ones that nothing was tuned on, though people
// who worked on the scorer have read it; conversations-blind.jsonl has two long ones, and
// projects.jsonl what agents learnt in two software projects with the tasks, questions and
// keywords that need it later, which nobody who worked on the scorer has read. delivery.jsonl
// has two sessions in a made-up service, with a key of what each prompt needs that was written
// before anything was measured by it, and by nobody who works on delivery.
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
	o := options{out: os.Stdout}
	flag.BoolVar(&o.quick, "quick", false, "a small size, and an end with 1 where something falls below its threshold")
	flag.StringVar(&o.git, "git", ".", "a repository whose history is asked; - for none")
	flag.IntVar(&o.commits, "commits", 100, "how many of its last commits")
	flag.Func("history", "a `folder` of a repository whose history is played as sessions; may be given several times", func(dir string) error {
		o.histories = append(o.histories, dir)
		return nil
	})
	flag.BoolVar(&o.alone, "delivery", false, "delivery alone")
	flag.IntVar(&o.turns, "turns", 100, "how many turns are played of each -history")
	flag.IntVar(&o.stores, "stores", 10000, "how many random stores are packed")
	flag.Parse()
	flag.Visit(func(f *flag.Flag) { o.asked = o.asked || f.Name == "git" })
	o.files = flag.Args()
	if o.quick {
		o.commits, o.stores = min(o.commits, 25), min(o.stores, 200)
	}
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// subcommands measure something else than memory, on repositories that are given by path.
var subcommands = map[string]func(args []string, out io.Writer) error{"map": runMap}

// runMap holds the scanners or the resolver against compilers.
func runMap(args []string, out io.Writer) error {
	if known, err := edges.Run(args, out); known {
		return err
	}
	return oracles.Run(args, out)
}

// options say what is to be measured.
type options struct {
	quick           bool
	git             string
	asked           bool // git was told, it is not the default
	commits, stores int
	files           []string
	alone           bool     // delivery is
	histories       []string // that are played
	turns           int      // of each
	source          string   // the folder of this module
	out             io.Writer
	failures        int
}

// run measures, and prints a table for each sort of question.
func (o *options) run() error {
	began := time.Now()
	var err error
	if o.source, err = drive.Source(); err != nil {
		return err
	}
	if o.alone {
		if err := o.delivery(); err != nil {
			return err
		}
		return o.end(began)
	}
	if len(o.files) > 0 {
		if err := o.sets(o.files); err != nil {
			return err
		}
		if o.asked {
			if err := o.commitsOf(); err != nil {
				return err
			}
		}
		return o.end(began)
	}
	if err := o.sets(o.ownSets()); err != nil {
		return err
	}
	for _, part := range []func() error{o.commitsOf, o.packsOf, o.delivery, o.reuse, o.estimates, o.budgets} {
		if err := part(); err != nil {
			return err
		}
	}
	return o.end(began)
}

func (o *options) end(began time.Time) error {
	fmt.Fprintf(o.out, "\n%.0f s\n", time.Since(began).Seconds())
	if o.failures > 0 {
		return fmt.Errorf("%d measures are below their thresholds (thresholds.go)", o.failures)
	}
	return nil
}

// own is a file of testdata, beside this source.
func (o *options) own(name string) string {
	return filepath.Join(o.source, "hack", "eval", "testdata", name)
}

// ownSets are the files of questions there.
func (o *options) ownSets() []string {
	files := make([]string, len(thresholds))
	for i, t := range thresholds {
		files[i] = o.own(t.set + ".jsonl")
	}
	return files
}

// sets asks the questions of files.
func (o *options) sets(files []string) error {
	fmt.Fprintf(o.out, "| set | questions | ranked by | recall@5 | recall@10 | nDCG@10 | relevant inside %d | %d | %d | %d | %d tokens |\n", budgets[0], budgets[1], budgets[2], budgets[3], budgets[4])
	fmt.Fprintln(o.out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
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

// rows prints what a ranker reached on a set, and by category where there are some.
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
		fmt.Fprintf(o.out, "| %s | %d | %s | %.3f | %.3f | %.3f |", name, m.questions, ranker, m.recall[0], m.recall[1], m.ndcg)
		for _, share := range m.inside {
			fmt.Fprintf(o.out, " %.3f |", share)
		}
		fmt.Fprintln(o.out)
	}
}

// commitsOf asks for the files of commits.
func (o *options) commitsOf() error {
	if o.git == "-" {
		return nil
	}
	results, err := askHistory(o.git, o.commits)
	if err != nil && o.asked {
		return fmt.Errorf("ask a history: %w", err)
	}
	if err != nil { // these sources are in no repository
		fmt.Fprintf(o.out, "\nNo history is asked: %v\n", err)
		return nil
	}
	fmt.Fprintf(o.out, "\n| subject of a commit -> files that it changed | recall@5 | recall@10 | nDCG@10 |\n| --- | --- | --- | --- |\n")
	for _, r := range rankers {
		m := results[r.name]
		fmt.Fprintf(o.out, "| %s, %d commits | %.3f | %.3f | %.3f |\n", r.name, m.questions, m.recall[0], m.recall[1], m.ndcg)
	}
	return nil
}

// reuse replays a session.
func (o *options) reuse() error {
	s, err := readSet(o.ownSets()[0])
	if err != nil {
		return err
	}
	within, between := replay(s, 1, replayTasks, replaySteps)
	fmt.Fprintf(o.out, "\n| share that stays byte by byte, from the beginning | as it is sent (updates behind a pack) | whole packs |\n| --- | --- | --- |\n")
	fmt.Fprintf(o.out, "| while the task stays (%d steps) | %.3f | %.3f |\n", within.steps, within.sent, within.whole)
	fmt.Fprintf(o.out, "| when the task changes (%d steps) | %.3f | %.3f |\n", between.steps, between.sent, between.whole)
	a, b := replay(s, 1, switchTasks, switchSteps)
	bytes := func(i int) string {
		return fmt.Sprintf("%d of %d bytes", a.kept[i]+b.kept[i], a.read[i]+b.read[i])
	}
	fmt.Fprintf(o.out, "| in %d turns with %d switches of tasks | %s | %s |\n", a.steps+b.steps, b.steps, bytes(1), bytes(0))
	o.atLeast("what can be reused while the task stays", within.sent, leastWithin)
	o.atLeast("what can be reused when the task changes", between.sent, leastBetween)
	return nil
}

// budgets packs random stores.
func (o *options) budgets() error {
	k, err := keepBudgets(o.stores, 1)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.out, "\n%s\n", k.line())
	if k.over > 0 {
		o.fail("%d packs are over budget", k.over)
	}
	return nil
}
