package artifacts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/source"
)

// shelf is documents with what was said of them.
type shelf struct {
	docs    map[string]string
	moved   map[string]string
	objects []resources.Object
}

func (s *shelf) view() *graph.Snapshot {
	return graph.NewSnapshot(graph.SnapshotInput{Objects: s.objects, Now: graphtest.Noon,
		SourceMoved: func(path, _, _ string) string { return s.moved[path] },
		SourceDocument: func(path string) resources.Document {
			text, ok := s.docs[path]
			if !ok {
				return resources.Document{}
			}
			return source.ReadDocument(path, []byte(text))
		}})
}

// put adopts a document under a name.
func (s *shelf) put(t *testing.T, a artifacts.Adoption) *resources.Artifact {
	t.Helper()
	adopted, err := artifacts.Adopt(a, s.view())
	require.NoError(t, err)
	s.objects = append(s.objects, graphtest.NewObject[resources.ArtifactSpec, resources.ArtifactStatus](resources.Artifacts, a.Name, adopted.Spec))
	return s.objects[len(s.objects)-1].(*resources.Artifact)
}

func newShelf(t *testing.T) (s *shelf, prd, plan *resources.Artifact) {
	s = &shelf{moved: map[string]string{}, docs: map[string]string{
		"prd.md": "# PRD\n## Auth\nopaque\n### Tokens\nx\n## Export\ncsv\n", "plan.md": "# Plan\n## Login\nform\n## Download\nbutton\n", "prd2.md": "# PRD 2\n## Auth\nsigned\n",
	}}
	prd = s.put(t, artifacts.Adoption{Path: "prd.md", Name: "prd", Type: "prd"})
	plan = s.put(t, artifacts.Adoption{Path: "plan.md", Name: "plan", DerivedFrom: []string{"Login=prd.md#auth", "download=artifact/prd#Export"}})
	return s, prd, plan
}

func TestConfirmTakesWhatIsThereNow(t *testing.T) {
	s, prd, plan := newShelf(t)
	assert.Equal(t, "Login prd#Auth, Download prd#Export", plan.Spec.DerivedFrom[0].Of+" "+plan.Spec.DerivedFrom[0].Names()+", "+plan.Spec.DerivedFrom[1].Of+" "+plan.Spec.DerivedFrom[1].Names())

	s.docs["prd.md"] = "# PRD\n## Sign-in\nopaque\n### Tokens\nx\n## Export\nxml\n" // one has another name, one another text
	next, left, err := artifacts.Confirm(plan, "Login", "ann", s.view())
	require.NoError(t, err)
	assert.Equal(t, "prd#Sign-in", next.Spec.DerivedFrom[0].Names())
	assert.Equal(t, plan.Spec.DerivedFrom[1], next.Spec.DerivedFrom[1], "only the section that was read")
	require.Len(t, left, 1)
	assert.Contains(t, artifacts.DescribeLink(left[0]), "Download stays stale: prd#Export changed")
	next, left, err = artifacts.Confirm(next, "", "ann", s.view())
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Equal(t, "ann", next.Spec.ValidatedBy)
	assert.True(t, next.Spec.ValidatedAt.Equal(graphtest.Noon))

	s.docs["docs/plan.md"], s.moved["plan.md"] = s.docs["plan.md"], "docs/plan.md"
	delete(s.docs, "plan.md")
	next, _, err = artifacts.Confirm(next, "", "ann", s.view())
	require.NoError(t, err)
	assert.Equal(t, "docs/plan.md", next.Spec.Path, "git moved it")
	delete(s.moved, "plan.md")
	_, _, err = artifacts.Confirm(plan, "", "ann", s.view())
	assert.ErrorContains(t, err, "plan.md is not there")

	s.docs["plan.md"] = "# Plan\n"
	delete(s.docs, "prd.md")
	s.docs["prd.md"] = "# PRD\n## Auth\nopaque\n"
	_, _, err = artifacts.Confirm(plan, "", "ann", s.view())
	assert.ErrorContains(t, err, "prd#Export is gone")
	prd.Spec.State = resources.ArtifactAbandoned
	_, _, err = artifacts.Confirm(plan, "", "ann", s.view())
	assert.ErrorContains(t, err, "artifact/prd was given up")
}

func TestConfirmFollowsWhatTookThePlace(t *testing.T) {
	s, prd, plan := newShelf(t)
	plan.Spec.DerivedFrom = plan.Spec.DerivedFrom[:1]
	prd.Spec.Covers = []string{"workplans/p"}
	next, err := artifacts.Supersede(prd, artifacts.Adoption{Path: "prd2.md"}, " audit ", s.view())
	require.NoError(t, err)
	assert.Equal(t, resources.ArtifactSpec{Path: "prd2.md", Type: "prd", Covers: []string{"workplans/p"}, Supersedes: "prd", SupersedeReason: "audit"}, next.Spec)
	next.Metadata.Name = "prd2"
	s.objects = append(s.objects, next)

	confirmed, _, err := artifacts.Confirm(plan, "", "ann", s.view())
	require.NoError(t, err)
	assert.Equal(t, "prd2#Auth", confirmed.Spec.DerivedFrom[0].Names())
	_, err = artifacts.Supersede(prd, artifacts.Adoption{Path: "plan.md"}, "", s.view())
	assert.ErrorContains(t, err, "artifact/prd2 supersedes it")
	for _, change := range []func() error{
		func() error { _, _, err := artifacts.Confirm(prd, "", "ann", s.view()); return err },
		func() error { _, err := artifacts.Abandon(prd, "x", s.view()); return err },
		func() error { _, err := artifacts.Complete(prd, "", s.view()); return err },
	} {
		assert.ErrorContains(t, change(), "artifact/prd2 supersedes it")
	}
	abandoned, err := artifacts.Abandon(plan, "we buy it", s.view())
	require.NoError(t, err)
	assert.Equal(t, "abandoned we buy it", abandoned.Spec.State+" "+abandoned.Spec.Reason)
	assert.WithinDuration(t, graphtest.Noon, abandoned.Spec.EndedAt.Time, time.Second)
	_, err = artifacts.Abandon(abandoned, "again", s.view())
	assert.ErrorContains(t, err, "it is abandoned already")
}

func TestAdoptRefusesWhatIsNotThere(t *testing.T) {
	s, _, _ := newShelf(t)
	for want, a := range map[string]artifacts.Adoption{
		"there is no such file":          {Path: "none.md"},
		`prd.md has no section "Nobody"`: {Path: "plan.md", DerivedFrom: []string{"prd#Nobody"}},
		`plan.md has no section "Who"`:   {Path: "plan.md", DerivedFrom: []string{"Who=prd#Auth"}},
		"not found":                      {Path: "plan.md", DerivedFrom: []string{"nobody"}},
	} {
		_, err := artifacts.Adopt(a, s.view())
		assert.ErrorContains(t, err, want)
	}
	again, err := artifacts.Adopt(artifacts.Adoption{Path: "plan.md", Covers: []string{"task/a", "task/a"}, DerivedFrom: []string{"Login=prd#Auth"}}, s.view())
	require.NoError(t, err)
	assert.Len(t, again.Spec.DerivedFrom, 2, "the link is renewed")
	assert.Equal(t, []string{"task/a"}, again.Spec.Covers)
	assert.Equal(t, "docs-prd", artifacts.Name("docs/prd.md", s.view()), "the short name is taken")
}
