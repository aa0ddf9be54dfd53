// Package migratetest contains the common tests of conversions: losslessness for any version of a
// format, golden files, and random versions of a format.
package migratetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// DataDir returns the directory of real files, which are read and never copied: $IDUMB_TEST_DATA,
// or shared/data next to the checkout. It skips the test if the directory does not exist.
func DataDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("IDUMB_TEST_DATA"); dir != "" {
		require.DirExists(t, dir, "IDUMB_TEST_DATA")
		return dir
	}
	for dir, up := filepath.Join("..", "shared", "data"), 0; up < 6; dir, up = filepath.Join("..", dir), up+1 {
		if _, err := os.Stat(filepath.Join(dir, "README.md")); err == nil {
			return dir
		}
	}
	t.Skip("the real files are not here; set IDUMB_TEST_DATA")
	return ""
}

// Tasks returns the tasks of an outcome by name.
func Tasks(out migrate.Outcome) map[string]*resources.Task {
	all := map[string]*resources.Task{}
	for _, o := range out.Objects {
		if t, ok := o.(*resources.Task); ok {
			all[t.Metadata.Name] = t
		}
	}
	return all
}

// FilesBelow reads the files below a directory that want selects.
func FilesBelow(t testing.TB, dir string, want func(path string, data []byte) bool) []migrate.File {
	t.Helper()
	var files []migrate.File
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		if rel = filepath.ToSlash(rel); err == nil && want(rel, data) {
			files = append(files, migrate.File{Path: rel, Data: data})
		}
		return err
	}))
	return files
}
