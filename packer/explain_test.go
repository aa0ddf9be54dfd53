package packer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// entangled is a repository whose mems have everything that an explanation can speak of.
func entangled(r *rand.Rand) Input {
	in := userAuth()
	words := strings.Fields("login form session cookie token renew queue mail cache key deploy metrics backup search layout endpoint server tests")
	some := func(n int) string {
		picked := make([]string, 1+r.IntN(n))
		for i := range picked {
			picked[i] = words[r.IntN(len(words))]
		}
		return strings.Join(picked, " ")
	}
	phases := []string{
		resources.Fresh, resources.Fresh, resources.Fresh, resources.Fading, resources.SuspectPhase, resources.StalePhase,
		resources.Superseded, resources.Purged, resources.GonePhase, resources.Ended, resources.Pending, resources.PhaseInvalid,
	}
	n := 5 + r.IntN(40)
	in.Previous = map[string]int{}
	for i := range n {
		spec := resources.MemSpec{Content: some(30), Title: some(3), Tags: strings.Fields(some(2)), Critical: r.IntN(12) == 0}
		if r.IntN(4) == 0 {
			spec.OriginTask = []string{"build-login-form", "db-schema", "elsewhere"}[r.IntN(3)]
		}
		if r.IntN(4) == 0 {
			spec.RelatedTo = []string{fmt.Sprintf("n-%02d", r.IntN(n))}
		}
		if r.IntN(5) == 0 {
			spec.AppliesWhen = &resources.AppliesWhen{Paths: []string{"web/**"}, Cues: []string{some(3)}}
		}
		if r.IntN(6) == 0 {
			spec.Type = resources.FalsePath
		}
		if i%5 == 0 {
			spec.Content = "Login: " + spec.Content
		}
		if i%7 == 0 {
			spec.Content += "?"
		}
		m := memOf(fmt.Sprintf("n-%02d", i), 1+r.IntN(9), r.IntN(101), phases[r.IntN(len(phases))], spec)
		if m.Status.Phase == resources.SuspectPhase {
			m.Status.Suspect = []string{"a.md has changed"}
		}
		in.Mems = append(in.Mems, m)
		in.Previous["mems/"+m.Object.Metadata.Name] = max(0, r.IntN(3*n)-2*n) // places may be told twice
	}
	in.Mems = append(in.Mems, memOf("alone", 30, 80, resources.Fresh, resources.MemSpec{Content: "Quixotic zeppelins."}))
	in.Limit = []int{0, 3000, 5000, 9000}[r.IntN(4)]
	return in
}

// checker compares what a pack says of its entries with what it was computed from.
type checker struct {
	t     *testing.T
	in    Input
	pack  Pack
	mems  map[string]*Mem
	bears map[string]relevanceLevel
	hits  map[string]search.Hit
}

func TestExplainIsTrue(t *testing.T) {
	t.Parallel()
	claims := map[string]int{}
	for seed := range uint64(150) {
		in := entangled(rand.New(rand.NewPCG(seed, 7)))
		c := checker{t: t, in: in, pack: Build(in), mems: map[string]*Mem{}, hits: map[string]search.Hit{}, bears: map[string]relevanceLevel{}}
		for i := range in.Mems {
			c.mems["mems/"+in.Mems[i].Object.Metadata.Name] = &in.Mems[i]
		}
		d := newPacking(in)
		d.judge = d.stock.judge(d.question(), d.links(), false)
		for _, r := range d.scoreMems() {
			if r.doc >= 0 {
				c.hits[r.id] = d.judge.result.Explain(r.doc)
			}
			c.bears[r.id] = r.bears
		}
		for _, e := range c.pack.Entries {
			require.Equal(t, e.In, strings.HasPrefix(e.Why, "in: "), e.Why)
			require.Equal(t, !e.In, strings.HasPrefix(e.Why, "out: "), e.Why)
			c.present(e)
			if m := c.mems[e.ID]; m != nil {
				c.claims(e, m, claims)
			}
		}
	}
	for _, claim := range []string{
		"little", "again", "nothing", "linked", "linkedWork", "word", "near", "feedback", "related", "named", "held", "critical", "superseded", "stale", "purged", "gone", "room", "share",
	} {
		assert.Positive(t, claims[claim], "no entry claimed: %s", claim)
	}
	t.Log(claims)
}

