package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbered writes one line a letter; "." leaves the last line end out.
func numbered(letters string) []byte {
	letters, open := strings.CutSuffix(letters, ".")
	var b strings.Builder
	for _, r := range letters {
		b.WriteString(string(r) + "\n")
	}
	if open {
		return []byte(strings.TrimSuffix(b.String(), "\n"))
	}
	return []byte(b.String())
}

var pairs = [][2]string{
	{"", ""}, {"", "a"}, {"a", ""}, {"abc", "abc"}, {"abc", "abxc"}, {"abcabba", "cbabac"}, {"abcdefghijklmno", "abcdefgXhijklmnoY"},
	{"abc.", "abc"}, {"abc", "abc."}, {"aaaa", "aaaaaa"}, {"xaxbxcx", "axbxc"}, {"abcdefghijklmnopqrst", "bcdefghijklmnopqrs"},
}

// TestUnifiedIsWhatPatchReads lets diff's own partner apply what is printed.
func TestUnifiedIsWhatPatchReads(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("no patch program")
	}
	for _, pair := range pairs {
		a, b := numbered(pair[0]), numbered(pair[1])
		file := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(file, a, 0o600))
		printed := Unified("f", "f", a, b)
		if printed == "" {
			assert.Equal(t, a, b)
			continue
		}
		cmd := exec.Command("patch", "-s", file)
		cmd.Stdin = strings.NewReader(printed)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, printed)
		got, err := os.ReadFile(file)
		if os.IsNotExist(err) { // patch removes what is empty
			got = nil
		}
		assert.Equal(t, string(b), string(got), printed)
	}
}

func TestUndo(t *testing.T) {
	for _, tc := range []struct{ before, after, text, want string }{
		{"abc", "abXc", "abXc", "abc"},
		{"abc", "abXc", "NabXc", "Nabc"},
		{"abcd", "abXYcd", "abXYcdE", "abcdE"},
		{"abcdef", "abXdef", "aNbXde", "aNbcde"},
		{"abc", "abXc", "abXZc", "conflict"},
		{"abc", "abXc", "abc", "conflict"},
		{"", "X", "X", ""},
	} {
		got, ok := Undo(numbered(tc.before), numbered(tc.after), numbered(tc.text))
		if tc.want == "conflict" {
			assert.False(t, ok, tc)
			continue
		}
		assert.True(t, ok, tc)
		assert.Equal(t, string(numbered(tc.want)), string(got), tc)
	}
}

// FuzzUndo: undoing a change in the text that it made gives the text before.
func FuzzUndo(f *testing.F) {
	for _, pair := range pairs {
		f.Add(numbered(pair[0]), numbered(pair[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		undone, ok := Undo(a, b, b)
		require.True(t, ok)
		require.Equal(t, string(a), string(undone))
	})
}
