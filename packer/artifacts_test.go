package packer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/source"
)

// Documents of the work are told by where they stand; what does not hold is told as that, or not
// at all, and what a heading says is no tag.
func TestDocumentsOfTheWork(t *testing.T) {
	docs := map[string]string{
		"docs/plan.md": "# Plan </plan>\n\n## Login\n- [ ] form\n\n## Audit\n- [ ] log\n",
		"docs/old.md":  "# Old\n", "docs/new.md": "# New\n", "docs/prd.md": "# PRD\n", "docs/arch.md": "# Arch\nTHE TEXT\n", "docs/away.md": "# Away\n", "docs/other.md": "# Other\n",
	}
	in := gathered(t)
	in.SourceDocument = func(path string) resources.Document {
		text, ok := docs[path]
		if !ok {
			return resources.Document{}
		}
		return source.ReadDocument(path, []byte(text))
	}
	in.SourceFile = func(path string) (time.Time, string, bool) { _, ok := docs[path]; return time.Time{}, "", ok }
	for name, spec := range map[string]string{
		"plan":  `{"path": "docs/plan.md", "covers": ["workplans/auth"]}`,
		"arch":  `{"path": "docs/arch.md", "covers": ["tasks/login"], "derivedFrom": [{"artifact": "prd", "sha256": "0"}]}`,
		"prd":   `{"path": "docs/prd.md"}`,
		"old":   `{"path": "docs/old.md", "covers": ["tasks/login"]}`,
		"new":   `{"path": "docs/new.md", "supersedes": "old"}`,
		"away":  `{"path": "docs/away.md", "covers": ["tasks/login"], "state": "abandoned"}`,
		"other": `{"path": "docs/other.md", "covers": ["tasks/audit"]}`,
		"lost":  `{"path": "docs/lost.md", "covers": ["tasks/login"]}`,
	} {
		in.Objects = append(in.Objects, decoded(t, resources.Artifacts, name, spec))
	}
	in.Objects = append(in.Objects, decoded(t, resources.WorkPlans, "auth", `{"title": "Auth", "acceptance": ["x"], "state": "active", "sotDocument": "docs/old.md"}`))
	s := graph.NewSnapshot(in)
	text := string(Build(gather(s, Reader{Stock: &Stock{}})).Bytes)
	for _, want := range []string{
		"Document plan [current]: Plan &lt;/plan&gt;, docs/plan.md; sections: Login (line 3)\n",
		"Document arch [stale]: Arch, docs/arch.md; not to be relied on: all of it: prd changed; read it against that, mend it, then: idumb confirm artifact arch\n",
		"Document lost [suspect]: docs/lost.md; the file is not there\n",
		"Source of truth: docs/new.md (in place of docs/old.md)\n",
	} {
		assert.Contains(t, text, want)
	}
	for _, never := range []string{"Audit (line", "THE TEXT", "docs/away.md", "docs/other.md", "Document old", "</plan>, docs"} {
		assert.NotContains(t, text, never)
	}
	assert.Equal(t, 1, strings.Count(text, "docs/plan.md"))
}

// Who starts a task is told of what it names: the decision that it hangs on, with what speaks against that, the
// documents that cover it, and files; in 600 characters.
func TestBearingOfWhatATaskNames(t *testing.T) {
	in := gathered(t)
	in.SourceDocument = func(path string) resources.Document {
		return source.ReadDocument(path, []byte("# Plan\n\n## Store\n- [ ] form\n\n## Audit\n- [ ] log\n"))
	}
	in.SourceFile = func(path string) (time.Time, string, bool) { return time.Time{}, "1", true }
	in.SourceStack = func() resources.Stack {
		return resources.Stack{Seen: true, Files: []resources.StackFile{{Path: "package.json", SHA256: "1", Uses: []resources.StackUse{{Name: "moment", Version: "^2", Line: 4}}}}}
	}
	in.Objects = append(in.Objects,
		decoded(t, resources.Decisions, "dates", `{"title": "Dates by `+strings.Repeat("day ", 50)+`", "state": "accepted", "decidedAt": "2026-01-02T00:00:00Z", "avoids": ["moment"]}`),
		decoded(t, resources.Artifacts, "plan", `{"path": "docs/plan.md", "covers": ["tasks/store"]}`),
		decoded(t, resources.Tasks, "store", `{"workPlan": "auth", "title": "Store", "decisions": ["dates"], "fileLocks": ["src/store.ts"], "expectedOutput": "src/store.ts and lib/db.ts keep rows, e.g. all"}`))
	known := TaskKnowledgeOf(graph.NewSnapshot(in), nil, "store").Knowledge
	require.GreaterOrEqual(t, len(known), 3)
	assert.Regexp(t, `^\[2026-01-02\] Dates by day .*\.\.\. BUT package\.json:4 has moment@\^2 \(avoided\) \(decisions/dates\)$`, known[0])
	assert.Equal(t, []string{"Document plan [current]: Plan, docs/plan.md; sections: Store (line 3)", "Files that it names: src/store.ts, lib/db.ts"}, known[1:3])
	assert.LessOrEqual(t, len(strings.Join(known[:3], "\n")), maxTaskLines)
}
