package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	repository "github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// checkout is the files of a repository on this disk.
type checkout struct {
	root  string
	paths []string
}

func openCheckout(root string) (*checkout, error) {
	c := &checkout{root: root}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("open checkout: %w", err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			name, err := filepath.Rel(root, path)
			c.paths = append(c.paths, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	slices.Sort(c.paths)
	return c, err
}

func (c *checkout) Paths() []string { return c.paths }

func (c *checkout) Read(path string) ([]byte, error) {
	r, err := c.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, repository.MaxRead))
}

func (c *checkout) Open(path string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(c.root, filepath.FromSlash(path)))
}

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

// evalTechnologies compares what is found in repositories with keys that were written by hand. Each
// folder has keys, NAME.technologies, and the repository of each beside it, NAME. A key is a
// line for each technology: its name and its version, several with | between, - for none.
func evalTechnologies(out io.Writer, dirs []string) error {
	var all tally
	for _, dir := range dirs {
		keys, err := filepath.Glob(filepath.Join(dir, "*.technologies"))
		if err != nil {
			return fmt.Errorf("find keys: %w", err)
		}
		for _, key := range keys {
			t, err := compareTechnologies(out, key)
			if err != nil {
				return err
			}
			all.add(t)
		}
	}
	if all != (tally{}) {
		fmt.Fprintln(out, "technologies:", all)
	}
	return evalDocuments(out, dirs)
}

func compareTechnologies(out io.Writer, key string) (tally, error) {
	wanted, err := readKey(key)
	if err != nil {
		return tally{}, err
	}
	files, err := openCheckout(strings.TrimSuffix(key, filepath.Ext(key)))
	if err != nil {
		return tally{}, err
	}
	every := technologies.Find(files)
	found := map[string]string{}
	for _, t := range append(slices.Clone(every), technologies.Summary(every)...) {
		found[t.Name] = t.Version
	}
	var t tally
	var missing, extra, wrong []string
	for name, versions := range wanted {
		version, has := found[name]
		if !has {
			missing = append(missing, name)
			continue
		}
		t.right, t.versions = t.right+1, t.versions+1
		if version == "" {
			version = "-"
		}
		if slices.Contains(versions, version) {
			t.versionsRight++
		} else {
			wrong = append(wrong, fmt.Sprintf("%s %s, not %s", name, version, strings.Join(versions, "|")))
		}
	}
	for name := range found {
		if wanted[name] == nil {
			extra = append(extra, name)
		}
	}
	t.missing, t.extra = len(missing), len(extra)
	fmt.Fprintf(out, "%s: %s\n", filepath.Base(files.root), t)
	for what, names := range map[string][]string{"missing": missing, "extra": extra, "version": wrong} {
		if slices.Sort(names); len(names) > 0 {
			fmt.Fprintf(out, "  %s: %s\n", what, strings.Join(names, "; "))
		}
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
