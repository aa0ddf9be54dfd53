package technologies_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// folder is the files of a folder of this disk.
type folder struct {
	root  string
	paths []string
}

func (f folder) Paths() []string { return f.paths }

func (f folder) Read(path string) ([]byte, error) {
	r, err := f.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, project.MaxRead))
}

func (f folder) Open(path string) (io.ReadCloser, error) { return os.Open(filepath.Join(f.root, path)) }

func openFolder(t testing.TB, root string) project.Files {
	t.Helper()
	f := folder{root: root}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(root, path)
			f.paths = append(f.paths, filepath.ToSlash(name))
		}
		return err
	}))
	slices.Sort(f.paths)
	return f
}

// write puts files into a folder of its own.
func write(t testing.TB, files map[string]string) project.Files {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return openFolder(t, root)
}

// Each fixture is a repository and, in what stands before its files, the lines that are found: "tech
// NAME VERSION|- THROUGH|- ROLE DIR EVIDENCE...", "cmd FOR DIR EVIDENCE RUN", "dir DIR KIND NAME|- EVIDENCE MEMBER".
// Only the sorts of lines that a fixture has are compared.
func TestFixtures(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(fixture)
			require.NoError(t, err)
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			found := lines(write(t, files))
			for _, sort := range []string{"tech", "cmd", "dir"} {
				wanted := linesOf(string(archive.Comment), sort)
				if len(wanted) > 0 {
					assert.Equal(t, strings.Join(wanted, "\n"), strings.Join(linesOf(strings.Join(found, "\n"), sort), "\n"))
				}
			}
		})
	}
}

func linesOf(text, sort string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, sort+" ") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// lines are all that is found, a line each.
func lines(files project.Files) []string {
	var all []string
	dash := func(text string) string {
		if text == "" {
			return "-"
		}
		return strings.ReplaceAll(text, " ", "_")
	}
	for _, t := range technologies.Find(files) {
		all = append(all, fmt.Sprintf("tech %s %s %s %s %s %s", t.Name, dash(t.Version), dash(t.Through), t.Role, t.Dir, strings.Join(t.Evidence, " ")))
	}
	for _, c := range technologies.Commands(files) {
		all = append(all, fmt.Sprintf("cmd %s %s %s %s", c.Purpose, c.Dir, c.Evidence, c.Run))
	}
	for _, w := range technologies.Workspaces(files) {
		all = append(all, fmt.Sprintf("dir %s %s %s %s %v", w.Dir, w.Kind, dash(w.Name), w.Evidence, w.Member))
	}
	return all
}

// What the root says of a runtime holds, whichever way a side project says its own.
func TestTheRootsRuntimeHolds(t *testing.T) {
	found := technologies.Summary(technologies.Find(write(t, map[string]string{
		"Dockerfile": "FROM node:22-alpine\n", "demo/package.json": `{"engines": {"node": ">=16"}}`,
	})))
	at := slices.IndexFunc(found, func(one technologies.Technology) bool { return one.Name == "nodejs" })
	require.GreaterOrEqual(t, at, 0)
	assert.Equal(t, "22", found[at].Version)
}
