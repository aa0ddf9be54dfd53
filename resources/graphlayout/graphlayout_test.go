package graphlayout_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graphlayout"
)

var update = flag.Bool("update", false, "write the golden graphs anew")

// chain is tasks of which each needs the one before, the first few of them done.
func chain(n, done int) (tasks []graphlayout.Task) {
	for i := range n {
		t := graphlayout.Task{Name: fmt.Sprintf("t%04d", i), Title: fmt.Sprintf("Task %d", i), Phase: resources.TaskBlocked, Stage: fmt.Sprintf("s%d", i*4/n)}
		if i > 0 {
			t.Needs = []string{tasks[i-1].Name}
		}
		switch {
		case i < done:
			t.Phase = resources.TaskCompleted
		case i == done:
			t.Phase, t.Holder = resources.TaskActive, "claude-7f"
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// star is one task that all others need.
func star(n int) []graphlayout.Task {
	tasks := []graphlayout.Task{{Name: "hub", Phase: resources.TaskActive}}
	for i := range n - 1 {
		tasks = append(tasks, graphlayout.Task{Name: fmt.Sprintf("t%04d", i), Phase: resources.TaskBlocked, Needs: []string{"hub"}})
	}
	return tasks
}

// diamond is the graph in which two ways lead to one task, of which one is a gate.
func diamond() []graphlayout.Task {
	return []graphlayout.Task{
		{Name: "a", Title: "Begin", Phase: resources.TaskCompleted},
		{Name: "b", Title: "Left", Phase: resources.TaskActive, Needs: []string{"a"}},
		{Name: "c", Title: "Right", Phase: resources.TaskPlanned, Needs: []string{"a"}},
		{Name: "d", Title: "End", Phase: resources.TaskBlocked, Needs: []string{"b", "c"}, Gate: "c"},
	}
}

// random is a plan of which each task needs some before it, always the same for a seed.
func random(seed uint64, n int) (tasks []graphlayout.Task) {
	r := rand.New(rand.NewPCG(seed, 7))
	for i := range n {
		t := graphlayout.Task{Name: fmt.Sprintf("t%05d", i), Stage: fmt.Sprintf("s%d", i*5/n), Phase: resources.TaskBlocked}
		switch {
		case i < n/3:
			t.Phase = resources.TaskCompleted
		case r.IntN(40) == 0:
			t.Phase = resources.TaskActive
		case r.IntN(10) == 0:
			t.Phase = resources.TaskPlanned
		}
		for range min(i, 2) {
			t.Needs = append(t.Needs, tasks[max(0, i-1-r.IntN(30))].Name)
		}
		tasks = append(tasks, t)
	}
	return tasks
}

func TestGoldenGraphs(t *testing.T) {
	for name, tasks := range map[string][]graphlayout.Task{
		"empty": nil, "chain": chain(12, 3), "star": star(200), "diamond": diamond(),
		"10": random(1, 10), "100": random(2, 100), "1000": random(3, 1000),
	} {
		t.Run(name, func(t *testing.T) {
			got := text(t, tasks)
			golden(t, name+".json", got)
			shuffled := slices.Clone(tasks)
			rand.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
			assert.Equal(t, string(got), string(text(t, shuffled)), "the order in which tasks come matters")
		})
	}
}

// text is a graph as JSON, with a line for each node and edge.
func text(t *testing.T, tasks []graphlayout.Task) []byte {
	t.Helper()
	data, err := json.Marshal(graphlayout.Make(tasks, graphlayout.Options{}))
	require.NoError(t, err)
	return append(bytes.ReplaceAll(data, []byte("},{\""), []byte("},\n{\"")), '\n')
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// check holds a graph against what is promised of every one.
func check(t *testing.T, tasks []graphlayout.Task, o graphlayout.Options) graphlayout.Graph {
	t.Helper()
	g := graphlayout.Make(tasks, o)
	require.LessOrEqual(t, len(g.Nodes), graphlayout.MaxNodes)
	reached, at := map[string]int{}, map[string]graphlayout.Node{}
	for _, n := range g.Nodes {
		at[n.Name] = n
		for _, name := range n.Tasks {
			reached[name]++
		}
		if len(n.Tasks) == 0 {
			reached[n.Name]++
		}
	}
	for _, task := range tasks {
		require.Equal(t, 1, reached[task.Name], "%s is drawn once, or in one group", task.Name)
		if task.Phase == resources.TaskActive || task.Phase == resources.TaskReview {
			require.Contains(t, at, task.Name, "nobody may hide what is being worked on")
		}
	}
	for _, e := range g.Edges {
		if e.State != graphlayout.Circle && at[e.From].Rank < at[e.To].Rank {
			require.Len(t, e.Via, at[e.To].Rank-at[e.From].Rank-1, "%s to %s", e.From, e.To)
		}
	}
	distances(t, g)
	return g
}

// distances holds that no two nodes of a rank stand in one another, either way.
func distances(t *testing.T, g graphlayout.Graph) {
	t.Helper()
	for i := 1; i < len(g.Nodes); i++ {
		a, b := g.Nodes[i-1], g.Nodes[i]
		if a.Rank == b.Rank {
			require.GreaterOrEqual(t, b.Place.Row-a.Place.Row, graphlayout.NodeWidth, "%s and %s", a.Name, b.Name)
			require.GreaterOrEqual(t, b.Place.Across-a.Place.Across, graphlayout.NodeHeight, "%s and %s", a.Name, b.Name)
		}
	}
}

// stranger is a plan as nobody would write it: of any density, with circles and unknown names.
func stranger(r *rand.Rand) (tasks []graphlayout.Task) {
	n, stages := 1+r.IntN(600), 1+r.IntN(60)
	phases := []string{resources.TaskCompleted, resources.TaskBlocked, resources.TaskBlocked, resources.TaskPlanned, resources.TaskFailed, resources.TaskAbandoned, ""}
	density := r.IntN(5)
	for i := range n {
		t := graphlayout.Task{Name: fmt.Sprintf("t%d", i), Stage: fmt.Sprint(r.IntN(stages)), Phase: phases[r.IntN(len(phases))]}
		if r.IntN(20) == 0 && i < 90 {
			t.Phase = resources.TaskActive
		}
		for range density {
			t.Needs = append(t.Needs, fmt.Sprintf("t%d", r.IntN(n+2)))
		}
		tasks = append(tasks, t)
	}
	return tasks
}

func TestFoldIsBoundAndHidesNothingActive(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 13))
	for range 150 {
		tasks := stranger(r)
		g := check(t, tasks, graphlayout.Options{})
		var open []string
		for _, n := range g.Nodes {
			if len(n.Tasks) > 0 && r.IntN(2) == 0 {
				open = append(open, n.Name)
			}
		}
		selected := tasks[r.IntN(len(tasks))].Name
		g = check(t, tasks, graphlayout.Options{Selected: selected, Open: open})
		if len(tasks) > 400 && r.IntN(4) > 0 {
			continue
		}
		check(t, tasks, graphlayout.Options{Selected: selected})
	}
	for _, tasks := range [][]graphlayout.Task{chain(1000, 10), star(1000), random(5, 5000)} {
		check(t, tasks, graphlayout.Options{})
	}
}

func TestFoldsInOrder(t *testing.T) {
	names := func(tasks []graphlayout.Task, o graphlayout.Options) (groups []string) {
		for _, n := range check(t, tasks, o).Nodes {
			if len(n.Tasks) > 0 {
				groups = append(groups, n.Title)
			}
		}
		slices.Sort(groups)
		return groups
	}
	assert.Empty(t, names(chain(150, 100), graphlayout.Options{}), "what can be drawn is not folded")
	assert.Equal(t, []string{"s0 · 50 done", "s1 · 50 done", "s2 · 9 done"}, names(chain(200, 110), graphlayout.Options{}))
	assert.Equal(t, []string{"s0 · 40 wait", "s1 · 45 wait", "s2 · 45 wait", "s3 · 45 wait"}, names(chain(180, 1)[1:], graphlayout.Options{}))
	assert.Equal(t, []string{"199 like t0000"}, names(star(200), graphlayout.Options{}))
	opened := check(t, star(140), graphlayout.Options{Open: []string{"like/t0000"}})
	assert.Len(t, opened.Nodes, 140)
}

func TestCriticalPath(t *testing.T) {
	assert.Equal(t, []string{"b", "d"}, graphlayout.Make(diamond(), graphlayout.Options{}).Critical)
	g := graphlayout.Make(chain(6, 2), graphlayout.Options{})
	assert.Equal(t, []string{"t0002", "t0003", "t0004", "t0005"}, g.Critical)
	assert.False(t, g.Nodes[0].Critical)
	assert.True(t, g.Nodes[5].Critical)
}

func TestCirclesAreDrawn(t *testing.T) {
	g := check(t, []graphlayout.Task{{Name: "a", Needs: []string{"b"}}, {Name: "b", Needs: []string{"a"}}, {Name: "c", Needs: []string{"a", "c"}}}, graphlayout.Options{})
	require.Len(t, g.Nodes, 3)
	assert.True(t, g.Nodes[0].Circle && g.Nodes[1].Circle && g.Nodes[2].Circle)
	assert.Equal(t, graphlayout.Circle, g.Edges[0].State)
	rows, left := graphlayout.Lanes([]graphlayout.Task{{Name: "a", Needs: []string{"b"}}, {Name: "b", Needs: []string{"a"}}}, "", false)
	assert.Len(t, rows, 2)
	assert.Zero(t, left)
}

// drawn is how rows look in a terminal.
func drawn(rows []graphlayout.Row) string {
	var b strings.Builder
	for _, r := range rows {
		line := r.Prefix + "*" + r.Tail + "  " + r.Task.Name
		if r.HiddenEdges > 0 {
			line += fmt.Sprintf(" +%d", r.HiddenEdges)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func TestLanes(t *testing.T) {
	demo := []graphlayout.Task{
		{Name: "old", Phase: resources.TaskCompleted}, {Name: "mailer"}, {Name: "signup-api"}, {Name: "signup-form", Needs: []string{"mailer", "signup-api", "old"}},
		{Name: "token-lib"}, {Name: "login-api", Needs: []string{"token-lib"}}, {Name: "login-form", Needs: []string{"login-api"}},
		{Name: "limits", Needs: []string{"login-api"}}, {Name: "e2e", Needs: []string{"limits", "login-form", "signup-form"}},
		{Name: "attack", Needs: []string{"limits", "login-form"}}, {Name: "manual", Needs: []string{"e2e"}}, {Name: "release", Needs: []string{"attack", "e2e", "manual"}},
	}
	rows, left := graphlayout.Lanes(demo, "", false)
	assert.Zero(t, left)
	golden(t, "lanes.txt", []byte(drawn(rows)))
	rows, _ = graphlayout.Lanes(demo, "", true)
	golden(t, "lanes-ascii.txt", []byte(drawn(rows)))
}

func TestLanesAreEightAtMost(t *testing.T) {
	tasks := random(9, 1000)
	for _, selected := range []string{"", "t00700", "nobody"} {
		rows, left := graphlayout.Lanes(tasks, selected, false)
		assert.NotEmpty(t, rows)
		open := 0
		for _, task := range tasks {
			if task.Phase != resources.TaskCompleted {
				open++
			}
		}
		assert.Equal(t, open, left+len(rows))
		for _, r := range rows {
			assert.LessOrEqual(t, len([]rune(r.Prefix+r.Tail))+1, 2*(graphlayout.MaxLanes+1))
		}
	}
}

func BenchmarkMake(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		tasks := random(4, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				graphlayout.Make(tasks, graphlayout.Options{})
			}
		})
	}
}

func BenchmarkLanes(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		tasks := random(4, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				graphlayout.Lanes(tasks, "", false)
			}
		})
	}
}
