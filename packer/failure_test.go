package packer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// What differs from one run of a command to the next is no part of what its failure is known by.
func TestFingerprint(t *testing.T) {
	for output, want := range map[string][]string{
		"":                                  nil,
		"ok  \tpkg/a\t0.3s\n":               nil,
		"0 errors, 12 warnings":             nil,
		"no failures in 3 suites":           nil,
		"src/a.go:12:3: undefined: Token\n": {"src/a.go : undefined: Token"},
		"2026-11-24T04:00:00Z ERROR pool: connection 4711 refused after 30.5s\n":                      {"ERROR pool: connection refused after"},
		"\x1b[31mError:\x1b[0m cannot open /srv/app/db/main.sqlite (code 14)\n":                       {"Error: cannot open main.sqlite (code )"},
		"Error: x\nError: x\nError: y\n":                                                              {"Error: x", "Error: y"},
		"panic: runtime error: index out of range [5] with length 3\ngoroutine 1 [running]:\n0xc0001": {"panic: runtime error: index out of range [] with length"},
		"java.lang.NullPointerException\n":                                                            {"java.lang.NullPointerException"},
	} {
		assert.Equal(t, want, Fingerprint(output, false), output)
	}
	assert.Equal(t, []string{"make: *** [all] stopped"}, Fingerprint("cc a.c\nmake: *** [all] stopped\n\n", true), "the last line, if it failed")
	assert.Nil(t, Fingerprint("cc a.c\nall done\n", false))
	assert.Equal(t, []string{"a_test.go : wanted rows, got"}, Fingerprint("    a_test.go:61: wanted 1 rows, got 2\nok\n", true), "a place in a file, whatever it says")
	assert.Nil(t, Fingerprint("a.go:61: return 1\n", false), "it may have been looked for")
	assert.Equal(t, Fingerprint("error: lock held by 4711 since 10:00:01", true), Fingerprint("error: lock held by 12 since 23:59:00", true))
	long := strings.Repeat("x\n", 20<<10)
	assert.Equal(t, []string{"error: first", "error: last"}, Fingerprint("error: first\n"+long+"error: last\n", true))
}

func FuzzFingerprint(f *testing.F) {
	f.Add("2026-11-24 ERROR \x1b]0;x\a at /a/b/c:12", true)
	f.Fuzz(func(t *testing.T, output string, sure bool) {
		for _, l := range Fingerprint(output, sure) {
			assert.NotContains(t, l, "\n")
			assert.Equal(t, clean(l), l)
		}
	})
}

// A mem has the message of a failure in its text or in the cues by which it is to be found.
func TestQuotes(t *testing.T) {
	m := messagesIn([]string{"Error: listen EADDRINUSE: address already in use :::3000"})
	for name, test := range map[string]struct {
		spec resources.MemSpec
		want bool
	}{
		"the words":         {resources.MemSpec{Content: "The dev server: address already in use, since the old one runs on."}, true},
		"the code":          {resources.MemSpec{Title: "EADDRINUSE"}, true},
		"a cue":             {resources.MemSpec{Content: "Stop the old server.", AppliesWhen: &resources.AppliesWhen{Cues: []string{"address already in use"}}}, true},
		"a symbol":          {resources.MemSpec{Content: "Stop the old server.", AppliesWhen: &resources.AppliesWhen{Symbols: []string{"EADDRINUSE"}}}, true},
		"something else":    {resources.MemSpec{Content: "Use another port."}, false},
		"one of its words":  {resources.MemSpec{Content: "The address of the office."}, false},
		"a cue of its kind": {resources.MemSpec{Content: "x", AppliesWhen: &resources.AppliesWhen{Cues: []string{"in use"}}}, false},
	} {
		mem := resources.New[*resources.Mem](resources.Mems, "m")
		mem.Spec = test.spec
		assert.Equal(t, test.want, (&fact{mem: &Mem{Object: mem}}).quotesMessage(m), name)
	}
}
