package packer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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
		"Document arch [stale]: Arch, docs/arch.md; not to be relied on: all of it: prd changed; read it against that, mend it, then: idumb artifact confirm arch\n",
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
