package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// buildFloors builds the programs below floor next to the other binaries.
func buildFloors(bin drive.Bin) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin.Dir+string(filepath.Separator), "github.com/idumb-dev/idumb/hack/bench/floor/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build of the floors: %w\n%s", err, out)
	}
	return nil
}

// process describes one command to measure.
type process struct {
	path      string
	args      []string
	each      func(round int) []string // additional arguments of a round; nil for none
	dir       string
	env       []string
	feed      func(round int) []byte // standard input of a round; nil for none
	before    func(round int) error  // called before each run, not timed; nil for none
	wants     string                 // text that the answer must contain
	forbidden string                 // text that the answer must not contain; empty for none
	serves    int                    // PID of the process that serves this one; 0 for none
	peak      string                 // path of floor/peak to measure peak memory; otherwise empty
	answered  func(answer string)    // receives the answer; nil for none
}

// cost is the cost of one run of a process.
type cost struct {
	wall, cpu time.Duration
	served    time.Duration // CPU time of the serving process
	rssKB     int64
}

func (p process) run(round int) (cost, error) {
	args := p.args
	if p.each != nil {
		args = slices.Concat(args, p.each(round))
	}
	command := append([]string{p.path}, args...)
	if p.peak != "" {
		command = append([]string{p.peak}, command...)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), p.env...)
	if p.feed != nil {
		cmd.Stdin = bytes.NewReader(p.feed(round))
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if p.before != nil {
		if err := p.before(round); err != nil {
			return cost{}, err
		}
	}
	servedBefore, began := processCPU(p.serves), time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return cost{}, fmt.Errorf("%s %v: %w: %s", filepath.Base(p.path), args, err, stderr.Bytes())
	}
	if answer := stdout.String(); !strings.Contains(answer, p.wants) || p.forbidden != "" && strings.Contains(answer, p.forbidden) {
		return cost{}, fmt.Errorf("%s %v answers %q, which is not right", filepath.Base(p.path), args, answer)
	}
	if p.answered != nil {
		p.answered(stdout.String())
	}
	settle(p.serves)
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), processCPU(p.serves) - servedBefore, lastNumber(stderr.String())}, nil
}

// lastNumber returns the number at the end of a text, 0 for none.
func lastNumber(text string) int64 {
	n, err := strconv.ParseInt(text[strings.LastIndexByte(text, '\n')+1:], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// settle waits until a process was idle for a few milliseconds, because its work after an answer is
// a cost of the answer too. It gives up on a process that does not become idle.
func settle(pid int) {
	const rest, step, little = 15 * time.Millisecond, 3 * time.Millisecond, 20 * time.Microsecond
	if pid == 0 {
		time.Sleep(rest)
		return
	}
	began := time.Now()
	last, since := processCPU(pid), began
	for time.Since(since) < rest && time.Since(began) < 10*time.Second {
		time.Sleep(step)
		if now := processCPU(pid); now-last > little {
			last, since = now, time.Now()
		}
	}
}

// repeat runs the processes in turn, n rounds after a warm-up round, so that a drift of the machine
// affects all of them equally.
func repeat(n int, processes ...process) ([]costs, error) {
	all := make([]costs, len(processes))
	for round := range n + 1 {
		for i, p := range processes {
			c, err := p.run(round)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[i] = append(all[i], c)
			}
		}
	}
	return all, nil
}

// costs are the costs of one process, by round.
type costs []cost

func wall(c cost) time.Duration   { return c.wall }
func busy(c cost) time.Duration   { return c.cpu + c.served }
func served(c cost) time.Duration { return c.served }
func memory(c cost) float64       { return float64(c.rssKB) / 1024 }

func (all costs) percentileMs(p int, part func(cost) time.Duration) float64 {
	values := make([]time.Duration, len(all))
	for i, c := range all {
		values[i] = part(c)
	}
	return ms(percentile(values, p))
}

// maxOf returns the maximum of a part of the costs.
func (all costs) maxOf(part func(cost) float64) float64 {
	var most float64
	for _, c := range all {
		most = max(most, part(c))
	}
	return most
}

// percentile returns the p-th percentile of values. It sorts values.
func percentile(values []time.Duration, p int) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(len(values)-1, len(values)*p/100)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

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
