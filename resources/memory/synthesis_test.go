package memory_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

func TestFindings(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"one among others", "I ran the tests. I found that TTL is 30 days. All is well.", []string{"I found that TTL is 30 days."}},
		{"reasons", "- It fails **because** the port is taken\n- wrote src/a.go\n2. Root cause: the cache is never cleared.", []string{"It fails because the port is taken", "2. Root cause: the cache is never cleared."}},
		{"the same twice", "I found that TTL is 30 days.\nIt turned out that the TTL is 30 days!", []string{"I found that TTL is 30 days."}},
		{"the other way round", "A depends on B here. B depends on A here.", []string{"A depends on B here.", "B depends on A here."}},
		{"what is to be done", "Let me look because it failed. I will fix it because it is broken. Should I stop because of it?", nil},
		{"code", "```\n// found that x is y z\n```\nDone.", nil},
		{"what was done", "Implemented the form. All 12 tests pass. Wrote src/a.go, src/b.go.", nil},
		{"too little", "Because of it. Found that.", nil},
		{"a secret", "It does not work with --token hunter2 in front.", []string{"It does not work with --token *** in front."}},
		{"a mark that ends nothing", "It must be set in e.g. config.json before start.", []string{"It must be set in e.g. config.json before start."}},
		{"characters that turn lines around", "The reason\u202e is\u0007 simple enough.", []string{"The reason is simple enough."}},
		{"a wall", "It must " + strings.Repeat("be long ", 60), nil},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, memory.Findings(test.text)) })
	}
	many := ""
	for i := range 40 {
		many += fmt.Sprintf("Number %d must not be used.\n", i)
	}
	assert.Len(t, memory.Findings(many), 12)
}

func FuzzFindings(f *testing.F) {
	f.Add("I found that TTL is 30 days. Root cause: x.\n```\ncode\n")
	f.Add("e.g. 1. . .. because\u00a0\xff")
	f.Fuzz(func(t *testing.T, text string) {
		found := memory.Findings(text)
		require.LessOrEqual(t, len(found), 12)
		for _, one := range found {
			require.NotContains(t, one, "\n")
			require.NotContains(t, one, "\x1b")
		}
	})
}

func nothingKnown(string) bool { return false }

// said is an export with such last words.
func said(record, task string, hour int, words string) *memory.Export {
	return &memory.Export{Record: record, Task: task, ExportedAt: resources.NewTime(graphtest.Noon.Add(time.Duration(hour) * time.Hour)), LastMessage: words, Files: []string{"x.go"}, Commands: []memory.ExportCommand{{Line: "go test"}}}
}

func TestWhatSessionsFoundBecomesOneMem(t *testing.T) {
	var exports []*memory.Export
	var names []string
	for i, words := range []string{"Done. I found that TTL is 30 days.", "It turned out that the TTL is 30 days.", "All tests pass.", "We found that TTL is 30 days. The form must not be cached."} {
		exports, names = append(exports, said(fmt.Sprint("s", i), "a", i, words)), append(names, fmt.Sprintf("s%d-1.json", i))
	}
	m := memory.Synthesize(exports, names, nothingKnown)
	require.NotNil(t, m)
	assert.Equal(t, "- I found that TTL is 30 days. (3 sessions)\n- The form must not be cached. (1 session)", m.Spec.Content)
	assert.Equal(t, "I found that TTL is 30 days.", m.Spec.Title)
	assert.Equal(t, []resources.MemEvidence{{Note: "stated in the export s0-1.json"}, {Note: "stated in the export s1-1.json"}, {Note: "stated in the export s3-1.json"}}, m.Spec.Evidence, "who said nothing is no source")
	assert.Equal(t, "a", m.Spec.OriginTask)
	assert.Equal(t, 30, *m.Spec.Confidence, "as sure as of what one alone said")
	assert.Equal(t, exports[3].ExportedAt, m.Metadata.CreationTimestamp)
	assert.True(t, memory.Unsaved(m))
	assert.False(t, memory.ListsOnly(m))
	assert.True(t, memory.IsSynthesisName(m.Metadata.Name))
	assert.Empty(t, resources.Validate(m))
	assert.True(t, memory.TellsFinding(m, "It turned out that TTL is 30 days"))
	assert.False(t, memory.TellsFinding(m, "I found that TTL is 60 days"))
	for range 20 { // the same, whatever the order
		rand.Shuffle(len(exports), func(i, j int) {
			exports[i], exports[j] = exports[j], exports[i]
			names[i], names[j] = names[j], names[i]
		})
		require.Equal(t, m, memory.Synthesize(exports, names, nothingKnown))
	}
	left := memory.Synthesize(exports, names, func(finding string) bool { return strings.Contains(finding, "TTL") })
	assert.Equal(t, "The form must not be cached.", left.Spec.Content, "what is known already is not said again")
}

// Lists of files and commands are no knowledge.
func TestNoMemIsMadeOfWhatWasDone(t *testing.T) {
	assert.Nil(t, memory.Synthesize([]*memory.Export{said("s", "a", 0, "Done. All tests pass."), said("t", "a", 1, "")}, []string{"1", "2"}, nothingKnown))
	old := &resources.Mem{Spec: resources.MemSpec{Title: "What 4 sessions did", Source: memory.SourceExports, Content: "Files written: x.go."}}
	assert.True(t, memory.ListsOnly(old))
	old.Spec.Confirmations = []resources.MemConfirmation{{By: "ann"}}
	assert.False(t, memory.ListsOnly(old), "somebody keeps it")
}

// What the agent found in an earlier turn counts as what it said last.
func TestFindingsOfEarlierTurnsCount(t *testing.T) {
	e := said("s", "", 0, "All done.")
	e.Findings = []string{"Decision: we chose SQLite because it is one file."}
	m := memory.Synthesize([]*memory.Export{e}, []string{"1"}, nothingKnown)
	require.NotNil(t, m)
	assert.Equal(t, e.Findings[0], m.Spec.Content)
}