// present: the text has the entry if and only if it is said to be in.
func (c checker) present(e Entry) {
	text := string(c.pack.Bytes)
	text, _, _ = strings.Cut(text, "<left_out>")
	switch e.Section {
	case "insights", "anchors", "anti_patterns":
		require.Equal(c.t, e.In, strings.Contains(text, " "+e.ID+")") || strings.Contains(text, "("+e.ID+")"), "%+v", e)
	}
}

var wordClaim = regexp.MustCompile(`([^ ,:;]+ for )?([^ ,:;]+) (\d+)( \(a word of the best\))?`)

// claims checks each part of what is said of a mem.
func (c checker) claims(e Entry, m *Mem, claims map[string]int) {
	t, spec := c.t, &m.Object.Spec
	note := func(claim, part string, holds bool) {
		if strings.Contains(e.Why, part) {
			claims[claim]++
			require.True(t, holds, "%s: %+v\n%+v", claim, e, m)
		}
	}
	note("little", "too little in common", c.bears[e.ID] < relevant && spec.OriginTask != "build-login-form")
	note("again", "it repeats another entry", true)
	note("nothing", "shares no word", c.hits[e.ID].Score == 0 && len(c.hits[e.ID].Terms) == 0)
	note("superseded", "another mem replaced it", m.Status.Phase == resources.Superseded)
	note("stale", "it is stale and not linked", m.Status.Phase == resources.StalePhase && spec.OriginTask != "build-login-form" && spec.OriginTask != "db-schema")
	note("purged", "out: it is purged", m.Status.Phase == resources.Purged)
	note("gone", "all of its sources no longer exist", m.Status.Phase == resources.GonePhase)
	note("critical", "critical: ", spec.Critical)
	note("held", "the last pack had it", c.in.Previous[e.ID] > 0)
	direct := func(m *Mem, tasks ...string) bool {
		return slices.Contains(tasks, m.Object.Spec.OriginTask) || slices.Contains(m.Object.Spec.RelatedTo, "task/"+tasks[0])
	}
	note("linked", "in: linked to an active task", direct(m, "build-login-form"))
	near := direct(m, "build-login-form", "db-schema", "session-endpoint")
	for _, name := range spec.RelatedTo {
		near = near || c.mems["mems/"+name] != nil && direct(c.mems["mems/"+name], "build-login-form")
	}
	note("linkedWork", "linked to a plan, parent or dependency", near)
	note("room", "does not fit", !e.In && !c.fits(e))
	note("share", "from the unused shares of other sections", e.In)
	if _, words, ok := strings.Cut(e.Why, "the plan or the intent: "); ok {
		c.words(e, m, words, claims)
	}
}

// fits reports whether the entry could have been added to what is in, for all its frames,
// the names at the end aside.
func (c checker) fits(e Entry) bool {
	body, _, _ := strings.Cut(string(c.pack.Bytes), "<left_out")
	least := tokens.Measure(body).Plus(endReserve()).Plus(tokens.Size{Milli: e.Tokens*1000 - 999})
	return c.pack.Budget.contains(least.Plus(tokens.Size{Characters: c.characters(e), Milli: 1500000 / 4}).Plus(tokens.Size{Characters: 1500}))
}

func (c checker) characters(e Entry) int {
	return tokens.Measure(c.mems[e.ID].Object.Spec.Content).Characters
}

