package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// buildEmpty builds a Go program that does nothing: the floor of every process.
func buildEmpty(bin drive.Bin) (string, error) {
	dir, err := os.MkdirTemp("", "idumb-empty-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"go.mod": "module empty\n\ngo 1.25\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin.Path("empty"), ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build of an empty program: %w\n%s", err, out)
	}
	return bin.Path("empty"), nil
}

// process describes one command to be timed.
type process struct {
	path  string
	args  []string
	each  func(round int) []string // further arguments of one round, nil for none
	dir   string
	env   []string
	stdin []byte
	feed  func(round int) []byte // what one round is given in place of stdin, nil for that
}

// cost is what one run of a process took.
type cost struct {
	wall, cpu time.Duration
	rssKB     int64
}

func (p process) run(round int) (cost, error) {
	args := p.args
	if p.each != nil {
		args = slices.Concat(args, p.each(round))
	}
	cmd := exec.Command(p.path, args...)
	cmd.Dir, cmd.Stdin = p.dir, bytes.NewReader(p.stdin)
	if p.feed != nil {
		cmd.Stdin = bytes.NewReader(p.feed(round))
	}
	if p.env != nil {
		cmd.Env = append(os.Environ(), p.env...)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s %v: %w: %s", filepath.Base(p.path), args, err, stderr.Bytes())
	}
	return cost{time.Since(began), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), maxRSS(cmd.ProcessState)}, nil
}

// interleave runs the processes in turn, n rounds after one to warm up, so that a
// drift of the machine hits all of them alike, and returns the medians.
func interleave(n int, processes ...process) ([]cost, error) {
	costs := make([][]cost, len(processes))
	for round := range n + 1 {
		for i, p := range processes {
			c, err := p.run(round)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				costs[i] = append(costs[i], c)
			}
		}
	}
	medians := make([]cost, len(processes))
	for i, all := range costs {
		medians[i] = cost{
			wall:  median(all, func(c cost) time.Duration { return c.wall }),
			cpu:   median(all, func(c cost) time.Duration { return c.cpu }),
			rssKB: int64(median(all, func(c cost) time.Duration { return time.Duration(c.rssKB) })),
		}
	}
	return medians, nil
}

func median(all []cost, field func(cost) time.Duration) time.Duration {
	values := make([]time.Duration, len(all))
	for i, c := range all {
		values[i] = field(c)
	}
	return percentile(values, 50)
}

// percentile returns the p-th percentile of values, which it sorts.
func percentile(values []time.Duration, p int) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(len(values)-1, len(values)*p/100)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
