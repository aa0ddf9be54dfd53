package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Run is one run of the benchmark, as kept on disk.
type Run struct {
	Time    time.Time `json:"time"`
	Results []Result  `json:"results"`
}

func printHeader() {
	fmt.Printf("%-9s %-72s %10s %10s %7s  %s\n", "ROW", "WHAT", "FLOOR", "OURS", "RATIO", "GOAL")
}

func printResult(r Result) {
	floor, ratio := "-", "-"
	if r.Floor > 0 {
		floor, ratio = number(r.Floor, r.Unit), fmt.Sprintf("%.2fx", r.Ratio())
	}
	fmt.Printf("%-9s %-72s %10s %10s %7s  %s\n", r.Row, r.What, floor, number(r.Ours, r.Unit), ratio, r.Goal)
}

func number(v float64, unit string) string { return fmt.Sprintf("%.2f%s", v, unit) }

// keep writes the run below the user's cache folder, and to out if that is given.
func (r Run) keep(out string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if out != "" {
		if err := os.WriteFile(out, data, 0o644); err != nil {
			return err
		}
	}
	dir, err := keptIn()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, r.Time.Format("20060102T150405.000")+".json"), data, 0o644)
}

func keptIn() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "idumb-bench")
	return dir, os.MkdirAll(dir, 0o755)
}

// compareRuns prints two runs side by side: the given files, or the last two kept.
func compareRuns(files []string) error {
	if len(files) == 0 {
		kept, err := lastKept()
		if err != nil {
			return err
		}
		files = kept
	}
	if len(files) != 2 {
		return fmt.Errorf("-compare takes two files, or none once two runs are kept; found %d", len(files))
	}
	older, err := readRun(files[0])
	if err != nil {
		return err
	}
	newer, err := readRun(files[1])
	if err != nil {
		return err
	}
	fmt.Printf("%-9s %-72s %12s %12s %8s %10s %10s\n", "ROW", "WHAT", "OLD", "NEW", "NEW/OLD", "OLD RATIO", "NEW RATIO")
	for _, n := range newer.Results {
		i := slices.IndexFunc(older.Results, func(o Result) bool { return o.Row == n.Row && o.What == n.What })
		if i < 0 {
			continue
		}
		printPair(older.Results[i], n)
	}
	return nil
}

func printPair(o, n Result) {
	change := "-"
	if o.Ours > 0 {
		change = fmt.Sprintf("%.2fx", n.Ours/o.Ours)
	}
	fmt.Printf("%-9s %-72s %12s %12s %8s %9.2fx %9.2fx\n", n.Row, n.What, number(o.Ours, o.Unit), number(n.Ours, n.Unit), change, o.Ratio(), n.Ratio())
}

func lastKept() ([]string, error) {
	dir, err := keptIn()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	return files[max(0, len(files)-2):], nil
}

func readRun(file string) (Run, error) {
	var r Run
	data, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}
