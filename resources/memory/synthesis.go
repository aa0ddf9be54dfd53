package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// SourceExports is spec.source of mems that were made of exports.
const SourceExports = "exports"

// maxSynthesized is how many files and commands of each sort a synthesis names.
const maxSynthesized = 20

// Synthesize makes a mem of exports: what the sessions worked on, merged, each thing
// once, with links to the tasks. No model is asked: the same exports make the same mem, name
// included, whatever their order. names are those of the exports' files, in the order of the exports.
func Synthesize(exports []*Export, names []string) *resources.Mem {
	kind, _ := resources.KindOf(resources.Mems)
	m := kind.New().(*resources.Mem)
	ordered := slices.Sorted(slices.Values(names))
	sum := sha256.Sum256([]byte(strings.Join(ordered, "\n")))
	m.Metadata.Name = "mem-exports-" + hex.EncodeToString(sum[:6])
	g := gathered{tasks: map[string]string{}, newest: map[string]resources.Time{}, files: map[string]bool{}, commands: map[string]bool{}, agents: map[string]bool{}}
	for _, e := range exports {
		g.add(e)
	}
	tasks := slices.Sorted(maps.Keys(g.tasks))
	m.Spec = resources.MemSpec{
		Title: fmt.Sprintf("What %d sessions did", len(exports)), Type: "insight", Tags: []string{"sessions"}, Source: SourceExports,
		Content: g.text(len(exports), tasks),
	}
	for _, name := range ordered {
		m.Spec.Evidence = append(m.Spec.Evidence, resources.MemEvidence{Note: name})
	}
	for _, t := range tasks {
		m.Spec.RelatedTo = append(m.Spec.RelatedTo, "task/"+t)
	}
	if len(tasks) == 1 {
		m.Spec.OriginTask = tasks[0]
	}
	return m
}

// gathered is what several exports say, merged.
type gathered struct {
	tasks    map[string]string // name to the newest phase
	newest   map[string]resources.Time
	files    map[string]bool
	commands map[string]bool // to whether it ever succeeded
	agents   map[string]bool
	against  int // calls against the rules
	halts    int
}

func (g *gathered) add(e *Export) {
	g.task(e.Task, e.TaskPhase, e.ExportedAt)
	for _, t := range e.Tasks {
		g.task(t.Name, t.Phase, e.ExportedAt)
	}
	for _, f := range e.Files {
		g.files[f] = true
	}
	for _, c := range e.Commands {
		// the mem is committed, and the logs that the line comes from are not
		line := strings.Join(resources.MaskSecrets(strings.Split(c.Line, " ")), " ")
		g.commands[line] = g.commands[line] || c.Succeeded
	}
	if e.Agent != "" {
		g.agents[e.Agent] = true
	}
	g.against += e.Counters.Denials + e.Counters.Violations
	if e.Reason == ExportHalt {
		g.halts++
	}
}

// task keeps the newest phase of a task; of two at one moment the later word, so that the
// order of the exports does not matter.
func (g *gathered) task(name, phase string, at resources.Time) {
	newest := g.newest[name]
	if name == "" || g.tasks[name] != "" && (at.Before(newest.Time) || at.Equal(newest.Time) && phase < g.tasks[name]) {
		return
	}
	g.tasks[name], g.newest[name] = phase, at
}

func (g *gathered) text(sessions int, tasks []string) string {
	var lines []string
	add := func(label string, items []string) {
		if len(items) > 0 {
			lines = append(lines, label+": "+atMost(items)+".")
		}
	}
	var stand []string
	for _, t := range tasks {
		stand = append(stand, strings.TrimSuffix(t+" ["+g.tasks[t]+"]", " []"))
	}
	add("Tasks", stand)
	add("Agents", slices.Sorted(maps.Keys(g.agents)))
	add("Files written", slices.Sorted(maps.Keys(g.files)))
	add("Commands that succeeded", g.ran(true))
	add("Commands that never succeeded", g.ran(false))
	if g.against > 0 {
		lines = append(lines, fmt.Sprintf("Calls against the rules: %d.", g.against))
	}
	if g.halts > 0 {
		lines = append(lines, fmt.Sprintf("Halted for going in circles: %d times.", g.halts))
	}
	if len(lines) == 0 {
		lines = []string{fmt.Sprintf("%d sessions worked on no task and wrote nothing.", sessions)}
	}
	return strings.Join(lines, "\n")
}

func (g *gathered) ran(succeeded bool) []string {
	var list []string
	for _, line := range slices.Sorted(maps.Keys(g.commands)) {
		if g.commands[line] == succeeded {
			list = append(list, "`"+line+"`")
		}
	}
	return list
}
