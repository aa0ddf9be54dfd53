package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/tokens"
)

func TestOwnDeliveryIsWhole(t *testing.T) {
	p, err := readProject("own", filepath.Join("testdata", "delivery.jsonl"))
	require.NoError(t, err)
	turns, needed, tasks := 0, 0, 0
	for _, e := range p.sessions[0].exchanges {
		tasks += count(e.Start != "")
	}
	for _, c := range p.sessions {
		for _, e := range c.exchanges {
			turns, needed = turns+1, needed+len(e.Needed)
		}
	}
	assert.Equal(t, 30, turns)
	assert.Equal(t, []int{22, 3}, []int{len(p.sessions[0].exchanges), tasks}, "what the goal for characters is about")
	assert.Equal(t, 34, needed)
	assert.Len(t, p.mems, 61)
	beginnings := map[string]string{}
	for id, mark := range p.marks() {
		assert.Empty(t, beginnings[mark[0]], "%s begins as another one does", id)
		beginnings[mark[0]] = id
	}
}

func TestAKeyNamesWhatThereIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	for text, wrong := range map[string]string{
		`{"turn": {"prompt": "go", "needed": ["x"]}}`: `names the mem "x"`,
		`{"turn": {"prompt": "go", "start": "t"}}`:    `starts the task "t"`,
		`{"turn": 1}`: "is no line of a project",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := readProject("a", file)
		assert.ErrorContains(t, err, wrong)
	}
}

// TestWhatCountsAsGiven holds each figure to a session that is told by hand.
func TestWhatCountsAsGiven(t *testing.T) {
	p := &project{mems: []learnt{
		{mem: mem{ID: "start", Title: "Known", Content: "The pool is restarted on each Sunday night."}},
		{mem: mem{ID: "prompt", Content: "Prices aren't <cached> for anybody who is logged in."}},
		{mem: mem{ID: "late", Title: "A lock", Content: "Lock the booking before the sailing, always."}},
		{mem: mem{ID: "never", Title: "Left out", Content: "Whatever nobody said in this session at all."}},
		{mem: mem{ID: "noise", Content: "AVOID tabs in the feed BECAUSE it breaks INSTEAD blanks"}, Type: "false_path"},
	}}
	s := &telling{since: map[string]moment{}, turn: map[string]moment{}}
	marks := p.marks()
	s.hear(marks, atStart, "- Known: The pool is\n  restarted on each Sunday night.\n- never do: tabs in the feed BECAUSE it breaks\nleft_out: 3: Left out; A lock")
	s.hear(marks, atPrompt, "- Prices aren&apos;t &lt;cached&gt; for anybody who pays (mems/prompt)")
	s.hear(marks, atEdit, "- A lock (see it whole: mems/late)")
	d := &delivered{first: map[moment]int{}, tokensBy: map[moment]int{}}
	e := exchange{Needed: []string{"start", "prompt", "late", "never"}}
	d.turnEnded(s, e)
	assert.Equal(t, []int{4, 2, 2, 3}, []int{d.needed, d.byPrompt, d.byEdit, d.byEnd})
	assert.Equal(t, map[moment]int{atStart: 1, atPrompt: 1, atEdit: 1}, d.first)
	d.turnEnded(s, exchange{Needed: []string{"late"}})
	assert.Equal(t, []int{5, 3, 3, 4}, []int{d.needed, d.byPrompt, d.byEdit, d.byEnd}, "a later turn has it from its beginning")
	d.sessionEnded(s, conversation{exchanges: []exchange{e}})
	assert.Equal(t, []int{4, 1}, []int{d.given, d.noise})
	assert.Len(t, s.texts, 3)
	assert.Equal(t, d.tokens/3, d.perNeeded(), "three were delivered before the edit")
	sum := 0
	for _, text := range s.texts {
		sum += tokens.Estimate(text.text)
	}
	assert.Equal(t, sum, d.tokens)
}

