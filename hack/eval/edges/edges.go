// Package edges compares the import resolver with the compilers of the languages: on any checkouts,
// the file of the repository that each import leads to.
//
//	go run ./hack/eval map edges-go DIR...
//	go run ./hack/eval map edges-typescript DIR...
//	go run ./hack/eval map edges-python DIR...
//	go run ./hack/eval map edges-java DIR...
//	go run ./hack/eval map edges-rust DIR...               only declarations of modules
//	go run ./hack/eval map edges-typescript -v 50 DIR      and the first differences of each kind
//	go run ./hack/eval map edges-typescript -resolver DIR  imports as the compiler reads them
//	go run ./hack/eval map edges-typescript -least .998 DIR
//
// In addition, each name that is imported must be exported by some file: if all of a repository
// compiles, any other name would be a false alarm of Graph.Gone.
//
// An import without a result of the compiler is not judged: usually it names a package that is not
// built yet, or a file that only a bundler supports. The number of such imports that the resolver
// resolves is printed.
package edges

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/eval/checkout"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// oracle queries a compiler about the files of a root, and returns its answers for the files that
// it supports.
type oracle struct {
	name string
	ask  func(root string, paths []string) ([]answer, error)
}

func oracles() []oracle {
	return []oracle{{"edges-typescript", typescript}, {"edges-go", golang}, {"edges-python", python}, {"edges-java", java}, {"edges-rust", rust}}
}

// answer is a compiler's result for one file: the files of the repository for each import as
// spelled. An empty list means that it found no file, and "" a file outside the repository.
type answer struct {
	Path    string              `json:"path"`
	Imports map[string][]string `json:"imports"`
}

// Run runs the command. Its arguments are the name of an oracle, flags and directories. It reports
// false for an unknown oracle.
func Run(args []string, out io.Writer) (bool, error) {
	if len(args) == 0 {
		return false, nil
	}
	i := slices.IndexFunc(oracles(), func(o oracle) bool { return o.name == args[0] })
	if i < 0 {
		return false, nil
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	verbose := flags.Int("v", 0, "how many differences of each sort are printed")
	beyond := flags.Int("beyond", 0, "how many edges are printed that have not been judged")
	least := flags.Float64("least", 0, "the least recall and precision")
	resolver := flags.Bool("resolver", false, "judge only the resolver, with the imports of the compiler")
	if err := flags.Parse(args[1:]); err != nil {
		return true, err
	}
	if flags.NArg() == 0 {
		return true, errors.New("name folders")
	}
	for _, dir := range flags.Args() {
		c := comparison{oracle: oracles()[i], output: out, resolverOnly: *resolver,
			toPrint: map[string]int{"missed": *verbose, "wrong": *verbose, "gone": *verbose, "beyond": *beyond}}
		if err := c.root(dir); err != nil {
			return true, err
		}
		if c.ratio(c.missed) < *least || c.ratio(c.wrong) < *least {
			return true, fmt.Errorf("%s: below %g", dir, *least)
		}
	}
	return true, nil
}

// comparison compares an oracle with the graph on one repository.
type comparison struct {
	oracle
	output                      io.Writer
	resolverOnly                bool           // judge only the resolver, with imports as the compiler reads them
	toPrint                     map[string]int // differences of each kind that are still to print
	files                       int
	both, missed, wrong, beyond int // number of edges: wrong ones lead to other files, beyond ones were not judged
	read, build, knots          time.Duration

	tree     *checkout.Checkout
	facts    map[string]source.Facts
	g        *project.Graph
	resolver *resolve.Resolver
	named    *alarms
}

func (c *comparison) ratio(bad int) float64 {
	if c.both+bad == 0 {
		return 1
	}
	return float64(c.both) / float64(c.both+bad)
}

// open reads all files below a directory, and builds their graph.
func (c *comparison) open(dir string) (err error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if c.tree, err = checkout.Open(root); err != nil {
		return err
	}
	c.facts = c.scan(c.tree, c.tree.Paths())
	began := time.Now()
	c.g = project.Build(c.tree, func(path string) source.Facts { return c.facts[path] })
	c.build = time.Since(began)
	c.resolver = resolve.New(c.tree.Paths(), c.tree.Read)
	c.named = &alarms{g: c.g, resolver: c.resolver, exported: map[string]project.Names{}}
	for _, p := range c.tree.Paths() {
		c.named.file(p, c.facts[p].Imports, c.show)
	}
	return nil
}

// root compares all files below a directory.
func (c *comparison) root(dir string) error {
	if err := c.open(dir); err != nil {
		return err
	}
	answers, err := c.ask(c.tree.Root, c.tree.Paths())
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	began := time.Now()
	knots := c.g.ImportCycles()
	c.knots = time.Since(began)
	for _, a := range answers {
		c.file(a, c.facts[a.Path].Imports)
	}
	c.print(dir, knots)
	return nil
}

func (c *comparison) scan(files *checkout.Checkout, paths []string) map[string]source.Facts {
	began := time.Now()
	facts := map[string]source.Facts{}
	for _, p := range paths {
		if data, err := files.Read(p); err == nil {
			facts[p] = source.Scan(p, data)
		}
	}
	c.read = time.Since(began)
	return facts
}

// file compares the targets of one file's imports.
func (c *comparison) file(a answer, imports []source.Import) {
	c.files++
	if c.resolverOnly {
		imports = nil
		for from := range a.Imports {
			imports = append(imports, source.Import{From: from, Kind: source.ValueImport})
		}
	}
	ours := map[string][]string{}
	for _, i := range imports {
		ours[i.From] = append(ours[i.From], leads(c.resolver, a.Path, i)...)
	}
	for from, theirs := range a.Imports {
		for _, to := range theirs {
			if slices.Contains(ours[from], to) {
				c.both++
			} else if to != a.Path && to != "" {
				c.missed++
				c.show("missed", a.Path, from, to, ours[from])
			}
		}
	}
	for from, all := range ours {
		slices.Sort(all)
		for _, to := range slices.Compact(all) {
			if theirs := a.Imports[from]; len(theirs) == 0 {
				c.beyond++
				c.show("beyond", a.Path, from, to, nil)
			} else if !slices.Contains(theirs, to) {
				c.wrong++
				c.show("wrong", a.Path, from, to, theirs)
			}
		}
	}
}

func leads(resolver *resolve.Resolver, file string, i source.Import) (paths []string) {
	targets, _ := resolver.Resolve(file, i)
	for _, t := range targets {
		if strings.HasSuffix(t.Path, "/") {
			paths = append(paths, resolver.Members(t.Path)...)
		} else {
			paths = append(paths, t.Path)
		}
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == file })
}

