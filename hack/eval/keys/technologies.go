// Package keys compares what is told of repositories with keys that people wrote: which
// technologies they have, and of which class their documents are. A folder of keys has, for a
// repository NAME, NAME.technologies or NAME.documents, and beside them its checkout, NAME.
//
// What was reached of technologies in November 2026, on repositories of eleven ecosystems whose keys name every
// library that a developer would, written before the first run and changed after it only where a name was
// spelled otherwise or a file had been overlooked; what was missing was added to the table after each set:
//
//	8 repositories, 395 names   precision .98, recall .83 when first run, .97 after rows were added
//	7 repositories, 319 names   precision .99, recall .92 when first run, .98 after
//	8 repositories, 309 names   precision .99, recall .81 when first run (.79 by the table before), .95 after
//	10 repositories, 449 names  precision .95, recall .78 when first run, .99 and .96 after
//	10 repositories, 537 names  precision .96, recall .70 when first run (.98 and .62 by the table before), .97 and .81 after
//	12 repositories, 386 names   precision .99, recall .75 when first run (.97 and .63 by the table before)
//	12 repositories, 598 names   precision .91, recall .73, version .87 when first run
//
// Then recipes were read (what workflows, Makefiles, Dockerfiles and scripts of package.json install and run), what
// pages load from networks, languages by the ends of sources, and drivers were named beside their databases:
//
//	those 12                     precision .91, recall .80, version .88
//	the 12 before                precision .99, recall .79 (.75 just before)
//	the 10 before                precision .96, recall .84 (.81)
//	10 repositories, 533 names   precision .91, recall .76, version .91 when first run (.92, .71, .91 by what was before)
//	10 others, 517 names         precision .84, recall .72, version .90 when first run (.84, .67, .90 by what was before),
//	                             of which names of settings (OPENAI_API_KEY) are some
//
// Before the sets of 537 and 386 the table grew from 3,000 rows to 8,700 by what is downloaded most of each ecosystem. That
// gave 10 names in 100 of them: what is missing is a long tail, each needed by one repository in a hundred, and those
// keys name more of it than the others do. Reading what was not read gave as much: dependencies of Gradle by their
// parts, Pipfile.lock, resources of Terraform, charts and operators of Kubernetes. Applications of a home's cluster,
// services that only code names, and packages of one organization remain.
package keys

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/hack/eval/checkout"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// tally counts what was found against a key.
type tally struct{ right, extra, missing, versions, versionsRight int }

func (t *tally) add(o tally) {
	t.right, t.extra, t.missing = t.right+o.right, t.extra+o.extra, t.missing+o.missing
	t.versions, t.versionsRight = t.versions+o.versions, t.versionsRight+o.versionsRight
}

func (t tally) String() string {
	return fmt.Sprintf("precision %.3f (%d of %d), recall %.3f (%d of %d), version right %.3f (%d of %d)",
		ratio(t.right, t.right+t.extra), t.right, t.right+t.extra, ratio(t.right, t.right+t.missing), t.right, t.right+t.missing,
		ratio(t.versionsRight, t.versions), t.versionsRight, t.versions)
}

func ratio(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// Run prints precision, recall and versions that are right of the technologies, and the classes of
// documents that are, over all folders of keys.
func Run(dirs []string, out io.Writer) error {
	var all tally
	var c classes
	for _, dir := range dirs {
		technologies, _ := filepath.Glob(filepath.Join(dir, "*.technologies"))
		documents, _ := filepath.Glob(filepath.Join(dir, "*.documents")) // the patterns are well-formed
		if len(technologies)+len(documents) == 0 {
			return fmt.Errorf("%s holds no key: put NAME.technologies or NAME.documents beside a checkout NAME", dir)
		}
		for _, key := range technologies {
			t, err := compareTechnologies(out, key)
			if err != nil {
				return err
			}
			all.add(t)
		}
		for _, key := range documents {
			if err := c.compare(out, key); err != nil {
				return err
			}
		}
	}
	if all != (tally{}) {
		fmt.Fprintln(out, "technologies:", all)
	}
	if c.all > 0 {
		fmt.Fprintln(out, "documents:", c)
	}
	return nil
}

// anyVersion stands in a key for a version that nobody looked up.
const anyVersion = "*"

// compareTechnologies reads a key: a line for each technology, its name and its version, several
// with | between, - for none, * if it is not judged. One with ? before its name is there, but need
// not be found.
func compareTechnologies(out io.Writer, key string) (tally, error) {
	wanted, err := readKey(key)
	if err != nil {
		return tally{}, err
	}
	files, err := checkout.Open(strings.TrimSuffix(key, filepath.Ext(key)))
	if err != nil {
		return tally{}, err
	}
	every := technologies.Find(files)
	found := map[string]string{}
	for _, t := range append(slices.Clone(every), technologies.Summary(every)...) {
		found[t.Name] = cmp.Or(t.Version, "-")
	}
	var t tally
	said := map[string][]string{}
	for name, versions := range wanted {
		switch version, has := found[name]; {
		case strings.HasPrefix(name, "?"):
			continue
		case !has:
			said["missing"] = append(said["missing"], name)
			t.missing++
			continue
		case slices.Equal(versions, []string{anyVersion}):
			t.right++
			continue
		case slices.Contains(versions, version):
			t.versionsRight++
		default:
			said["version"] = append(said["version"], fmt.Sprintf("%s %s, not %s", name, version, strings.Join(versions, "|")))
		}
		t.right, t.versions = t.right+1, t.versions+1
	}
	for name := range found {
		if wanted[name] == nil && wanted["?"+name] == nil {
			said["extra"] = append(said["extra"], name)
			t.extra++
		}
	}
	fmt.Fprintf(out, "%s: %s\n", filepath.Base(files.Root), t)
	for _, what := range slices.Sorted(maps.Keys(said)) {
		slices.Sort(said[what])
		fmt.Fprintf(out, "  %s: %s\n", what, strings.Join(said[what], "; "))
	}
	return t, nil
}

// readKey reads lines of a name and values that are right.
func readKey(file string) (map[string][]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	key := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), " "); found && !strings.HasPrefix(name, "#") {
			key[name] = strings.Split(value, "|")
		}
	}
	return key, nil
}
