package status_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// A decision is held against what the map saw, as long as the file is as it saw it.
func TestContradicted(t *testing.T) {
	files := map[string]string{"package.json": "1", "api/package.json": "2", "compose.yml": "3"}
	stack := resources.Stack{Seen: true, Files: []resources.StackFile{
		{Path: "api/package.json", SHA256: "2", Uses: []resources.StackUse{{Name: "next", Version: "^14.1", Line: 7}}},
		{Path: "compose.yml", SHA256: "3", Uses: []resources.StackUse{{Name: "postgresql", Version: "17", Line: 4}}},
		{Path: "package.json", SHA256: "1", Uses: []resources.StackUse{{Name: "moment", Version: "^2.29", Line: 3}, {Name: "bad\x1b[31mname", Line: 9}}},
	}}
	edited := resources.Stack{Seen: true, Files: []resources.StackFile{{Path: "package.json", SHA256: "0", Uses: stack.Files[2].Uses}}}
	partial := stack
	partial.Partial = true
	for _, test := range []struct {
		name  string
		spec  resources.DecisionSpec
		stack resources.Stack
		want  string // how the message begins; "" for no condition
	}{
		{"what it avoids is there", resources.DecisionSpec{Avoids: []string{"moment"}}, stack, "package.json:3 has moment@^2.29 (avoided); mend that"},
		{"the map was never asked", resources.DecisionSpec{Avoids: []string{"moment"}, Uses: []string{"redis"}}, resources.Stack{}, ""},
		{"the file changed since", resources.DecisionSpec{Avoids: []string{"moment"}}, edited, ""},
		{"in a version that it does not mean", resources.DecisionSpec{Avoids: []string{"moment@<2"}}, stack, ""},
		{"elsewhere than where it holds", resources.DecisionSpec{Avoids: []string{"moment"}, Paths: []string{"api/**"}}, stack, ""},
		{"another version than it uses", resources.DecisionSpec{Uses: []string{"next@>=16"}}, stack, "api/package.json:7 has next@^14.1 (not next@>=16); mend that"},
		{"what it uses is there", resources.DecisionSpec{Uses: []string{"postgresql", "next"}}, stack, ""},
		{"what it uses is not there", resources.DecisionSpec{Uses: []string{"redis", "next"}}, stack, "it uses redis, which the map does not show; bring it in"},
		{"that may be where nobody looked", resources.DecisionSpec{Uses: []string{"redis"}}, partial, ""},
		{"or came in since", resources.DecisionSpec{Uses: []string{"redis"}}, edited, ""},
		{"no manifest stands where it holds", resources.DecisionSpec{Uses: []string{"redis"}, Paths: []string{"docs/**"}}, stack, ""},
		{"a name is shown, not obeyed", resources.DecisionSpec{Avoids: []string{"bad\x1b[31mname"}}, stack, "package.json:9 has bad[31mname (avoided); mend that"},
		{"one that is proposed", resources.DecisionSpec{Avoids: []string{"moment"}, State: resources.DecisionProposed}, stack, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.spec.State = cmp.Or(test.spec.State, resources.DecisionAccepted)
			d := graphtest.Decision("d", test.spec)
			st, _ := memory.DeriveDecision(d, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{d}, SourceStack: func() resources.Stack { return test.stack },
				SourceFile: func(path string) (time.Time, string, bool) {
					sum, ok := files[path]
					return time.Time{}, sum, ok
				}}))
			c := resources.FindCondition(st.Conditions, resources.Contradicted)
			if test.want == "" {
				assert.Nil(t, c)
				return
			}
			require.NotNil(t, c)
			assert.Equal(t, test.want+", or replace the decision: idumb supersede decision d --by ANOTHER", c.Message)
		})
	}
}

// A section is compared with what it was when the decision was made; one of which nobody knows that is
// noticed when it is gone.
func TestUpstreamStale(t *testing.T) {
	document := func(auth string) func(string) resources.Document {
		return func(string) resources.Document {
			return resources.Document{Exists: true, Title: "PRD", SHA256: "whole" + auth, Sections: []resources.DocumentSection{{Path: "Scope > Auth", SHA256: auth}, {Path: "Scope > Mail", SHA256: "m"}}}
		}
	}
	prd := graphtest.NewObject[resources.ArtifactSpec, resources.ArtifactStatus](resources.Artifacts, "prd", resources.ArtifactSpec{Path: "prd.md"})
	d := decision("d", accepted, after("artifacts/prd#Auth", "host"))
	at := func(auth string, objects ...resources.Object) *graph.Snapshot {
		return graph.NewSnapshot(graph.SnapshotInput{Objects: append(objects, decision("host", accepted)), SourceDocument: document(auth),
			SourceFile: func(string) (time.Time, string, bool) { return time.Time{}, "", true }})
	}
	stale := func(s *graph.Snapshot) string {
		st, _ := memory.DeriveDecision(d, s)
		assert.Equal(t, resources.DecisionResolved, st.Phase, "it goes on to hold")
		if c := resources.FindCondition(st.Conditions, resources.UpstreamStale); c != nil {
			return c.Message
		}
		return ""
	}
	assert.Empty(t, stale(at("1", d, prd)), "nobody knows what it was")
	d.Spec.Against = status.Against(d, at("1", prd))
	assert.Equal(t, []resources.DecisionAgainst{{On: "artifacts/prd#Auth", Section: "Scope > Auth", SHA256: "1"}}, d.Spec.Against)
	assert.Empty(t, stale(at("1", d, prd)))
	assert.Equal(t, "since it was decided, prd#Scope > Auth changed; review the change, then accept the decision again: idumb decide accept d, or replace it: idumb supersede decision d --by ANOTHER", stale(at("2", d, prd)))
	given := graphtest.NewObject[resources.ArtifactSpec, resources.ArtifactStatus](resources.Artifacts, "prd", resources.ArtifactSpec{Path: "prd.md", State: resources.ArtifactAbandoned})
	assert.Contains(t, stale(at("1", d, given)), "since it was decided, artifact/prd was abandoned; ")
	assert.Empty(t, stale(at("1", d)), "that it is gone is told as an orphan")
}
