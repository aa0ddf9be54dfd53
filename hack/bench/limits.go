package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// quickLimits contains a line for each result of the quick run with a limit: row, measurement, maximal ratio.
//
//go:embed quick.tsv
var quickLimits string

// limit is the maximal ratio of a result.
type limit struct {
	row, what string
	ratio     float64
}

// parseLimits parses lines of three fields separated by tabs. It skips empty lines and comments.
func parseLimits(text string) ([]limit, error) {
	var limits []limit
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("limits, line %d: want row, what and ratio, separated by tabs", n+1)
		}
		ratio, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return nil, fmt.Errorf("limits, line %d: %w", n+1, err)
		}
		limits = append(limits, limit{fields[0], fields[1], ratio})
	}
	return limits, nil
}

// findExceeded returns a sentence for each exceeded limit of a row, and for each limit without a result.
func findExceeded(limits []limit, row string, results []Result) []string {
	ratios := map[string]float64{}
	for _, r := range results {
		ratios[r.What] = r.Ratio()
	}
	var exceeded []string
	for _, l := range limits {
		switch ratio, found := ratios[l.what]; {
		case l.row != row:
		case !found:
			exceeded = append(exceeded, fmt.Sprintf("%s: %s was not measured, although it has a limit", row, l.what))
		case ratio > l.ratio:
			exceeded = append(exceeded, fmt.Sprintf("%s: %s costs %.2fx, at most %.2fx is right", row, l.what, ratio, l.ratio))
		}
	}
	return exceeded
}

// best returns the better of two measurements of each result.
func best(first, second []Result) []Result {
	for i, r := range second {
		if i < len(first) && first[i].What == r.What && first[i].Ratio() < r.Ratio() {
			second[i] = first[i]
		}
	}
	return second
}
