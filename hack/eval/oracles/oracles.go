// Package oracles compares the scanners of package source with the compilers of the languages: on
// any checkouts, the name and lines of every declaration, the imports and the exports.
//
//	go run ./hack/eval map                        lists the oracles
//	go run ./hack/eval map python DIR...          all files of Python below some directories
//	go run ./hack/eval map -v python DIR          and the first fifty differences
//	go run ./hack/eval map -least .999 python DIR exits with 1 if recall or precision is lower
package oracles

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources/source"
)

// oracle queries a compiler. Its command reads file names from standard input, each terminated by a
// NUL byte, and prints a line of JSON (answer) for each file that the compiler accepts.
type oracle struct {
	name      string
	languages []string // names as in source.Facts
	command   func() (*exec.Cmd, error)
}

func oracles() []oracle {
	return []oracle{
		{"python", []string{"Python"}, python},
		{"typescript", []string{"TypeScript", "JavaScript", "Vue", "Svelte", "Astro"}, typescript},
		{"php", []string{"PHP"}, php},
		{"javac", []string{"Java"}, javac},
		{"rustc", []string{"Rust"}, rustc},
		{"ruby", []string{"Ruby"}, ruby},
		{"c#", []string{"C#"}, grammar("C#")},
		{"kotlin", []string{"Kotlin"}, grammar("Kotlin")},
		{"c", []string{"C"}, grammar("C")},
		{"c++", []string{"C++", "C"}, grammar("C++")},
	}
}

// answer is a compiler's result for one file. A list that is null is not compared.
type answer struct {
	Path    string   `json:"path"`
	Symbols []symbol `json:"symbols"`
	Imports []string `json:"imports"` // as spelled, without duplicates
	Exports []string `json:"exports"`
}

type symbol struct {
	Name string `json:"name"` // including its owners: Auth.login
	From int    `json:"from"`
	To   int    `json:"to"`
}

// score counts results of both, only of the oracle, and only of the scanner.
type score struct{ both, missed, extra int }

func (s score) recall() float64    { return ratio(s.both, s.both+s.missed) }
func (s score) precision() float64 { return ratio(s.both, s.both+s.extra) }

func ratio(a, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(a) / float64(of)
}

// Run runs the command. Its arguments are flags, an oracle and directories.
func Run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("map", flag.ContinueOnError)
	verbose := flags.Bool("v", false, "print the first fifty differences")
	least := flags.Float64("least", 0, "the least recall and precision")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		for _, o := range oracles() {
			fmt.Fprintln(out, o.name, "judges", strings.Join(o.languages, ", "))
		}
		return errors.New("name an oracle and folders")
	}
	i := slices.IndexFunc(oracles(), func(o oracle) bool { return o.name == flags.Arg(0) })
	if i < 0 {
		return fmt.Errorf("no oracle is called %q", flags.Arg(0))
	}
	c := comparison{oracle: oracles()[i], output: out}
	if *verbose {
		c.toPrint = 50
	}
	for _, dir := range flags.Args()[1:] {
		if err := c.folder(dir); err != nil {
			return err
		}
	}
	return c.print(*least)
}

// comparison compares one oracle with the scanner.
type comparison struct {
	oracle
	output                    io.Writer
	toPrint                   int // number of differences that are still to print
	files, partial            int
	answers                   []answer
	symbols, imports, exports score
	ours                      time.Duration
	bytes                     int
}

// folder compares all files of the oracle's languages below a directory.
func (c *comparison) folder(dir string) error {
	files, err := c.listed(dir)
	if err != nil || len(files) == 0 {
		return err
	}
	cmd, err := c.command()
	if err != nil {
		return err
	}
	cmd.Stdin = strings.NewReader(strings.Join(files, "\x00") + "\x00")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	answers, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", c.name, err, stderr.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(answers))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := c.file(a); err != nil {
			return err
		}
		c.answers = append(c.answers, a)
	}
	return lines.Err()
}

// listed returns the files of the oracle's languages below a directory.
func (c *comparison) listed(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && slices.Contains(c.languages, source.LanguageOf(path)) {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// file compares one file.
func (c *comparison) file(a answer) error {
	data, err := os.ReadFile(a.Path)
	if err != nil {
		return err
	}
	began := time.Now()
	facts := source.Scan(a.Path, data)
	c.ours += time.Since(began)
	c.bytes += len(data)
	c.files++
	if facts.Partial != "" {
		c.partial++
		c.show("partial", "file", a.Path, facts.Partial)
	}
	if facts.Partial != "" && facts.Symbols == nil {
		return nil
	}
	c.compare(a.Path, "symbol", &c.symbols, symbolsOf(a.Symbols), symbolsOf(ours(facts.Symbols)))
	if a.Imports != nil {
		c.compare(a.Path, "import", &c.imports, a.Imports, importsOf(facts.Imports))
	}
	if a.Exports != nil {
		c.compare(a.Path, "export", &c.exports, a.Exports, exportsOf(facts))
	}
	return nil
}

func ours(all []source.Symbol) (found []symbol) {
	for _, s := range all {
		found = append(found, symbol{s.Full(), s.From, s.To})
	}
	return found
}

func symbolsOf(all []symbol) (found []string) {
	for _, s := range all {
		found = append(found, fmt.Sprintf("%s %d-%d", s.Name, s.From, s.To))
	}
	return found
}

func importsOf(all []source.Import) (found []string) {
	for _, i := range all {
		found = append(found, i.From)
	}
	return found
}

func exportsOf(facts source.Facts) (found []string) {
	for _, e := range facts.Exports {
		found = append(found, e.Name)
	}
	return found
}

// compare counts the differences between two sets, and prints them.
func (c *comparison) compare(path, what string, s *score, theirs, ours []string) {
	slices.Sort(theirs)
	slices.Sort(ours)
	theirs, ours = slices.Compact(theirs), slices.Compact(ours)
	for _, t := range theirs {
		if _, found := slices.BinarySearch(ours, t); found {
			s.both++
			continue
		}
		s.missed++
		c.show("missed", what, path, t)
	}
	for _, o := range ours {
		if _, found := slices.BinarySearch(theirs, o); !found {
			s.extra++
			c.show("extra", what, path, o)
		}
	}
}

func (c *comparison) show(how, what, path, name string) {
	if c.toPrint > 0 {
		c.toPrint--
		fmt.Fprintf(c.output, "%s %s %s: %s\n", how, what, path, name)
	}
}

// print prints a row for each list. It returns an error if a value is lower than least.
func (c *comparison) print(least float64) error {
	fmt.Fprintf(c.output, "%s: %d files, %d partial; our scanner %.0f files/s, %.1f MB/s\n", c.name, c.files, c.partial,
		float64(c.files)/c.ours.Seconds(), float64(c.bytes)/1e6/c.ours.Seconds())
	low := false
	for _, row := range []struct {
		name string
		score
	}{{"symbols, both lines exact", c.symbols}, {"imports", c.imports}, {"exports", c.exports}} {
		fmt.Fprintf(c.output, "%-26s %7d  recall %.5f  precision %.5f\n", row.name, row.both+row.missed, row.recall(), row.precision())
		low = low || row.recall() < least || row.precision() < least
	}
	if low {
		return fmt.Errorf("%s: below %g", c.name, least)
	}
	return nil
}