func TestLinesThatDeclare(t *testing.T) {
	for line, want := range map[string]string{
		"func Limit() int {": "Limit", "func (s *Server[T]) Limit(n int) {": "Server.Limit", "type Key struct {": "Key", "var all = 3": "all", "\tvar inner = 3": "",
		"export async function find(a: string) {": "find", "export class Cache<T> extends Map {": "Cache", "  private async load(key: string): Promise<void> {": "load",
		"  if (a) {": "", "  it('works', () => {": "", "  return find(a);": "", "const x = 1;": "x", "// func Limit() {": "",
	} {
		assert.Equal(t, want, declares(line), line)
	}
}

// gitHistory makes a repository of commits: message, file and text.
func gitHistory(t *testing.T, commits ...[3]string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	run("init", "-q")
	for _, c := range commits {
		require.NoError(t, os.WriteFile(filepath.Join(dir, c[1]), []byte(c[2]), 0o600))
		run("add", ".")
		run("commit", "-q", "-m", c[0])
	}
	return dir
}

// TestTheKeyOfAHistory makes a repository in which it is plain what bears on what.
func TestTheKeyOfAHistory(t *testing.T) {
	file := func(limit, other, rest int) string {
		return fmt.Sprintf("package a\n\nfunc Limit() int {\n\treturn %d\n}\n\nfunc Other() int {\n\treturn %d\n}\n\n// Rest is %d.\nfunc Rest() int {\n\treturn %d\n}\n", limit, other, rest, rest)
	}
	lone := "package a\n\nfunc Alone() int {\n\treturn 1\n}\n"
	const why = "\n\nThe limit was wrong by one for whoever asked twice: \"limit exceeded at 3\". It counts from zero now, as all others do.\n\nFixes #12\nChange-Id: I123\n"
	commits := [][3]string{
		{"a: begin", "a.go", file(1, 1, 1)}, {"b: begin", "b.go", lone},
		{"a: fix the limit" + why, "a.go", file(2, 1, 1)},
		{"a: fix the rest" + strings.ReplaceAll(why, "#12", "#13"), "a.go", file(2, 1, 2)},
		{"a: raise the limit\n\nUsers need to fix more of it, see https://example.org/x#12 for when.", "a.go", file(3, 1, 2)},
		{"b: lone change for #13", "b.go", strings.ReplaceAll(lone, "1", "2")},
	}
	for i := range 8 {
		commits = append(commits, [3]string{fmt.Sprintf("a: other %d", i), "a.go", file(3, 2+i, 2)})
	}
	projects, err := historyProjects(gitHistory(t, commits...), 10)
	require.NoError(t, err)
	require.Len(t, projects, 1)
	p := projects[0]
	require.Len(t, p.mems, 2)
	limit, rest := p.mems[0], p.mems[1]
	assert.Equal(t, "fix the limit", limit.Title)
	assert.Equal(t, `The limit was wrong by one for whoever asked twice: "limit exceeded at 3". It counts from zero now, as all others do.`, limit.Content)
	assert.Equal(t, []string{"Limit"}, limit.Symbols)
	assert.Equal(t, []string{"limit exceeded at 3"}, limit.Cues)
	assert.Equal(t, []string{"a.go#Limit"}, limit.Paths)
	raise, alone, other := p.sessions[0].exchanges[0], p.sessions[0].exchanges[1], p.sessions[0].exchanges[2]
	assert.Equal(t, "Next: Users need to repair more of it, see for once.", raise.Prompt)
	assert.Equal(t, []string{string(limit.ID)}, raise.Needed)
	assert.Equal(t, []string{string(rest.ID)}, alone.Needed, "of the same issue")
	assert.Empty(t, other.Needed)
	assert.ElementsMatch(t, []string{string(limit.ID), string(rest.ID)}, other.Acceptable, "of the same file")
	assert.Equal(t, "raise the limit", p.tasks[0].Title)
}
