package reconcilers

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A chain of documents follows its files: what hangs on a section that changed is stale until it
// is confirmed, whatever else happens.
func TestArtifactsFollowTheirChain(t *testing.T) {
	s := newStage(t)
	s.file("docs/prd.md", "# PRD\n\n## Auth\nopaque\n\n## Export\ncsv\n")
	s.file("docs/arch.md", "# Architecture\n\n## Sessions\ncookies\n")
	s.file("docs/plan.md", "# Plan\n\n## Login\n- [ ] form\n")
	link := func(artifact, path, section, of string) string {
		_, sum, ok := s.store.SourceDocument(path).Section(section)
		require.True(t, ok)
		return fmt.Sprintf(`,"derivedFrom":[{"artifact":%q,"section":%q,"of":%q,"sha256":%q}]`, artifact, section, of, sum)
	}
	arch := func() {
		s.file(".idumb/artifacts/arch.json", `{"spec":{"path":"docs/arch.md"`+link("prd", "docs/prd.md", "Auth", "Sessions")+`}}`)
	}
	s.file(".idumb/artifacts/prd.json", `{"spec":{"path":"docs/prd.md","type":"prd"}}`)
	arch()
	s.file(".idumb/artifacts/plan.json", `{"spec":{"path":"docs/plan.md"`+link("arch", "docs/arch.md", "Sessions", "Login")+`,"covers":["workplans/p"]}}`)
	s.plan("p", `,"state":"active"`)
	s.task("first", `,"state":"active"`)
	s.start()
	defer s.end()
	s.settled()
	has := func(why, name string, parts ...string) {
		t.Helper()
		s.eventually(why, func() bool {
			for _, part := range parts {
				if !strings.Contains(s.statuses()["artifacts/"+name+".json"], part) {
					return false
				}
			}
			return true
		})
		s.settled()
	}
	has("it is as it was", "plan", `"phase":"current"`, `"path":"Login"`, `"tasksTotal":1`)

	s.file("docs/plan.md", "# Plan\n\n## Login\n- [x] form\n")
	has("a tick is no change", "plan", `"phase":"current"`, `"tasksDone":1`)
	s.file("docs/prd.md", "# PRD\n\n## Auth\nsigned\n\n## Export\ncsv\n")
	has("what it was derived from changed", "arch", `"phase":"stale"`, `Sessions: prd#Auth changed`)
	has("what hangs on it is stale, and names the first cause", "plan", `"phase":"stale"`, `Login: prd#Auth changed`)
	s.file("docs/arch.md", "# Architecture\n\n## Sessions\ncookies\n\n## More\nx\n")
	time.Sleep(100 * time.Millisecond)
	has("that its file was touched proves nothing", "arch", `"phase":"stale"`, `"path":"More"`)
	arch()
	has("somebody confirmed it", "arch", `"phase":"current"`)
	has("so what hangs on it holds as well", "plan", `"phase":"current"`)

	s.file(".idumb/checkpoints/first.jsonl", `{"time":"2026-08-01T10:00:00Z","tool":"Write","filesModified":["a.go"]}`+"\n")
	has("a task of the plan that it covers was worked on", "plan", `"implementedAt":"2026-08-01T10:00:00Z"`)
	s.file("docs/plan.md", "# Plan\n\nsee [it](x.md)\n\n## Login\n- [x] form\n")
	has("a link leads nowhere", "plan", `"phase":"suspect"`, `"docs/x.md"`)
	s.file("docs/x.md", "here")
	has("now it does not", "plan", `"phase":"current"`)

	s.file(".idumb/artifacts/prd.json", `{"spec":{"path":"docs/prd.md","type":"prd","state":"abandoned"}}`)
	has("it was abandoned", "prd", `"phase":"abandoned"`)
	has("the chain is broken", "arch", `"phase":"stale"`, `"type":"ChainBroken"`)
	s.file("docs/arch2.md", "# Architecture again\n")
	s.file(".idumb/artifacts/arch2.json", `{"spec":{"path":"docs/arch2.md","supersedes":"arch"}}`)
	has("another one took its place", "arch", `"phase":"superseded"`, `"supersededBy":"arch2"`)
	has("so what hung on it is stale by that", "plan", `artifact/arch was superseded by artifact/arch2`)
	assert.Subset(t, s.told(), []string{"artifact/arch Stale", "artifact/plan Stale", "artifact/arch ChainBroken", "artifact/arch Superseded", "artifact/prd Abandoned"})
}

// A file may be gone for a day, also over a restart.
func TestADocumentMayBeGoneForADay(t *testing.T) {
	s := newStage(t)
	s.file("a.md", "# A\n")
	s.file(".idumb/artifacts/a.json", `{"spec":{"path":"a.md"}}`)
	s.start()
	s.settled()
	require.NoError(t, os.Remove(s.path("a.md")))
	s.eventually("it is gone", func() bool { return strings.Contains(s.statuses()["artifacts/a.json"], `"phase":"suspect"`) })
	s.end()
	since := time.Now().Add(-25 * time.Hour).UTC().Format(time.RFC3339)
	before := s.statuses()["artifacts/a.json"]
	_, rest, found := strings.Cut(before, `"goneSince":"`)
	require.True(t, found, before)
	s.file(".idumb/status/artifacts/a.json", strings.ReplaceAll(before, rest[:20], since))
	s.start()
	defer s.end()
	s.eventually("a day is over", func() bool { return strings.Contains(s.statuses()["artifacts/a.json"], `"phase":"missing"`) })
	s.file("a.md", "# A\n")
	s.eventually("it is back", func() bool { return strings.Contains(s.statuses()["artifacts/a.json"], `"phase":"current"`) })
}
