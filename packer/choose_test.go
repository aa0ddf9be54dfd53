package packer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// crowded is a repository in which every section wants more than there is.
func crowded(r *rand.Rand) Input {
	in := userAuth()
	text := func(most int) string { return strings.Repeat("login session token ", 1+r.IntN(most)) }
	for i := range r.IntN(60) {
		spec := resources.MemSpec{Content: fmt.Sprint(i, " ", text(8))}
		if r.IntN(4) == 0 {
			spec.Type = resources.FalsePath
		}
		spec.Critical = r.IntN(20) == 0
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("c-%02d", i), 1+i%9, r.IntN(101), resources.Fresh, spec))
	}
	for i := range r.IntN(20) {
		in.Anchors = append(in.Anchors, anchorOf(fmt.Sprintf("c-%02d", i), 1+i%9, resources.Fresh, resources.AnchorSpec{Priority: "normal", Content: text(6)}))
	}
	for i := range r.IntN(20) {
		in.Tasks = append(in.Tasks, taskOf(fmt.Sprintf("c-%02d", i), 5, resources.TaskBlocked, resources.TaskSpec{WorkPlan: "user-auth", Title: text(4), DependsOn: []string{"build-login-form"}}))
	}
	in.Limit = 3000 + r.IntN(9000)
	return in
}

// filling is what a pack's candidates take, recomputed from its text.
type filling struct {
	budget Budget
	shares [len(shares)]tokens.Size // of what is in within its share, and not unlimited
}

// TestNoSectionBreaksItsShare: what is in within its share is within its percentage, and
// what is in from what others left came after everything that was within its own.
func TestNoSectionBreaksItsShare(t *testing.T) {
	t.Parallel()
	flowed, waited := 0, 0
	for seed := range uint64(rounds(100)) {
		in := crowded(rand.New(rand.NewPCG(seed, 31)))
		d := newPacking(in)
		d.offer()
		d.pack()
		f := filling{budget: d.budget}
		beyond := false
		for i := range d.candidates {
			c := &d.candidates[i]
			switch s := shareOf(c.section); {
			case !c.in || c.tier == reserved:
			case strings.HasSuffix(c.why, fromOthers):
				beyond = true
				flowed++
			default:
				f.shares[s] = f.shares[s].Plus(c.size)
			}
		}
		for s := range shares {
			require.True(t, f.budget.part(shares[s].percent).contains(f.shares[s]), "seed %d: share %d takes %+v of %+v", seed, s, f.shares[s], f.budget)
		}
		for i := range d.candidates {
			c := &d.candidates[i]
			s := shareOf(c.section)
			if !beyond || c.in || c.text == "" || c.why != noRoom || !f.budget.part(shares[s].percent).contains(f.shares[s].Plus(c.size)) {
				continue
			}
			waited++
			sum := tokens.Measure(opening + closing)
			for j := range d.candidates {
				if other := &d.candidates[j]; other.in && !strings.HasSuffix(other.why, fromOthers) {
					sum = sum.Plus(other.size)
				}
			}
			frames, end := 500, endReserve().Characters+1000 // at most
			require.Greater(t, sum.Characters+c.size.Characters+frames+end, d.budget.Limit, "seed %d: %s had room before others took more than their share", seed, c.id)
		}
	}
	assert.Positive(t, flowed)
	t.Log(flowed, waited)
}

// TestWhatOneLeavesFlowsOn: where nobody else wants it, mems take more than their share.
func TestWhatOneLeavesFlowsOn(t *testing.T) {
	in := Input{Day: day(12).Time, Intent: "the login form validates passwords, shows errors inline and remembers devices", Limit: 9000}
	for i := range 20 {
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("m-%02d", i), 1, 80, resources.Fresh, resources.MemSpec{Content: fmt.Sprintf("the login form validates %d passwords, shows errors inline, remembers devices%s", i, strings.Repeat(" and more", 60))}))
		for j := range 10 {
			in.Mems = append(in.Mems, memOf(fmt.Sprintf("n-%02d-%02d", i, j), 1, 80, resources.Fresh, resources.MemSpec{Content: fmt.Sprint("the metrics of the backup queue ", j)}))
		}
	}
	p := Build(in)
	within, beyond := 0, 0
	for _, e := range p.Entries {
		if e.Section == "insights" && e.In {
			within++
			if strings.HasSuffix(e.Why, fromOthers) {
				beyond++
			}
		}
	}
	assert.Equal(t, maxMems, within)
	assert.InDelta(t, 0.35*9000/600, within-beyond, 1.5, "within their share")
}

// TestMoreBudgetDropsNothing: what a smaller budget had room for is in the greater one as
// well. Where several sections want what others left, or one entry takes more than half of
// a share, that cannot always be.
func TestMoreBudgetDropsNothing(t *testing.T) {
	t.Parallel()
	kept, dropped := 0, 0
	for seed := range uint64(rounds(6)) {
		r := rand.New(rand.NewPCG(seed, 33))
		alone, many := userAuth(), crowded(r)
		for i := range 60 {
			content := fmt.Sprint("login form ", i, strings.Repeat(" session endpoint", r.IntN(12)))
			alone.Mems = append(alone.Mems, memOf(fmt.Sprintf("m-%02d", i), 5, r.IntN(101), resources.Fresh, resources.MemSpec{Content: content}))
		}
		alone, many = stocked(r, alone), stocked(r, many)
		var before, among map[string]bool
		for limit := 4500; limit < 12000; limit += 200 + r.IntN(300) {
			alone.Limit, many.Limit = limit, limit
			now := entered(Build(alone), "insights")
			for id := range before {
				require.True(t, now[id], "seed %d: %s was in with less than %d characters", seed, id, limit)
			}
			others := entered(Build(many), "")
			for id := range among {
				if kept++; !others[id] {
					dropped++
				}
			}
			before, among = now, others
		}
	}
	assert.Less(t, dropped*100, kept, "of many sections' entries one in a hundred may go")
	t.Log(kept, dropped)
}

// entered are the places and IDs of what is in, of one section or ("") all.
func entered(p Pack, section string) map[string]bool {
	in := map[string]bool{}
	for i, e := range p.Entries {
		if e.In && (section == "" || e.Section == section) {
			in[fmt.Sprint(e.Section, i, e.ID)] = true
		}
	}
	return in
}

// TestAPackMadeAgainFromItselfIsTheSame, whatever the pack before it had.
func TestAPackMadeAgainFromItselfIsTheSame(t *testing.T) {
	t.Parallel()
	for seed := range uint64(rounds(100)) {
		r := rand.New(rand.NewPCG(seed, 35))
		in := crowded(r)
		if seed%2 == 0 {
			in = entangled(r)
		}
		in.Previous = map[string]int{}
		for i := range in.Mems {
			in.Previous["mems/"+in.Mems[i].Object.Metadata.Name] = max(0, r.IntN(100)-50)
		}
		for i := range in.Anchors {
			in.Previous["anchors/"+in.Anchors[i].Object.Metadata.Name] = max(0, r.IntN(100)-50)
		}
		once := Build(in)
		in.Previous = PreviousIn(once.Bytes)
		require.Equal(t, string(once.Bytes), string(Build(in).Bytes), "seed %d", seed)
	}
}
