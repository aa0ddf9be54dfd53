package reconcilers

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
)

// What a session was told and has ended is known when the change is, and looked for only then.
func TestEndedIsAskedOnlyAfterAChange(t *testing.T) {
	s := newStage(t)
	s.file("src/limit.txt", "3")
	s.file(".idumb/mems/limit.json", `{"spec": {"content": "The limit is 3.", "evidence": [{"path": "src/limit.txt", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce"}]}}`)
	s.file(".idumb/anchors/cookies.json", `{"spec": {"content": "httpOnly cookies only"}}`)
	packs := s.startPacking()
	defer s.end()
	s.settled()
	told := func() []string { return []string{"mems/limit", "anchors/cookies", "file src/limit.txt"} }
	ended, looked := packs.ExpiredSnippets("s", told)
	assert.True(t, looked, "it never was")
	assert.Empty(t, ended)
	for range 3 {
		_, looked = packs.ExpiredSnippets("s", func() []string { t.Error("nothing changed"); return nil })
		assert.False(t, looked)
	}
	ends := func(why string) {
		t.Helper()
		require.Eventually(t, func() bool { // one change may be told of twice, before the next is seen
			ended, _ = packs.ExpiredSnippets("s", told)
			return len(ended) > 0 && why == ended[0].ID+": "+ended[0].Doubt
		}, 20*time.Second, time.Millisecond, why)
	}
	s.file("src/limit.txt", "4")
	ends("mems/limit: check it before you rely on it: src/limit.txt has changed.")
	s.file(".idumb/mems/limit2.json", `{"spec": {"content": "The limit is 4.", "supersedes": "limit"}}`)
	ends("mems/limit: mems/limit2 replaced it: The limit is 4.")
	_, looked = packs.ExpiredSnippets("another", func() []string { return nil })
	assert.True(t, looked, "each session for itself")
}

var (
	anyWork = hooks.FileWork{Words: func() string { return "" }, Room: 280}
	never   = func(hooks.Snippet) bool { return false }
)

// What is known of a file is found among many mems, as of now.
func TestAboutAFileAsOfNow(t *testing.T) {
	s := newStage(t)
	for i := range 20 {
		s.file(fmt.Sprintf(".idumb/mems/m%02d.json", i), fmt.Sprintf(`{"spec": {"content": "Fact %d.", "appliesWhen": {"paths": ["src/p%d/**"]}}}`, i, i))
	}
	packs := s.startPacking()
	defer s.end()
	s.settled()
	texts := func(list []hooks.Snippet) (ids []string) {
		for _, t := range list {
			ids = append(ids, t.ID)
		}
		return ids
	}
	assert.Equal(t, []string{"mems/m07"}, texts(packs.FileSnippets("src/p7/a.go", anyWork, never)))
	assert.Empty(t, packs.FileSnippets("src/p77/a.go", anyWork, never))
	s.file(".idumb/mems/m07.json", `{"spec": {"content": "Fact 7.", "purgedAt": "2026-01-01T00:00:00Z", "appliesWhen": {"paths": ["src/p7/**"]}}}`)
	s.file(".idumb/mems/trap.json", `{"spec": {"content": "AVOID src/p7/a.go BECAUSE x INSTEAD y", "type": "false_path"}}`)
	s.settled()
	assert.Equal(t, []string{"mems/trap"}, texts(packs.FileSnippets("src/p7/a.go", anyWork, never)))
	recalled := packs.PromptSnippets("Why do we avoid src/p7/a.go, because of x?", never)
	assert.Equal(t, []string{"mems/trap"}, texts(recalled))
	known := packs.PromptSnippets("Why do we avoid src/p7/a.go, because of x?", func(hooks.Snippet) bool { return true })
	assert.Empty(t, known)
}
