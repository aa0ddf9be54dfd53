package status_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/source"
	"github.com/idumb-dev/idumb/resources/status"
)

func artifact(name string, spec resources.ArtifactSpec) *resources.Artifact {
	return graphtest.NewObject[resources.ArtifactSpec, resources.ArtifactStatus](resources.Artifacts, name, spec)
}

// desk is artifacts with their documents.
type desk struct {
	objects []resources.Object
	docs    map[string]string
	gone    map[string]time.Time
	now     time.Time
}

func (d *desk) document(path string) resources.Document {
	text, ok := d.docs[path]
	if !ok {
		return resources.Document{GoneSince: d.gone[path]}
	}
	return source.ReadDocument(path, []byte(text))
}

func (d *desk) snapshot() *graph.Snapshot {
	return graph.NewSnapshot(graph.SnapshotInput{Objects: d.objects, Now: d.now, SourceDocument: d.document,
		SourceFile: func(path string) (time.Time, string, bool) { _, ok := d.docs[path]; return time.Time{}, "", ok }})
}

func (d *desk) status(name string) *resources.ArtifactStatus {
	return d.snapshot().Derived(resources.Key{Kind: resources.Artifacts, Name: name}).(*resources.ArtifactStatus)
}

// sumOf is the sum that a section has now.
func (d *desk) sumOf(path, section string) string {
	_, sum, _ := d.document(path).Section(section)
	return sum
}

// chained is requirements -> architecture -> plan, confirmed as they are.
func chained() *desk {
	d := &desk{now: graphtest.Noon, gone: map[string]time.Time{}, docs: map[string]string{
		"prd.md":  "# PRD\n## Auth\nusers log in\n### Tokens\nopaque\n## Export\nas csv\n",
		"arch.md": "# Architecture\n## Sessions\ncookies\n## Files\nstreamed\n",
		"plan.md": "# Plan\n## Login\n- [ ] form\n## Download\n- [ ] button\n",
	}}
	d.objects = []resources.Object{
		artifact("prd", resources.ArtifactSpec{Path: "prd.md", Type: "prd"}),
		artifact("arch", resources.ArtifactSpec{Path: "arch.md", DerivedFrom: []resources.ArtifactDerived{
			{Artifact: "prd", Section: "Auth", Of: "Sessions", SHA256: d.sumOf("prd.md", "Auth")},
			{Artifact: "prd", Section: "Export", Of: "Files", SHA256: d.sumOf("prd.md", "Export")}}}),
		artifact("plan", resources.ArtifactSpec{Path: "plan.md", DerivedFrom: []resources.ArtifactDerived{
			{Artifact: "arch", Section: "Sessions", Of: "Login", SHA256: d.sumOf("arch.md", "Sessions")},
			{Artifact: "arch", Section: "Files", Of: "Download", SHA256: d.sumOf("arch.md", "Files")}}}),
	}
	return d
}

func (d *desk) at(name string) *resources.Artifact {
	for _, o := range d.objects {
		if o.Key().Name == name {
			return o.(*resources.Artifact)
		}
	}
	return nil
}

