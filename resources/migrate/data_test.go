package migrate

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// dataDir is the folder of real files, which are read and never copied: $IDUMB_TEST_DATA, or shared/data beside the
// checkout. Tests that want it are skipped where there is none.
func dataDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("IDUMB_TEST_DATA"); dir != "" {
		return dir
	}
	dir := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the real files are not here; set IDUMB_TEST_DATA")
	}
	return dir
}

// filesBelow reads the files below a folder that want wants.
func filesBelow(t testing.TB, dir string, want func(path string, data []byte) bool) []File {
	t.Helper()
	var files []File
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		if rel = filepath.ToSlash(rel); err == nil && want(rel, data) {
			files = append(files, File{rel, data})
		}
		return err
	}))
	return files
}
