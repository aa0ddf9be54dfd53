package migratetest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// keptText is everything that came out of a conversion, as one text to look things up in: the strings of objects,
// logs and leftovers as they were, and the report.
func keptText(t testing.TB, out migrate.Outcome) string {
	t.Helper()
	var b strings.Builder
	for _, o := range out.Objects {
		data, err := resources.Encode(o)
		require.NoError(t, err)
		require.LessOrEqual(t, len(data), resources.MaxFileSize)
		_, _, err = resources.Read(o.Key(), data)
		require.NoError(t, err, "%s", data)
		v, damage, err := migrate.Parse(data)
		require.NoError(t, err)
		require.Empty(t, damage)
		leaves(v, func(text string) { b.WriteString(text + "\n") })
	}
	for _, l := range out.Logs {
		fmt.Fprintln(&b, l.Checkpoint.Tool, l.Checkpoint.Summary, l.Checkpoint.Agent, l.Checkpoint.Session, l.Checkpoint.Command, strings.Join(l.Checkpoint.FilesModified, "\n"))
	}
	for _, l := range out.Leftovers {
		require.True(t, filepath.IsLocal(filepath.FromSlash(l.Path)), l.Path)
		b.Write(l.Data)
		if v, _, err := migrate.Parse(l.Data); err == nil {
			leaves(v, func(text string) { b.WriteString(text + "\n") })
		}
		for line := range strings.Lines(string(l.Data)) {
			if v, _, err := migrate.Parse([]byte(line)); err == nil {
				leaves(v, func(text string) { b.WriteString(text + "\n") })
			}
		}
	}
	b.WriteString(out.Report.Read)
	return strings.ToLower(b.String())
}

// leaves calls f with each string and number in a value; strings that hold JSON are looked into.
func leaves(v migrate.Value, f func(string)) {
	switch v.Type {
	case migrate.String:
		f(v.Text)
		if text := strings.TrimPrefix(v.Text, "\ufeff"); text != "" && strings.IndexByte("{[\"", text[0]) >= 0 {
			if inner, _, err := migrate.Parse([]byte(text)); err == nil {
				leaves(inner, f)
			}
		}
	case migrate.Number:
		f(v.Text)
	}
	for _, item := range v.Items {
		leaves(item, f)
	}
	for _, field := range v.Fields {
		leaves(field.Value, f)
		if strings.Contains(field.Name, ".idumb.dev/") {
			_, name, _ := strings.Cut(field.Name, "/")
			f(name)
		}
	}
}

// RequireNothingLost checks that each string and number of the source is in what came out of it. Instants and words for states
// that objects write in a form of their own are there in that form, or as an annotation.
func RequireNothingLost(t testing.TB, files []migrate.File, out migrate.Outcome) {
	t.Helper()
	text := keptText(t, out)
	whole := map[string]bool{} // lines, so that most look-ups cost nothing
	for line := range strings.Lines(text) {
		whole[strings.TrimSpace(line)] = true
	}
	for _, f := range files {
		if slices.ContainsFunc(out.Leftovers, func(l migrate.Leftover) bool { return bytes.Equal(l.Data, f.Data) }) {
			continue // it is kept whole
		}
		v, _, err := migrate.Parse(f.Data)
		if err != nil {
			continue // a log, or nothing that can be read: it is kept as it is
		}
		leaves(v, func(leaf string) {
			for line := range strings.Lines(leaf) {
				line = strings.ToLower(strings.TrimSpace(line))
				if line != "" && !whole[line] && !strings.Contains(text, line) && !strings.Contains(text, strings.Trim(line, ", ")) && !inPieces(text, line) && !inHours(text, line) {
					t.Fatalf("%s: %q is lost", f.Path, leaf)
				}
			}
		})
	}
}

// inPieces: a text that stood for a list was split at its commas.
func inPieces(text, line string) bool {
	for piece := range strings.SplitSeq(line, ",") {
		if !strings.Contains(text, strings.TrimSpace(piece)) {
			return false
		}
	}
	return strings.Contains(line, ",")
}

// inHours: milliseconds are there as a duration.
func inHours(text, line string) bool {
	ttl, err := time.ParseDuration(line + "ms")
	return err == nil && ttl%time.Hour == 0 && strings.Contains(text, fmt.Sprintf("%dh", ttl/time.Hour))
}

// words are the parts of a text that mean something.
var words = regexp.MustCompile(`[\p{L}\p{N}]{3,}`)

// RequireWordsKept is RequireNothingLost for files that are no JSON: each word of each of their lines is in what came out. skip says
// which lines need not be there.
func RequireWordsKept(t testing.TB, files []migrate.File, out migrate.Outcome, skip func(line string) bool) {
	t.Helper()
	text := keptText(t, out)
	have := map[string]bool{}
	for _, word := range words.FindAllString(text, -1) {
		have[word] = true
	}
	for _, f := range files {
		for line := range strings.Lines(strings.ToValidUTF8(string(f.Data), "\ufffd")) {
			if skip(strings.TrimSpace(line)) {
				continue
			}
			for _, word := range words.FindAllString(strings.ToLower(line), -1) {
				if !have[word] && !strings.Contains(text, word) {
					t.Fatalf("%s: %q of %q is lost", f.Path, word, line)
				}
			}
		}
	}
}
