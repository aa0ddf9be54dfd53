package source

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

const plan = `---
status: draft
# no heading
---
# Plan for auth

What it is. See [the PRD](../prd.md#auth), [code](src/a.ts), ` + "`[not](this.md)`" + ` and [the web](https://example.com/x.md).

## Auth
Sessions, not tokens.

### Tokens
- [ ] make them
- [x] store them
  * [X] hashed
` + "```sh\n## not a heading\n- [ ] no box\n~~~\n[no](link.md)\n```" + `

## Limits ##
1. [ ] count
- [y] no box, and [ ] none

## Auth
again
`

func TestReadDocument(t *testing.T) {
	d := ReadDocument("docs/plan.md", []byte(plan))
	assert.Equal(t, "Plan for auth", d.Title)
	assert.Equal(t, []string{"docs/src/a.ts", "prd.md"}, d.Links)
	var rows []string
	for _, s := range d.Sections {
		rows = append(rows, fmt.Sprintf("%d %s %d/%d", s.Line, s.Path, s.TasksDone, s.TasksTotal))
	}
	assert.Equal(t, []string{"1 --- 0/0", "9 Auth 2/3", "12 Auth > Tokens 2/3", "23 Limits 0/1", "27 Auth (2) 0/0"}, rows)

	for name, want := range map[string]string{"auth > tokens": "Auth > Tokens", "Tokens": "Auth > Tokens", "limits": "Limits", "Plan for auth": "", "": "", "Auth (2)": "Auth (2)"} {
		path, sum, ok := d.Section(name)
		assert.True(t, ok, name)
		assert.Equal(t, want, path, name)
		assert.Len(t, sum, 64, name)
	}
	_, _, ok := d.Section("kens")
	assert.False(t, ok, "half a heading is none")
}

// What counts as a change of a section, and of the document.
func TestSumsOfSections(t *testing.T) {
	sums := func(text string) map[string]string {
		d := ReadDocument("docs/plan.md", []byte(text))
		all := map[string]string{"": d.SHA256}
		for _, s := range d.Sections {
			all[s.Path] = s.SHA256
		}
		return all
	}
	before := sums(plan)
	for _, test := range []struct{ name, old, new, changed string }{
		{"line ends", "\n", "\r\n", ""},
		{"trailing space", "tokens.\n", "tokens.  \t\n", ""},
		{"blank lines", "## Limits ##\n", "## Limits ##\n\n\n", ""},
		{"a tick", "- [ ] make", "- [x] make", ""},
		{"front matter", "draft", "final", "---"},
		{"the text before all", "What it is", "What it was", "/"},
		{"a section", "make them", "make more", "/ Auth Auth > Tokens"},
		{"code", "no box\n~~~", "one box\n~~~", "/ Auth Auth > Tokens"},
		{"the last", "again", "once more", "/ Auth (2)"},
		{"its neighbour", "Sessions,", "Cookies,", "/ Auth"},
	} {
		require.Contains(t, plan, test.old, test.name)
		after := sums(strings.ReplaceAll(plan, test.old, test.new))
		var changed []string
		for _, path := range []string{"", "---", "Auth", "Auth > Tokens", "Limits", "Auth (2)"} {
			if before[path] != after[path] {
				changed = append(changed, map[bool]string{true: "/", false: path}[path == ""])
			}
		}
		assert.Equal(t, test.changed, strings.Join(changed, " "), test.name)
	}
}

func TestARenamedHeadingIsFollowed(t *testing.T) {
	before := ReadDocument("a.md", []byte("# T\n## Auth\nx\n## Empty\n## Other\ny\n"))
	_, sum, _ := before.Section("Auth")
	now, _, ok := ReadDocument("a.md", []byte("# T\n## Login\nx\n## Empty\n## Other\ny\n")).Follow("Auth", sum)
	assert.True(t, ok)
	assert.Equal(t, "Login", now)

	_, _, ok = ReadDocument("a.md", []byte("# T\n## Login\nx\n## More\nx\n")).Follow("Auth", sum)
	assert.False(t, ok, "of two nobody knows which")
	_, _, ok = ReadDocument("a.md", []byte("# T\n## Login\nz\n## Other\ny\n")).Follow("Auth", sum)
	assert.False(t, ok, "the text went as well")
	_, empty, _ := before.Section("Empty")
	_, _, ok = ReadDocument("a.md", []byte("# T\n## Void\n## Other\ny\n")).Follow("Empty", empty)
	assert.False(t, ok, "without a text all headings are alike")
}