func TestArtifactsAreStaleByPosition(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(d *desk)
		arch   string
		plan   string
	}{
		{"as it was", func(*desk) {}, "current", "current"},
		{"a tick", func(d *desk) { d.docs["plan.md"] = strings.Replace(d.docs["plan.md"], "[ ]", "[x]", 1) }, "current", "current"},
		{"the first in the chain", func(d *desk) { d.docs["prd.md"] = strings.Replace(d.docs["prd.md"], "opaque", "signed", 1) },
			"stale: Sessions: prd#Auth changed", "stale: Login: prd#Auth changed"},
		{"both: the first is named", func(d *desk) {
			d.docs["prd.md"] = strings.Replace(d.docs["prd.md"], "opaque", "signed", 1)
			d.docs["arch.md"] = strings.Replace(d.docs["arch.md"], "cookies", "tokens", 1)
		}, "stale: Sessions: prd#Auth changed", "stale: Login: prd#Auth changed"},
		{"one in between", func(d *desk) { d.docs["arch.md"] = strings.Replace(d.docs["arch.md"], "streamed", "whole", 1) },
			"current", "stale: Download: arch#Files changed"},
		{"a heading gets another name", func(d *desk) { d.docs["prd.md"] = strings.Replace(d.docs["prd.md"], "## Auth", "## Login", 1) }, "current", "current"},
		{"a section goes", func(d *desk) { d.docs["prd.md"] = "# PRD\n## Export\nas csv\n" },
			"stale: Sessions: prd#Auth is gone", "stale: Login: prd#Auth is gone"},
		{"abandoned", func(d *desk) { d.at("prd").Spec.State = resources.ArtifactAbandoned },
			"stale: Sessions: artifact/prd was abandoned|Files: artifact/prd was abandoned", "stale: Login: artifact/prd was abandoned|Download: artifact/prd was abandoned"},
		{"superseded", func(d *desk) {
			d.objects = append(d.objects, artifact("arch2", resources.ArtifactSpec{Path: "arch2.md", Supersedes: "arch"}))
		}, "superseded by arch2", "stale: Login: artifact/arch was superseded by artifact/arch2|Download: artifact/arch was superseded by artifact/arch2"},
		{"completed", func(d *desk) { d.at("prd").Spec.State = resources.ArtifactCompleted }, "current", "current"},
		{"the object goes", func(d *desk) { d.objects = d.objects[1:] },
			"stale: Sessions: artifact/prd is gone|Files: artifact/prd is gone", "stale: Login: artifact/prd is gone|Download: artifact/prd is gone"},
		{"the file goes", func(d *desk) { delete(d.docs, "prd.md") }, "current", "current"},
		{"it is gone for a day", func(d *desk) {
			delete(d.docs, "prd.md")
			d.gone["prd.md"] = d.now.Add(-24 * time.Hour)
		}, "stale: Sessions: artifact/prd is lost: prd.md is not there|Files: artifact/prd is lost: prd.md is not there",
			"stale: Login: artifact/prd is lost: prd.md is not there|Download: artifact/prd is lost: prd.md is not there"},
		{"confirmed", func(d *desk) {
			d.docs["prd.md"] = strings.Replace(d.docs["prd.md"], "opaque", "signed", 1)
			d.at("arch").Spec.DerivedFrom[0].SHA256 = d.sumOf("prd.md", "Auth")
		}, "current", "current"},
		{"a circle", func(d *desk) { d.at("prd").Spec.DerivedFrom = []resources.ArtifactDerived{{Artifact: "plan"}} }, "current", "current"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := chained()
			test.change(d)
			said := func(name string) string {
				s := d.status(name)
				switch s.Phase {
				case resources.StalePhase:
					return "stale: " + strings.Join(s.Stale, "|")
				case resources.Superseded:
					return "superseded by " + s.SupersededBy
				}
				return s.Phase
			}
			assert.Equal(t, test.arch, said("arch"))
			assert.Equal(t, test.plan, said("plan"))
		})
	}
}

