package resources

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMatchGlob(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"a.go", "a.go", true},
		{"./a.go", "a.go", true},
		{"a.go", "./a.go", true},
		{"*.go", "a.go", true},
		{"*.go", "src/a.go", false},
		{"src/*", "src/a.go", true},
		{"src/*", "src/x/a.go", false},
		{"src/?.go", "src/a.go", true},
		{"src/[ab].go", "src/a.go", true},
		{"src/[^ab].go", "src/a.go", false},
		{"**", "a", true},
		{"**", "a/b/c", true},
		{"**/*.go", "a.go", true},
		{"**/*.go", "x/y/a.go", true},
		{"src/**", "src/a/b.go", true},
		{"src/**", "src", true},
		{"src/**", "srcs/a", false},
		{"src/**/test/*.go", "src/test/a.go", true},
		{"src/**/test/*.go", "src/x/y/test/a.go", true},
		{"src/**/test/*.go", "src/x/y/test/z/a.go", false},
		{"**/a/**/b", "x/a/y/a/z/b", true},
		{"a**b", "axxb", true}, // no whole name: as two stars within one
		{"a**b", "ax/xb", false},
		{"*.{ts,tsx}", "a.tsx", true},
		{"{src,test}/**/*.{ts,go}", "test/x/a.go", true},
		{"{a,b{c,d}}", "bd", true},
		{"{a,b", "a", false},
		{"a}", "a}", true},
		{`\{a\}`, "{a}", true},
		{"[{]a", "{a", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{"[a", "a", false},
		{"", "", true},
		{"", "a", false},
	} {
		assert.Equal(t, test.want, MatchGlob(test.pattern, test.name), "%q on %q", test.pattern, test.name)
	}
}

func TestMatchesAny(t *testing.T) {
	for _, test := range []struct {
		glob, name string
		want       bool
	}{
		{"src", "src/a/b.go", true},
		{"./src", "src/a.go", true},
		{"src/", "src/a.go", true},
		{"src/a.go", "src/a.go", true},
		{"src", "srcs/a.go", false},
		{"src", "x/src/a.go", false},
		{"pkg/*/", "pkg/x/y/a.go", true},
		{"pkg/*/", "pkg/a.go", false},
		{"pkg/*", "pkg/x/a.go", false},
		{".", "a/b.go", true},
		{"", "a.go", false},
	} {
		assert.Equal(t, test.want, MatchesAny(test.name, []string{test.glob}), "%q on %q", test.glob, test.name)
	}
}

func TestCheckGlob(t *testing.T) {
	for _, good := range []string{"a", "**/*.go", "{a,b}/[x-z]?", `\[`, "}"} {
		assert.NoError(t, CheckGlob(good), good)
	}
	for bad, why := range map[string]string{
		"":                          "must not be empty",
		"src/[a":                    "needs its ']'",
		`a\`:                        "something after it",
		"{a,b":                      "needs its '}'",
		strings.Repeat("{a,b}", 20): "more than 256",
	} {
		assert.ErrorContains(t, CheckGlob(bad), why)
		assert.False(t, MatchGlob(bad, "a") && bad != "", bad)
	}
}

// Patterns come from strangers: stars must not multiply the time they take.
func TestMatchGlobIsNotExponential(t *testing.T) {
	done := make(chan bool)
	go func() {
		name := strings.Repeat("a/", 500) + "b"
		done <- MatchGlob(strings.Repeat("**/a/", 60)+"c", name) || MatchGlob(strings.Repeat("*a", 60)+"b", strings.Repeat("a", 2000))
	}()
	select {
	case matched := <-done:
		assert.False(t, matched)
	case <-time.After(30 * time.Second):
		t.Fatal("still matching after 30 s")
	}
}

// Without "**" and braces a pattern means what it means to path.Match, but that a
// class does not match a '/'.
func FuzzMatchGlob(f *testing.F) {
	for _, seed := range [][2]string{{"a/*", "a/b"}, {"[a-z]?", "ab"}, {`\*`, "*"}, {"*/*", "a/b"}, {"[^a]", "/"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		got := MatchGlob(pattern, name)
		if got && CheckGlob(pattern) != nil && pattern != "" {
			t.Fatalf("%q is malformed and matches %q", pattern, name)
		}
		plain := !strings.Contains(pattern, "**") && !strings.ContainsAny(pattern, "{}[") && !strings.Contains(pattern, `\/`) &&
			!strings.HasPrefix(pattern, "./") && !strings.HasPrefix(name, "./")
		if want, err := path.Match(pattern, name); plain && err == nil && got != want {
			t.Fatalf("%q on %q: %v; path.Match says %v", pattern, name, got, want)
		}
	})
}