func TestFences(t *testing.T) {
	for text, want := range map[string]int{
		"# a\n```\n# b\n~~~\n# c\n```\n# d":          2,
		"# a\n````\n```\n# b\n```\n````\n# c":        2,
		"# a\n``` `x` \n# b":                         2,
		"# a\n~~~ `x`\n# b":                          1,
		"# a\n```\n# b\n``` not the end\n# c":        1,
		"---\n# a\n---\n# b\n":                       1,
		"---\n# a\n# b\n":                            2,
		"# a\n---\n# b\n---\n":                       2,
		"--- \n# a\n...\n# b\n~~~~\n# c\n~~~\n# d\n": 1,
	} {
		assert.Len(t, headingsOf(linesOf([]byte(text))), want, text)
	}
}

func TestWhatADocumentSaysOfItself(t *testing.T) {
	for text, want := range map[string]string{
		"# A\n\nStatus: Superseded by [b](b.md)":           "superseded",
		"# A\n* **Status**: Accepted (2026-01-02)":         "active",
		"# A\n> __status:__ draft":                         "draft",
		"---\ntitle: x\nstate: done\n---\n# A":             "completed",
		"---\nstatus: \"abandoned\"\n---":                  "abandoned",
		"# A\nstate: done":                                 "",
		"# A\nStatus: see below":                           "",
		"# A\nThe status: done.":                           "",
		strings.Repeat("\n", claimWithin) + "Status: done": "",
		"": "",
	} {
		assert.Equal(t, want, ReadDocument("a.md", []byte(text)).State, text)
	}
}

func TestHeadingsShowNothingToTerminals(t *testing.T) {
	d := ReadDocument("a.md", []byte("## a\x1b[31m > b\u202e\n##\n## "+strings.Repeat("é", 500)+"\n"))
	assert.Equal(t, "a[31m b", d.Sections[0].Path)
	assert.Equal(t, "(untitled)", d.Sections[1].Path)
	assert.Equal(t, 120, utf8.RuneCountInString(d.Sections[2].Path))
}

func TestLargeDocumentsAreRead(t *testing.T) {
	began := time.Now()
	for _, text := range []string{strings.Repeat("# a\n", 1<<18), strings.Repeat("](", 1<<19), strings.Repeat("###### a (2)\n# a\n", 1<<15), strings.Repeat("- [x] a\n", 1<<17)} {
		d := ReadDocument("a.md", []byte(text))
		assert.LessOrEqual(t, len(d.Sections), maxSections)
		assert.NotEmpty(t, d.SHA256)
	}
	assert.Less(t, time.Since(began), 10*time.Second)
	assert.Equal(t, resources.Document{Exists: true}, ReadDocument("a.md", make([]byte, maxScanned+1)))
}

func FuzzReadDocument(f *testing.F) {
	for _, seed := range []string{plan, "", "---", "---\n", "#", "# a\n# a (2)\n# a", "- [", "- [x", "1. [x]", "](", "[a](b.md", "```\n# x", "## a > b\n### c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := ReadDocument("docs/a.md", []byte(text))
		seen := map[string]bool{}
		lines, last := strings.Count(text, "\n")+1, 0
		for _, s := range d.Sections {
			require.False(t, seen[strings.ToLower(s.Path)] || s.Path == "", "%q", s.Path)
			require.True(t, s.Line > last && s.Line <= lines && s.TasksDone <= s.TasksTotal)
			seen[strings.ToLower(s.Path)], last = true, s.Line
			path, sum, ok := d.Follow(s.Path, s.SHA256)
			require.True(t, ok)
			require.NotEmpty(t, sum)
			require.Equal(t, s.Path, path)
		}
		for _, link := range d.Links {
			require.Empty(t, resources.OutsideReason(link), link)
		}
		spaced := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", " \t\r\n")
		require.Equal(t, d.SHA256, ReadDocument("docs/a.md", []byte(spaced)).SHA256)
	})
}

// BenchmarkReadDocument reads a plan of 60 KB with 300 sections.
func BenchmarkReadDocument(b *testing.B) {
	text := []byte("# Plan\n" + strings.Repeat("## Task\nSome words about [it](a.md) and more.\n- [ ] one\n- [x] two\n\n### Part\n"+strings.Repeat("a line of text\n", 6), 150))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ReadDocument("docs/plan.md", text)
	}
}
