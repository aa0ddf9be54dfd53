package migratetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Snapshot formats the full result of a conversion.
func Snapshot(t testing.TB, out migrate.Outcome) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, out.Report.Print(&b))
	for _, o := range out.Objects {
		data, err := resources.Encode(o)
		require.NoError(t, err)
		fmt.Fprintf(&b, "\n-- %s\n%s", o.Key(), data)
	}
	for _, l := range out.Logs {
		fmt.Fprintf(&b, "\n-- checkpoints/%s\n%s %s %s %v\n", l.Task, l.Checkpoint.Time.Format("2006-01-02T15:04:05Z"), l.Checkpoint.Tool, l.Checkpoint.Summary, l.Checkpoint.FilesModified)
	}
	for _, l := range out.Leftovers {
		fmt.Fprintf(&b, "\n-- archive/unmapped/%s\n", l.Path) // the name contains a digest of the content
	}
	return b.Bytes()
}

// Digests lists the objects and files of a result, each with a digest. It pins the results for real
// files without a copy of users' texts.
func Digests(t testing.TB, out migrate.Outcome) []byte {
	t.Helper()
	var b bytes.Buffer
	digest := func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:8])
	}
	for _, o := range out.Objects {
		data, err := resources.Encode(o)
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s %s\n", digest(data), o.Key())
	}
	for _, l := range out.Leftovers {
		fmt.Fprintf(&b, "%s archive/unmapped, %d bytes\n", digest(append([]byte(l.Path+"\x00"), l.Data...)), len(l.Data))
	}
	fmt.Fprintf(&b, "%d problems, %d lines of logs\n", len(out.Report.Problems), len(out.Logs))
	return b.Bytes()
}

// Golden compares a result with a file of testdata, or writes the file with -update.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run go test -update")
	require.Equal(t, string(want), string(got))
}
