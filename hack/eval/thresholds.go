package main

import "fmt"

// thresholds are the limits of -quick for this project's sets: a little below the measurements when
// they were written, and significantly above plain BM25.
var thresholds = []struct {
	set               string
	recall5, recall10 float64
	above             float64 // above plain BM25, at 5 and at 10
	inside1000        float64
}{
	{"history", 0.59, 0.67, 0.08, 0.72},
	{"projects", 0.90, 0.94, 0.02, 0.96},
}

// Minimal reusable shares of a replayed session.
const (
	leastWithin  = 0.985
	leastBetween = 0.5
)

// checkSet compares the results of the product's scorer with the thresholds of the set, if it has
// some.
func (o *options) checkSet(set string, results map[string]map[string]measures) {
	for _, t := range thresholds {
		if t.set != set {
			continue
		}
		ours, plain := results[rankers[0].name][""], results[rankers[1].name][""]
		o.atLeast(set+": recall at 5", ours.recall[0], t.recall5)
		o.atLeast(set+": recall at 10", ours.recall[1], t.recall10)
		o.atLeast(set+": recall at 5 above plain BM25", ours.recall[0]-plain.recall[0], t.above)
		o.atLeast(set+": recall at 10 above plain BM25", ours.recall[1]-plain.recall[1], t.above)
		o.atLeast(set+": relevant inside 1,000 tokens", ours.withinBudgets[2], t.inside1000)
	}
}

// atLeast records a value below its threshold; full runs only print it.
func (o *options) atLeast(what string, got, least float64) {
	if got < least {
		o.fail("%s: %.3f, at least %.3f was expected", what, got, least)
	}
}

// atMost records a number above its threshold.
func (o *options) atMost(what string, got, most int) {
	if got > most {
		o.fail("%s: %d, at most %d was expected", what, got, most)
	}
}

func (o *options) fail(format string, values ...any) {
	fmt.Fprintf(o.output, "BELOW THRESHOLD: "+format+"\n", values...)
	if o.quick {
		o.failures++
	}
}
