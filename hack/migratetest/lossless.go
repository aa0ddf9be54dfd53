package migratetest

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// RequireKept checks that each file of a source is preserved, and that the results can be written
// and read.
func RequireKept(t testing.TB, files []migrate.File, out migrate.Outcome) {
	t.Helper()
	keptText(t, out)
	for _, f := range files {
		kept := slices.ContainsFunc(out.Leftovers, func(l migrate.Leftover) bool { return bytes.Equal(l.Data, f.Data) })
		require.True(t, kept, "%s is lost", f.Path)
	}
}

// RequireNothingLost checks that the result contains each string and number of a source, for
// formats with unchanged records in their objects.
func RequireNothingLost(t testing.TB, files []migrate.File, out migrate.Outcome) {
	t.Helper()
	text := keptText(t, out)
	whole := map[string]bool{} // lines, to make most lookups fast
	for line := range strings.Lines(text) {
		whole[strings.TrimSpace(line)] = true
	}
	for _, f := range files {
		v, _, err := migrate.Parse(f.Data)
		if err != nil {
			continue // unreadable: preserved as a file
		}
		leaves(v, func(leaf string) {
			for line := range strings.Lines(leaf) {
				if line = strings.TrimSpace(line); line != "" && !whole[line] && !strings.Contains(text, line) {
					t.Fatalf("%s: %q is lost", f.Path, leaf)
				}
			}
		})
	}
}

// keptText returns the strings of all objects and leftovers of a conversion as one searchable text.
func keptText(t testing.TB, out migrate.Outcome) string {
	t.Helper()
	var b strings.Builder
	note := func(text string) { b.WriteString(text + "\n") }
	for _, o := range out.Objects {
		data, err := resources.Encode(o)
		require.NoError(t, err)
		require.LessOrEqual(t, len(data), resources.MaxFileSize)
		_, _, err = resources.Read(o.Key(), data)
		require.NoError(t, err, "%s", data)
		v, damage, err := migrate.Parse(data)
		require.NoError(t, err)
		require.Empty(t, damage)
		leaves(v, note)
	}
	for _, l := range out.Leftovers {
		require.True(t, filepath.IsLocal(filepath.FromSlash(l.Path)), l.Path)
		note(string(l.Data))
		for line := range strings.Lines(string(l.Data)) {
			if v, _, err := migrate.Parse([]byte(line)); err == nil {
				leaves(v, note)
			}
		}
	}
	return b.String()
}

// leaves calls f with each string and number in a value, including those in JSON strings.
func leaves(v migrate.Value, f func(string)) {
	if v.Type == migrate.String || v.Type == migrate.Number {
		f(v.Text)
	}
	if text := strings.TrimPrefix(v.Text, "\ufeff"); v.Type == migrate.String && text != "" && strings.IndexByte("{[\"", text[0]) >= 0 {
		if inner, _, err := migrate.Parse([]byte(text)); err == nil {
			leaves(inner, f)
		}
	}
	for _, item := range v.Items {
		leaves(item, f)
	}
	for _, field := range v.Fields {
		leaves(field.Value, f)
	}
}
