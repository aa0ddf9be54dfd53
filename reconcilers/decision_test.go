package reconcilers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/source"
)

// decision writes a decision's file; spec are further members of its spec.
func (s *stage) decision(name, spec string) {
	s.t.Helper()
	s.file(".idumb/decisions/"+name+".json", `{"spec":{"title":"`+name+`"`+spec+`}}`)
}

// A task hangs on decisions, those on others, and on what took their place: a change of any of them
// reaches it, and settled compares all statuses with those of the files.
func TestADecisionReachesWhatHangsOnIt(t *testing.T) {
	t.Parallel()
	s := repository(t)
	s.task("build", `,"decisions":["store"]`)
	s.task("part", `,"parent":"build"`)
	s.decision("store", `,"dependsOn":["host"]`)
	s.decision("host", "")
	s.start()
	defer s.end()
	phase := func(kind, name string) string {
		var st resources.Common
		require.NoError(t, json.Unmarshal(s.manager.Client("test").Status(resources.Key{Kind: kind, Name: name}), &st))
		return st.Phase
	}
	for _, step := range []struct {
		do                string
		what              func()
		store, build, one string
	}{
		{"nothing is decided", func() {}, "unresolved", "blocked", "blocked"},
		{"it is accepted, and depends on what is not", func() { s.decision("store", `,"dependsOn":["host"],"state":"accepted"`) }, "unresolved", "blocked", "blocked"},
		{"that is accepted as well", func() { s.decision("host", `,"state":"accepted"`) }, "resolved", "planned", "planned"},
		{"a proposal takes nothing's place", func() { s.decision("cloud", `,"supersedes":"store"`) }, "resolved", "planned", "planned"},
		{"accepted, it does", func() { s.decision("cloud", `,"supersedes":"store","state":"accepted"`) }, "superseded", "planned", "planned"},
		{"its own successor waits", func() {
			s.decision("open", "")
			s.decision("edge", `,"supersedes":"cloud","state":"accepted","dependsOn":["open"]`)
		}, "superseded", "blocked", "blocked"},
		{"and holds", func() { s.decision("open", `,"state":"accepted"`) }, "superseded", "planned", "planned"},
		{"and is given up", func() { s.decision("edge", `,"supersedes":"cloud","state":"deprecated","dependsOn":["open"]`) }, "superseded", "blocked", "blocked"},
	} {
		step.what()
		s.settled()
		assert.Equal(t, step.store, phase(resources.Decisions, "store"), step.do)
		assert.Equal(t, step.build, phase(resources.Tasks, "build"), step.do)
		assert.Equal(t, step.one, phase(resources.Tasks, "part"), step.do)
	}
	assert.Contains(t, s.told(), "decision/store Superseded")
}

// An accepted decision makes its mem; one that takes another's place takes that of its mem.
func TestADecisionMakesItsMem(t *testing.T) {
	t.Parallel()
	s := repository(t)
	s.decision("store", `,"state":"accepted","because":"we know it","avoids":["sqlite"]`)
	s.decision("open", "")
	s.start()
	defer s.end()
	s.until("of what is accepted", "mem-decision-store")
	assert.Contains(t, s.text("mem-decision-store"), `store\nBecause: we know it\nAvoids: sqlite`)
	s.decision("cloud", `,"state":"accepted","supersedes":"store"`)
	s.until("of what took its place", "mem-decision-cloud", "mem-decision-store")
	assert.Contains(t, s.text("mem-decision-cloud"), `"supersedes": "mem-decision-store"`)
	s.decision("store", `,"state":"rejected"`)
	s.until("of what holds", "mem-decision-cloud")
	require.NotContains(t, s.text("mem-decision-cloud"), "supersedes")
}

// What manifests name and what documents say reaches decisions: a file that the map left, one of those that
// it saw, and the document.
func TestADecisionIsHeldAgainstWhatIsThere(t *testing.T) {
	t.Parallel()
	s := repository(t)
	stack := func(sum string) string {
		return `{"seen":true,"files":[{"path":"package.json","sha256":"` + sum + `","uses":[{"name":"moment","line":1}]}]}`
	}
	const manifest = `{"dependencies":{"moment":"2"}}`
	sum := sha256.Sum256([]byte(manifest))
	s.file("package.json", manifest)
	s.file("prd.md", "# PRD\n\n## Auth\n\nTokens.\n")
	s.file(".idumb/artifacts/prd.json", `{"spec":{"path":"prd.md"}}`)
	of := source.ReadDocument("prd.md", []byte("# PRD\n\n## Auth\n\nTokens.\n")).Sections[0]
	s.decision("dates", `,"state":"accepted","avoids":["moment"],"dependsOn":["artifacts/prd#Auth"],"against":[{"on":"artifacts/prd#Auth","section":"`+of.Path+`","sha256":"`+of.SHA256+`"}]`)
	s.start()
	defer s.end()
	holds := func() (types []string) {
		var st resources.Common
		require.NoError(t, json.Unmarshal(s.manager.Client("test").Status(decisionKey("dates")), &st))
		for _, c := range st.Conditions {
			types = append(types, c.Type)
		}
		return types
	}
	for _, step := range []struct {
		do   string
		what func()
		want []string
	}{
		{"the map was never asked", func() {}, nil},
		{"the map was asked", func() { s.file(".idumb/run/stack.json", stack(hex.EncodeToString(sum[:]))) }, []string{resources.Contradicted}},
		{"the document changes", func() { s.file("prd.md", "# PRD\n\n## Auth\n\nSessions.\n") }, []string{resources.Contradicted, resources.UpstreamStale}},
		{"the manifest changes", func() { s.file("package.json", `{}`) }, []string{resources.UpstreamStale}},
		{"the document changes back", func() { s.file("prd.md", "# PRD\n\n## Auth\n\nTokens.\n") }, nil},
		{"the manifest changes back", func() { s.file("package.json", manifest) }, []string{resources.Contradicted}},
		{"the map sees another sum", func() { s.file(".idumb/run/stack.json", stack("0")) }, nil},
	} {
		step.what()
		s.settled()
		assert.Equal(t, step.want, holds(), step.do)
	}
	assert.Contains(t, s.told(), "decision/dates Contradicted")
	assert.Contains(t, s.told(), "decision/dates UpstreamConfirmed")
}
