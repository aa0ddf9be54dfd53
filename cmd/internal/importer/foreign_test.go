package importer

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
)

func formatOf(t testing.TB, name string) *imports.Format {
	t.Helper()
	for _, f := range imports.Formats(func(*imports.Format) bool { return true }) {
		if f.Name == name {
			return f
		}
	}
	t.Fatal(name)
	return nil
}

// A file of another format is refused by each of them, and leaves nothing behind.
func TestAFileOfAnotherFormatIsRefused(t *testing.T) {
	files := map[string]string{
		"beads":      `{"id":"bd-1","title":"A","status":"open","issue_type":"task"}` + "\n",
		"taskmaster": `{"master":{"tasks":[{"id":1,"title":"A","status":"pending"}]}}`,
		"backlog":    "---\nid: back-1\ntitle: A\nstatus: To Do\n---\n\ntext\n",
		"":           `{"name":"x","version":"1.0.0"}`,
		"empty":      "",
	}
	for _, f := range imports.Formats(imports.Imported) {
		for kind, text := range files {
			root := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
			file := filepath.Join(root, "file.md")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			before := contents(t, root)
			s, err := Open(f, file, nil)
			require.NoError(t, err)
			_, err = Import(context.Background(), open(t, root, false), s, func(int, int) {})
			if kind == f.Name {
				require.NoError(t, err, kind)
				continue
			}
			require.ErrorContains(t, err, "contains no data of "+f.Title, kind)
			assert.Equal(t, before, contents(t, root), "%s as %s", kind, f.Name)
			switch kind {
			case "":
			case "empty":
				assert.ErrorContains(t, err, "it is empty")
			default:
				assert.ErrorContains(t, err, "idumb import "+kind+" ", "it says what it is")
			}
		}
	}
}

func TestTheFileOfAFolder(t *testing.T) {
	root := t.TempDir()
	lay(t, root, []migrate.File{{Path: ".beads/vc.jsonl", Data: []byte(`{"id":"vc-1","title":"A"}`)}, {Path: ".beads/vc.db", Data: []byte("x")}})
	s, err := Open(formatOf(t, "beads"), root, nil)
	require.NoError(t, err)
	assert.Equal(t, "vc.jsonl", s.Files[0].Path, "by the name of the project, as it once was")
	lay(t, root, []migrate.File{{Path: ".beads/other.jsonl", Data: []byte(`{"id":"o-1","title":"A"}`)}})
	_, err = Open(formatOf(t, "beads"), root, nil)
	assert.ErrorContains(t, err, `"other.jsonl", "vc.jsonl"`, "nobody guesses")
	lay(t, root, []migrate.File{{Path: ".beads/issues.jsonl", Data: []byte(`{"id":"i-1","title":"A"}`)}})
	s, err = Open(formatOf(t, "beads"), root, nil)
	require.NoError(t, err)
	assert.Equal(t, "issues.jsonl", s.Files[0].Path)
}

func TestFoldersOfATrackerThatNobodyReadsAreNamed(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, "backlog"), []migrate.File{
		{Path: "tasks/task-1 - A.md", Data: []byte("---\nid: task-1\ntitle: A\nstatus: To Do\n---\n")},
		{Path: "docs/doc-1 - Guide.md", Data: []byte("guide")}, {Path: "ideas/x.md", Data: []byte("idea")},
	})
	s, err := Open(formatOf(t, "backlog"), root, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"docs/: there is no rule for it", "ideas/: there is no rule for it"}, s.Skipped)
}

// What a run that was killed began to write does not stay.
func TestWhatAKilledRunBeganIsSwept(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, ".idumb"), older(t, "idumb"))
	litter := filepath.Join(root, ".idumb", "archive", "unmapped", "idumb-v2", "brain", layout.TempPrefix+"0123456789abcdef")
	require.NoError(t, os.MkdirAll(filepath.Dir(litter), 0o700))
	require.NoError(t, os.WriteFile(litter, []byte("half of it"), 0o600))
	migrateAll(t, root, false)
	for file := range contents(t, root) {
		assert.False(t, strings.Contains(file, layout.TempPrefix), file)
	}
}