func TestPhasesOfArtifacts(t *testing.T) {
	day := graphtest.Noon.Add(-24 * time.Hour)
	for _, test := range []struct {
		spec       resources.ArtifactSpec
		text       string
		gone       time.Time
		want       string
		conditions string
	}{
		{resources.ArtifactSpec{}, "# A", time.Time{}, "current", ""},
		{resources.ArtifactSpec{State: "draft"}, "# A", time.Time{}, "draft", ""},
		{resources.ArtifactSpec{}, "# A\n[b](b.md)", time.Time{}, "suspect", "Suspect=LinkGone"},
		{resources.ArtifactSpec{}, "", time.Time{}, "suspect", "Suspect=FileGone"},
		{resources.ArtifactSpec{}, "", day.Add(time.Second), "suspect", "Suspect=FileGone"},
		{resources.ArtifactSpec{}, "", day, "missing", "Suspect=FileGone"},
		{resources.ArtifactSpec{State: "completed"}, "", day, "missing", "Suspect=FileGone"},
		{resources.ArtifactSpec{State: "completed"}, "# A\n[b](b.md)", time.Time{}, "completed", ""},
		{resources.ArtifactSpec{State: "superseded"}, "", day, "superseded", ""},
		{resources.ArtifactSpec{State: "abandoned", PurgedAt: resources.NewTime(day)}, "", day, "purged", ""},
		{resources.ArtifactSpec{State: "abandoned"}, "", day, "abandoned", ""},
		{resources.ArtifactSpec{}, "# A\n\n**Status:** Superseded by [b](https://example.com/b.md)\n", time.Time{}, "current", "Disagrees=DocumentSaysOtherwise"},
		{resources.ArtifactSpec{State: "abandoned"}, "---\nstate: final\n---\n# A\n", time.Time{}, "abandoned", "Disagrees=DocumentSaysOtherwise"},
		{resources.ArtifactSpec{State: "abandoned"}, "# A\nStatus: deprecated\n", time.Time{}, "abandoned", ""},
		{resources.ArtifactSpec{State: "completed"}, "# A\nStatus: accepted\n", time.Time{}, "completed", ""},
		{resources.ArtifactSpec{Parent: "x", Covers: []string{"tasks/y"}}, "# A", time.Time{}, "current", "Orphaned=ReferenceMissing"},
	} {
		d := &desk{now: graphtest.Noon, docs: map[string]string{}, gone: map[string]time.Time{"a.md": test.gone}}
		if test.text != "" {
			d.docs["a.md"] = test.text
		}
		test.spec.Path = "a.md"
		d.objects = []resources.Object{artifact("a", test.spec)}
		s := d.status("a")
		assert.Equal(t, test.want, s.Phase, "%+v", test)
		var conditions []string
		for _, c := range s.Conditions {
			conditions = append(conditions, c.Type+"="+c.Reason)
		}
		assert.Equal(t, test.conditions, strings.Join(conditions, " "), "%+v", test)
	}
}

func TestWhatIsWrongBetweenArtifacts(t *testing.T) {
	d := chained()
	d.at("prd").Spec.State = resources.ArtifactAbandoned
	d.at("plan").Spec.Covers = []string{"artifacts/arch"}
	d.objects = append(d.objects, artifact("again", resources.ArtifactSpec{Path: "plan.md"}))
	assert.True(t, resources.IsTrue(d.status("arch").Conditions, resources.ChainBroken))
	assert.False(t, resources.IsTrue(d.status("plan").Conditions, resources.ChainBroken), "it derives from that one no further than by arch")
	assert.Equal(t, []string{"plan"}, d.status("arch").CoveredBy)
	assert.Equal(t, "SamePath", resources.FindCondition(d.status("plan").Conditions, resources.Conflict).Reason)

	two := artifact("two", resources.ArtifactSpec{Path: "two.md", Supersedes: "arch"})
	three := artifact("three", resources.ArtifactSpec{Path: "three.md", Supersedes: "two"})
	rival := artifact("rival", resources.ArtifactSpec{Path: "rival.md", Supersedes: "arch"})
	d.objects = append(d.objects, two, three)
	assert.Equal(t, "two three", d.status("arch").SupersededBy+" "+d.status("arch").Head)
	assert.Empty(t, status.CheckArtifact(two, d.snapshot()))
	assert.Len(t, status.CheckArtifact(rival, d.snapshot()), 1, "there is one head")
	assert.Len(t, status.CheckArtifact(artifact("x", resources.ArtifactSpec{Path: "plan.md"}), d.snapshot()), 1, "one live artifact a path")
	assert.Empty(t, status.CheckArtifact(artifact("x", resources.ArtifactSpec{Path: "plan.md", State: resources.ArtifactAbandoned}), d.snapshot()))
	assert.Empty(t, status.CheckArtifact(artifact("x", resources.ArtifactSpec{Path: "arch.md"}), d.snapshot()), "that one is superseded")

	a := artifact("a", resources.ArtifactSpec{Path: "a.md", Supersedes: "b", DerivedFrom: []resources.ArtifactDerived{{Artifact: "b"}}})
	b := artifact("b", resources.ArtifactSpec{Path: "b.md", Supersedes: "a", DerivedFrom: []resources.ArtifactDerived{{Artifact: "a"}}})
	circle := &desk{now: graphtest.Noon, objects: []resources.Object{a, b}, docs: map[string]string{"a.md": "", "b.md": ""}}
	assert.Equal(t, "current Circle", circle.status("a").Phase+" "+circle.status("a").Conditions[0].Reason, "they would both be lost")
}