// words checks the words, loans and names that a mem is said to be there for.
func (c checker) words(e Entry, m *Mem, why string, claims map[string]int) {
	t, spec := c.t, &m.Object.Spec
	why, _, _ = strings.Cut(why, "; from what others")
	why, rest, _ := strings.Cut(why, "; confidence ")
	confidence, rest, _ := strings.Cut(rest, ";")
	require.Equal(t, strconv.Itoa(m.Status.Confidence), confidence, e.Why)
	require.Equal(t, m.Status.Phase == resources.SuspectPhase, strings.Contains(rest, "suspect: halved"), e.Why)
	words, names, named := strings.Cut(why, "; x1.6: the question names its ")
	own := strings.Join(slices.Concat([]string{spec.Title, spec.Content}, spec.Tags), " ")
	if spec.AppliesWhen != nil {
		own += " " + strings.Join(slices.Concat(spec.AppliesWhen.Cues, spec.AppliesWhen.Paths), " ")
	}
	asked := c.asked()
	for part := range strings.SplitSeq(words, ", ") {
		switch fields := strings.Fields(part); {
		case strings.HasPrefix(part, "related to "):
			claims["related"]++
			other := c.mems[fields[2]]
			require.True(t, slices.Contains(spec.RelatedTo, other.Object.Metadata.Name) || slices.Contains(other.Object.Spec.RelatedTo, m.Object.Metadata.Name), e.Why)
		case strings.HasPrefix(part, "same origin as "), strings.HasPrefix(part, "made next to "):
			claims[map[bool]string{true: "origin", false: "beside"}[fields[0] == "same"]]++
			require.Equal(t, spec.OriginTask, c.mems[fields[3]].Object.Spec.OriginTask, e.Why)
		case strings.HasSuffix(part, " more words"):
		default:
			found := wordClaim.FindStringSubmatch(part)
			require.NotNil(t, found, e.Why)
			if near, ok := strings.CutSuffix(found[0], fmt.Sprintf(" for %s %s", found[2], found[3])); ok {
				claims["near"]++
				require.Contains(t, search.Terms(own), near, e.Why)
				require.NotContains(t, search.Terms(own), found[2], e.Why)
				require.Contains(t, asked, found[2], e.Why)
				break
			}
			require.Contains(t, search.Terms(own), found[2], e.Why)
			if claims["word"]++; found[4] == "" {
				require.Contains(t, asked, found[2], e.Why)
			} else {
				claims["feedback"]++
			}
		}
	}
	if !named {
		return
	}
	for name := range strings.SplitSeq(names, ", ") {
		claims["named"]++
		kind, value, _ := strings.Cut(name, " ")
		switch kind {
		case "tag":
			require.Contains(t, search.Terms(strings.Join(spec.Tags, " ")), value, e.Why)
			require.Contains(t, asked, value, e.Why)
		case "path":
			require.Equal(t, []string{value}, spec.AppliesWhen.Paths, e.Why)
		default:
			require.Fail(t, e.Why)
		}
	}
}

// asked are the words of what the pack is about.
func (c checker) asked() []string {
	text := c.in.Intent + " " + c.in.Plan.Object.Spec.Title + " " + strings.Join(c.in.Plan.Object.Spec.Acceptance, " ")
	for i := range c.in.Tasks {
		if spec := c.in.Tasks[i].Object.Spec; c.in.Tasks[i].Object.Metadata.Name == c.in.Active[0] {
			text += " " + spec.Title + " " + spec.ExpectedOutput + " " + strings.Join(spec.Paths, " ")
			for _, item := range spec.Evidence {
				text += " " + item.File + " " + item.Command
			}
		}
	}
	return search.Terms(text)
}

func TestExplainWhereNothingIsAsked(t *testing.T) {
	in := Input{Day: day(12).Time}
	for i := range 3 {
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("n-%02d", i), 1, 50+i, resources.Fresh, resources.MemSpec{Content: "login", Pinned: i == 2}))
	}
	for _, e := range Build(in).Entries {
		if e.Section == "insights" {
			want := noQuestion
			if e.ID == "mems/n-02" {
				want = "in: no task, plan or intent to compare with, and pinned"
			}
			assert.Equal(t, want, e.Why, e.ID)
		}
	}
}
