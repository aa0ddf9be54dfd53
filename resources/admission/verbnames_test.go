package admission

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// rightsWorlds are the shell rules of the role in which an agent asks.
var rightsWorlds = [...]resources.RuleSet{
	{}, {Deny: []string{"idumb"}}, {Allow: []string{"idumb start"}}, {Allow: []string{"idumb"}},
	{Deny: []string{"idumb create mem"}}, {Allow: []string{"idumb create mem"}}, {Ask: []string{"idumb create mem"}},
	{Deny: []string{"idumb mem"}}, {Allow: []string{"idumb mem"}},
	{Deny: []string{"idumb create artifact"}}, {Deny: []string{"idumb artifact"}}, {Allow: []string{"idumb artifact"}},
	{Deny: []string{"idumb create decision"}}, {Deny: []string{"idumb decide"}}, {Allow: []string{"idumb decide"}},
	{Deny: []string{"idumb branch"}}, {Allow: []string{"idumb branch"}}, {Ask: []string{"idumb branch"}},
	{Deny: []string{"idumb recall"}}, {Allow: []string{"idumb recall"}}, {Deny: []string{"idumb accept"}}, {Allow: []string{"idumb accept"}},
	{Deny: []string{"idumb create delegation"}},
	{Deny: []string{"idumb validate"}}, {Allow: []string{"idumb validate"}}, {Ask: []string{"idumb validate"}},
	{Deny: []string{"idumb sync"}}, {Allow: []string{"idumb sync"}}, {Deny: []string{"idumb shell"}}, {Allow: []string{"idumb shell"}},
	{Deny: []string{"idumb violations"}}, {Allow: []string{"idumb violations"}}, {Deny: []string{"idumb import"}}, {Allow: []string{"idumb import"}},
	{Deny: []string{"idumb migrate"}}, {Deny: []string{"idumb kubeconfig"}}, {Allow: []string{"idumb get"}}, {Deny: []string{"idumb review"}},
	{Deny: []string{"idumb mem confirm"}}, {Deny: []string{"idumb mem supersede"}}, {Deny: []string{"idumb artifact confirm"}}, {Deny: []string{"idumb decide supersede"}},
	{Allow: []string{"idumb mem confirm"}}, {Allow: []string{"idumb mem supersede"}}, {Allow: []string{"idumb artifact confirm"}}, {Allow: []string{"idumb decide supersede"}},
}

// rightsOf are the gate's answers to a command, a letter each: in all these roles, then run in the
// background, by a delegate, by one whose delegation was recalled, and by our own tool.
func rightsOf(t *testing.T, line string) string {
	t.Helper()
	var b strings.Builder
	add := func(call Call, w *world) {
		got := Decide(call, w)
		b.WriteString(map[Outcome]string{NoOpinion: "-", Deny: "d", AskPerson: "a"}[got.Outcome])
	}
	fill := func(w *world) *world {
		w.decision("old", resources.DecisionSpec{State: resources.DecisionAccepted})
		w.decision("new", resources.DecisionSpec{State: resources.DecisionProposed})
		w.hand("theirs", "db-schema", "executor")
		return w
	}
	for _, shell := range rightsWorlds {
		w := fill(newWorld())
		w.role("solo", resources.RoleSpec{Shell: shell})
		add(govern(line), w)
	}
	apart := govern(line)
	apart.Runs = slices.Clone(apart.Runs)
	for i := range apart.Runs {
		apart.Runs[i].Detached = true
	}
	add(apart, fill(newWorld()))
	w := fill(newWorld())
	delegated(w)
	add(govern(line), w)
	w.handed["d1"].Spec.State = "recalled"
	add(govern(line), w)
	own := govern(line)
	own.Own = true
	add(own, fill(newWorld()))
	return b.String()
}

// TestRightsOfNames: an agent may do by the new name of a command exactly what it may by the old one. The answers in
// the file are those of the gate that knew the old names only. There are four exceptions: "validate" and "mem
// confirm" had two rights to one act, and a rule about either of them holds for both now; so have "validate" and
// "artifact confirm"; a list of what needs review is open to a delegate whose work was taken back; and what changes
// anything is denied in the background, by either name.
func TestRightsOfNames(t *testing.T) {
	data, err := os.ReadFile("testdata/verbs.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, cells, 3)
		assert.Equal(t, cells[2], rightsOf(t, cells[0]), cells[0])
		assert.Equal(t, cells[2], rightsOf(t, cells[1]), cells[1])
	}
}