// In random chains just those sections are stale that a look at every way through the chain calls
// so, and twice is once.
func TestStaleLinksAgainstAllWays(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		d, changed := randomChain(r)
		first := d.snapshot()
		for _, o := range d.objects {
			a := o.(*resources.Artifact)
			var want []string
			for _, link := range a.Spec.DerivedFrom {
				if hangsOn(d, link, changed, 0) {
					want = append(want, link.Of)
				}
			}
			var got []string
			for _, link := range status.StaleLinks(a, first) {
				got = append(got, link.Section)
			}
			if !assert.Equal(t, want, got, "seed %d, %s", seed, a.Metadata.Name) {
				return
			}
			assert.Equal(t, first.Derived(a.Key()), d.snapshot().Derived(a.Key()), "seed %d", seed)
		}
	}
}

// hangsOn reports whether a link leads, over any way, to a section that was changed.
func hangsOn(d *desk, link resources.ArtifactDerived, changed map[string]bool, depth int) bool {
	for at := range changed {
		name, section, _ := strings.Cut(at, "#")
		if name == link.Artifact && resources.Holds(link.Section, section) {
			return true
		}
	}
	for _, further := range d.at(link.Artifact).Spec.DerivedFrom {
		if resources.Overlap(further.Of, link.Section) && depth < 20 && hangsOn(d, further, changed, depth+1) {
			return true
		}
	}
	return false
}

// randomChain is a chain of documents of which some sections were changed after the links were made.
func randomChain(r *rand.Rand) (d *desk, changed map[string]bool) {
	d = &desk{now: graphtest.Noon, docs: map[string]string{}}
	sections := []string{"", "A", "A > B", "C"}
	n := 2 + r.Intn(7)
	for i := range n {
		name := fmt.Sprintf("n%d", i)
		d.docs[name+".md"] = fmt.Sprintf("# T\n## A\na%[1]d\n### B\nb%[1]d\n## C\nc%[1]d\n", i)
		a := artifact(name, resources.ArtifactSpec{Path: name + ".md"})
		for range r.Intn(4) {
			if i == 0 {
				break
			}
			before := fmt.Sprintf("n%d", r.Intn(i))
			section := sections[r.Intn(len(sections))]
			a.Spec.DerivedFrom = append(a.Spec.DerivedFrom, resources.ArtifactDerived{Artifact: before, Section: section, Of: sections[r.Intn(len(sections))], SHA256: d.sumOf(before+".md", section)})
		}
		d.objects = append(d.objects, a)
	}
	changed = map[string]bool{}
	for range r.Intn(3) {
		i, section := r.Intn(n), []string{"A > B", "C"}[r.Intn(2)]
		last := strings.ToLower(section[len(section)-1:])
		path := fmt.Sprintf("n%d.md", i)
		d.docs[path] = strings.Replace(d.docs[path], fmt.Sprintf("\n%s%d\n", last, i), fmt.Sprintf("\n%s%d changed\n", last, i), 1)
		changed[fmt.Sprintf("n%d#%s", i, section)] = true
	}
	return d, changed
}

// BenchmarkDeriveArtifact derives the last of a chain of five documents, one after the other in 200
// chains.
func BenchmarkDeriveArtifact(b *testing.B) {
	d := &desk{now: graphtest.Noon, docs: map[string]string{}}
	for i := range 1000 {
		name := fmt.Sprintf("n%d", i)
		d.docs[name+".md"] = "# T\n## A\na\n## B\nb\n"
		a := artifact(name, resources.ArtifactSpec{Path: name + ".md"})
		if i%5 > 0 {
			before := fmt.Sprintf("n%d", i-1)
			a.Spec.DerivedFrom = []resources.ArtifactDerived{{Artifact: before, Section: "A", SHA256: d.sumOf(before+".md", "A")}}
		}
		d.objects = append(d.objects, a)
	}
	s := d.snapshot()
	i := 0
	for b.Loop() {
		a := d.objects[4+i%200*5].(*resources.Artifact)
		status.DeriveArtifact(a, s)
		i++
	}
}
