package edges

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// mostAlarms is the maximal share of imported names that are wrongly reported as removed.
const mostAlarms = 1.0 / 5000

// mutateExports renames exported names, one at a time, and queries the graph for removed names. The
// result must be the renamed name with its importers, which are found independently, from importers
// to declarations. Then it changes each exporting file without removing a name. Names that are
// reported as removed after that are false alarms.
func mutateExports(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("gone-exports", flag.ContinueOnError)
	most := flags.Int("n", 1000, "number of names to rename in each folder")
	least := flags.Float64("least", 0, "required share of reported renames")
	verbose := flags.Int("v", 0, "number of unreported renames to print")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name folders")
	}
	for _, dir := range flags.Args() {
		m := &mutations{comparison: comparison{output: out, toPrint: map[string]int{"untold": *verbose, "gone": *verbose, "false": *verbose}}}
		if err := m.open(dir); err != nil {
			return err
		}
		m.all(*most)
		m.print(filepath.Base(dir))
		if told, alarms := m.shares(); told < *least || *least > 0 && alarms > mostAlarms {
			return fmt.Errorf("%s: less than %g of the removed exports are reported, or more than 1 in %.0f falsely", dir, *least, 1/mostAlarms)
		}
	}
	return nil
}

// mutations are the mutations of one repository.
type mutations struct {
	comparison
	renamed, told, unknown   int // unknown: not reported, because the file re-exports unknown names
	unharmed, names, falsely int // harmless changes of files, names imported from these files, and false alarms
}

// importedName is an imported name: the importer, the declaring file, and the name in that file.
type importedName struct{ by, file, name string }

// all mutates at most most of the imported names.
func (m *mutations) all(most int) {
	var names []importedName
	for _, path := range m.tree.Paths() {
		for _, i := range m.facts[path].Imports {
			targets, _ := m.resolver.Resolve(path, i)
			for _, t := range targets {
				for _, name := range t.Names {
					if file, own := m.origin(t.Path, name, 0); file != "" && file != path {
						names = append(names, importedName{path, file, own})
					}
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 1))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, t := range names[:min(most, len(names))] {
		m.rename(t)
	}
	slices.SortFunc(names, func(a, b importedName) int { return strings.Compare(a.file, b.file) })
	for n, t := range names {
		if m.names++; n == 0 || names[n-1].file != t.file {
			m.harm(t.file)
		}
	}
}

// origin returns the file that declares a name exported by a file or package, and the name in that
// file. It returns empty strings if no file does.
func (m *mutations) origin(path, name string, depth int) (file, own string) {
	if strings.HasSuffix(path, "/") {
		for _, member := range m.resolver.Members(path) {
			if m.declares(member, name) && file != "" {
				return "", "" // for different systems
			} else if m.declares(member, name) {
				file, own = member, name
			}
		}
		return file, own
	}
	if m.declares(path, name) {
		return path, name
	}
	for _, e := range m.facts[path].Exports {
		if e.From == "" || depth > 5 || e.Name != name && e.Name != "*" {
			continue
		}
		local := name
		if e.Name != "*" {
			local = e.Local
		}
		targets, _ := m.resolver.Resolve(path, source.Import{From: e.From, Kind: source.ReExport})
		for _, t := range targets {
			if file, own := m.origin(t.Path, local, depth+1); file != "" {
				return file, own
			}
		}
	}
	return "", ""
}

// declares reports whether a file declares a name exactly once at its top level.
func (m *mutations) declares(file, name string) bool {
	n := 0
	for _, s := range m.facts[file].Symbols {
		if s.Name == name && s.Owner == "" {
			n++
		}
	}
	return n == 1
}

// rename renames a name in its file, and checks whether its importer is reported.
func (m *mutations) rename(t importedName) {
	data, err := m.tree.Read(t.file)
	if err != nil {
		return
	}
	word := regexp.MustCompile(`(^|[^\p{L}\p{N}_$])` + regexp.QuoteMeta(t.name) + `($|[^\p{L}\p{N}_$])`)
	text := string(data)
	for range 2 { // adjacent names share the character between them
		text = word.ReplaceAllString(text, "${1}"+t.name+"Renamed${2}")
	}
	m.renamed++
	for _, l := range m.change(t.file, text) {
		if l.Name == t.name && slices.ContainsFunc(l.Edges, func(e project.Edge) bool { return e.From == t.by }) {
			m.told++
			return
		}
	}
	if !m.g.Exports(t.file).Complete {
		m.unknown++
		return
	}
	m.show("untold", t.by, t.name, t.file, nil)
}

// harm changes a file without removing an export.
func (m *mutations) harm(file string) {
	data, err := m.tree.Read(file)
	if err != nil {
		return
	}
	m.unharmed++
	for _, l := range m.change(file, "\n\n"+string(data)+"\n") {
		for _, e := range l.Edges {
			m.falsely++
			m.show("false", file, l.Name, e.From, nil)
		}
	}
}

// change returns the removed names of a file with another text. It restores the graph.
func (m *mutations) change(file, text string) []project.RemovedExport {
	before := m.facts[file]
	m.facts[file] = source.Scan(file, []byte(text))
	m.g.Change(file, m.facts[file])
	lost := m.g.RemovedExports(file, before, m.facts[file])
	m.facts[file] = before
	m.g.Change(file, before)
	return lost
}

// shares returns the share of reported renames, and the share of false alarms among imported names.
func (m *mutations) shares() (told, alarms float64) {
	if m.renamed == 0 {
		return 1, 0
	}
	return float64(m.told) / float64(m.renamed), float64(m.falsely) / float64(m.names)
}

func (m *mutations) print(name string) {
	told, alarms := m.shares()
	fmt.Fprintf(m.output, "%-24s %5d exports renamed, reported at once %.4f (%d unknown); %d files changed without harm, false alarms %.5f (%d of %d names); %d of %d named imports lead to names that no scan finds\n", name,
		m.renamed, told, m.unknown, m.unharmed, alarms, m.falsely, m.names, m.named.false, m.named.names)
}
