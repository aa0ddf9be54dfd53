package admission

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// grove is a random tree of sessions that started one another, five levels deep at
// most, some of which work under delegations.
type grove struct {
	*world
	random *rand.Rand
	levels map[string]int // how many sessions stand above each
	above  map[string]string
}

func newGrove(seed uint64) *grove {
	g := &grove{world: newWorld(), random: rand.New(rand.NewPCG(seed, 3)), levels: map[string]int{"n0": 0}, above: map[string]string{}}
	tasks := g.names()
	for _, task := range tasks {
		g.state(task, g.one("", resources.TaskPlanned, resources.TaskActive, resources.TaskActive, resources.TaskReview, resources.TaskCompleted, resources.TaskFailed, resources.TaskAbandoned))
		g.tasks[task].Spec.AllowedTools = g.some("write", "bash", "read")
	}
	for _, role := range []string{"solo", "executor", "coordinator"} {
		g.role(role, resources.RoleSpec{
			Tools: resources.RuleSet{Allow: g.some("write", "agent"), Deny: g.some("bash", "*")},
			Shell: resources.RuleSet{Allow: g.some("ls", "idumb start", "idumb"), Deny: g.some("idumb", "*", "idumb complete", "idumb fail")},
			Paths: resources.PathRules{Write: g.some("src/**"), Deny: g.some("**", ".idumb/**")},
		})
	}
	g.session("n0", resources.SessionSpec{})
	all := []string{"n0"}
	for i := 1; i < 12; i++ {
		parent, name := g.one(all...), fmt.Sprintf("n%d", i)
		if g.levels[parent] == 5 {
			continue
		}
		all = append(all, name)
		g.levels[name], g.above[name] = g.levels[parent]+1, parent
		spec := resources.SessionSpec{Parent: parent, ActiveTask: g.one(append(tasks, "")...)}
		if g.random.IntN(2) == 0 {
			spec.Delegation = "d-" + name
			d := g.hand(spec.Delegation, g.one(append(tasks, "gone")...), g.one("executor", "coordinator", "somebody"), g.some("write", "bash", "agent", "read")...)
			d.Spec.From, d.Spec.State = g.one("solo", "executor", "coordinator"), g.one("", "assigned", "accepted", "accepted", "recalled", "done")
		}
		g.session(name, spec)
	}
	for _, name := range all {
		if g.random.IntN(10) == 0 {
			delete(g.handed, "d-"+name)
		}
	}
	return g
}

func (g *grove) one(of ...string) string { return of[g.random.IntN(len(of))] }

// some is mostly nothing: an empty list allows all, and denies nothing.
func (g *grove) some(of ...string) []string {
	if g.random.IntN(3) > 0 {
		return nil
	}
	return of[:1+g.random.IntN(len(of))]
}

// stopped reports whether a session or one above it works under a delegation that is over.
func (g *grove) stopped(name string) bool {
	for ; name != ""; name = g.above[name] {
		held := g.sessions[name].Spec.Delegation
		if held == "" {
			continue
		}
		d, there := g.handed[held]
		if !there || d.Spec.State == "recalled" || d.Spec.State == "done" {
			return true
		}
		if t, ok := g.tasks[d.Spec.Task]; ok && !status.LiveTask(t) {
			return true
		}
	}
	return false
}

func TestRandomTrees(t *testing.T) {
	var passed, tooDeep, stopped int
	for seed := range uint64(400) {
		g := newGrove(seed)
		for name, level := range g.levels {
			say := fmt.Sprintf("seed %d, session %s", seed, name)
			verdict := func(c Call) Verdict { return Decide(c.in(name), g) }

			handsOn := verdict(tool("Agent", Delegate))
			if level >= status.MaxDelegationDepth {
				require.Equal(t, Deny, handsOn.Outcome, say)
			}
			if handsOn.Outcome != Deny {
				passed++
			}
			if handsOn.Reason.Rule == "depth" {
				tooDeep++
			}

			if g.stopped(name) {
				stopped++
				for _, c := range []Call{write("src/a"), write(".idumb/tasks/new.json"), tool("bash", Shell), tool("WebFetch", Other), tool("Agent", Delegate)} {
					require.Equal(t, "recalled", verdict(c).Reason.Rule, say)
				}
			} else {
				require.NotEqual(t, "recalled", verdict(write("src/a")).Reason.Rule, say)
			}

			for i, out := range []string{"idumb fail write-docs --reason r", "idumb review write-docs", "idumb get tasks", "idumb describe task write-docs"} {
				c := govern(out)
				c.Own = g.random.IntN(2) == 0
				if i < 2 && g.stopped(name) { // it hands back, and leaves the task's state alone
					require.Equal(t, "recalled", verdict(c).Reason.Rule, say)
					continue
				}
				require.NotEqual(t, Deny, verdict(c).Outcome, "%s: %s: %s", say, out, verdict(c).Reason.Text())
			}
			require.Equal(t, NoOpinion, verdict(tool("AskUserQuestion", Ask)).Outcome, say)
		}
	}
	require.Greater(t, passed, 100, "the trees are no trees if nothing passes")
	require.Greater(t, tooDeep, 100)
	require.Greater(t, stopped, 100)
}