func (c *comparison) show(how, path, from, to string, instead []string) {
	if c.toPrint[how] > 0 {
		c.toPrint[how]--
		fmt.Fprintf(c.output, "%s %s %q: %s %v\n", how, path, from, to, instead)
	}
}

func (c *comparison) print(dir string, knots []project.ImportCycle) {
	fmt.Fprintf(c.output, "%-24s %6d files %7d edges  recall %.5f  precision %.5f  not judged %d  scan %d ms  build %d ms\n", filepath.Base(dir), c.files,
		c.both+c.missed, c.ratio(c.missed), c.ratio(c.wrong), c.beyond, c.read.Milliseconds(), c.build.Milliseconds())
	largest := 0
	for _, k := range knots {
		largest = max(largest, len(k.Files))
	}
	fmt.Fprintf(c.output, "%-24s %6d knots, the largest of %d files, in %d ms; %d names imported, %d of them falsely gone, %d not known\n", "", len(knots), largest,
		c.knots.Milliseconds(), c.named.names, c.named.false, c.named.unknown)
}

//go:embed Edges.java
var javaScript []byte

// java queries the parser of the javac in PATH.
func java(root string, paths []string) ([]answer, error) {
	dir, err := os.MkdirTemp("", "edges-java-")
	if err != nil {
		return nil, fmt.Errorf("oracle of Java: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "Edges.java")
	if err := os.WriteFile(file, javaScript, 0o600); err != nil {
		return nil, fmt.Errorf("oracle of Java: %w", err)
	}
	return lines(exec.Command("java", file, root), paths)
}

//go:embed python.py
var pythonScript string

// python queries the import finders of the Python in PATH, without loading modules.
func python(root string, paths []string) ([]answer, error) {
	return lines(exec.Command("python3", "-W", "ignore", "-I", "-c", pythonScript, root), paths)
}

// lines runs a script that reads paths, each ended by a NUL byte, and prints an answer for each file.
func lines(cmd *exec.Cmd, paths []string) (answers []answer, err error) {
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.String())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var a answer
		switch err := d.Decode(&a); {
		case errors.Is(err, io.EOF):
			return answers, nil
		case err != nil:
			return nil, err
		}
		answers = append(answers, a)
	}
}

//go:embed typescript.js
var typescriptScript []byte

// typescriptRelease is the npm package of the oracle.
const typescriptRelease = "typescript@5.9.3"

// typescript queries the resolver of TypeScript, which npm installs into a temporary directory. Its
// script prints a line for each file.
func typescript(root string, paths []string) (answers []answer, err error) {
	dir, err := os.MkdirTemp("", "edges-typescript-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--prefix", dir, typescriptRelease)
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("install %s: %w: %s", typescriptRelease, err, out)
	}
	script := filepath.Join(dir, "edges.js")
	if err := os.WriteFile(script, typescriptScript, 0o600); err != nil {
		return nil, err
	}
	return lines(exec.Command("node", script, root), paths)
}
