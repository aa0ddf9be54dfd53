// Bench measures the product's speed goals against floors from the same run, because the machine's
// speed varies and ratios do not:
//
//	go run ./hack/bench                    every row
//	go run ./hack/bench -rows hook,edit    some rows
//	go run ./hack/bench -quick             small sizes; fails if a row of quick.tsv exceeds its limit in four measurements
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

// Result is one measured value.
type Result struct {
	Row   string  // name in the table of rows
	What  string  // description of the measurement
	Unit  string  // ms, us, KB, ...
	Floor float64 // minimal possible cost; 0 without a floor
	Ours  float64
	Goal  string // goal of the design
}

// Ratio returns Ours divided by Floor, 0 without a floor.
func (r Result) Ratio() float64 {
	if r.Floor == 0 {
		return 0
	}
	return r.Ours / r.Floor
}

// bench is the environment of a row.
type bench struct {
	bin   drive.Bin // binaries of idumb and of the floors
	quick bool
	big   *backend // result of large; nil before its first call
}

// size returns full, or small under -quick.
func (b *bench) size(full, small int) int {
	if b.quick {
		return small
	}
	return full
}

// large returns the full-size repository with a running controller. The rows share it, without the
// sessions of earlier rows.
func (b *bench) large() (*backend, error) {
	if b.big != nil {
		return b.big, b.big.forget("*")
	}
	n := b.size(10_000, 300)
	var err error
	b.big, err = newKitchen(b, n, n)
	return b.big, err
}

// end removes the shared data of the rows.
func (b *bench) end() {
	if b.big != nil {
		b.big.end()
	}
	b.bin.Remove()
}

// rows lists all measurements.
var rows = []struct {
	name    string
	measure func(*bench) ([]Result, error)
}{
	{"hook", measureHook},
	{"prompt", measurePrompt},
	{"hung", measureHung},
	{"alone", measureAlone},
	{"ask", measureAsk},
	{"edit", measureEdit},
	{"idle", measureIdle},
	{"json", measureJSON},
	{"fanout", measureFanOut},
	{"chain", measureChain},
	{"start", measureColdStart},
	{"checkout", measureCheckout},
	{"write", measureWrite},
	{"apply", measureApply},
	{"map", measureMap},
	{"dash", measureDash},
	{"sync", measureSync},
	{"hosts", measureHosts},
}

func main() {
	only := flag.String("rows", "", "comma-separated names of rows; default all")
	quick := flag.Bool("quick", false, "small sizes; fails when a row exceeds its limit")
	flag.Parse()
	if err := runRows(*only, *quick); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func runRows(only string, quick bool) error {
	bin, err := drive.Build("idumb", "idumb-controller", "idumb-hook")
	if err != nil {
		return err
	}
	b := &bench{bin: bin, quick: quick}
	defer b.end()
	if err := buildFloors(bin); err != nil {
		return err
	}
	var limits []limit
	if quick {
		if limits, err = parseLimits(quickLimits); err != nil {
			return err
		}
	}
	var slow []string
	printHeader()
	for _, row := range rows {
		if only != "" && !strings.Contains(","+only+",", ","+row.name+",") {
			continue
		}
		results, err := row.measure(b)
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		exceeded := findExceeded(limits, row.name, results)
		for again := 0; again < 3 && len(exceeded) > 0; again++ { // repeat, because the machine may have been busy
			second, err := row.measure(b)
			if err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
			results = best(results, second)
			exceeded = findExceeded(limits, row.name, results)
		}
		slow = append(slow, exceeded...)
		for i := range results {
			results[i].Row = row.name
			printResult(results[i])
		}
	}
	if len(slow) > 0 {
		return fmt.Errorf("slower than the limits in hack/bench/quick.tsv allow:\n%s", strings.Join(slow, "\n"))
	}
	return nil
}
