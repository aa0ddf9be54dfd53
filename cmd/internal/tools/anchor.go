package tools

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// anchorTool keeps facts over compactions.
func anchorTool() tool {
	return tool{
		name: "anchor",
		doc:  "A fact that must survive compaction; one with its file (or task) turns stale when that changes. Also type (decision, context, checkpoint, attention), priority (critical, high, ...), name.",
		params: []param{
			{name: "content"},
			{name: "type", rare: true, enum: list("decision context checkpoint attention")},
			{name: "priority", rare: true, enum: list("critical high medium normal low")},
			{name: "file"},
			{name: "task", rare: true},
			{name: "name", rare: true},
		},
		actions: []action{
			{name: "create", needs: list("content"), takes: list("type priority file task name"), command: "idumb create anchor", run: createAnchor},
			{name: "list", takes: list("type task"), run: (*call).ask, read: listAnchors, kinds: []string{resources.Anchors, resources.Tasks, resources.WorkPlans, resources.CheckpointsKind}},
		},
	}
}

func createAnchor(c *call) (answer, error) {
	a := created(resources.Anchors, c.args.text("name")).(*resources.Anchor)
	a.Spec = resources.AnchorSpec{Content: c.args.text("content"), Type: c.args.text("type"), Priority: c.args.text("priority")}
	source := resources.AnchorSource{File: c.args.text("file"), Task: taskKey(c.args.text("task")).Name}
	if source.File != "" {
		sum, err := c.sumOf(source.File)
		if err != nil {
			return nil, err
		}
		source.SHA256 = sum
	}
	if source != (resources.AnchorSource{}) {
		a.Spec.Source = &source
	}
	return c.create(a)
}

// sumOf is the sum of a file now, so that only a change of what is in it makes an
// anchor stale.
func (c *call) sumOf(file string) (string, error) {
	snapshot, err := c.files.Load(c.ctx, c.now, resources.Configs)
	if err != nil {
		return "", err
	}
	_, sum, exists := snapshot.SourceFile(file)
	if !exists {
		return "", refusal(fmt.Sprintf("There is no file %q.", file), "An anchor that names a file turns stale when that changes; this one would be from the start.",
			c.without("file"), "files are named from the repository's root, with /")
	}
	return sum, nil
}

// anchorLine is one anchor in a list.
type anchorLine struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Priority string `json:"priority"`
	Phase    string `json:"phase"`
	Content  string `json:"content"`
	score    int
}

func listAnchors(r reading) (answer, error) {
	kind, task := r.args.text("type"), taskKey(r.args.text("task")).Name
	var lines []anchorLine
	for _, key := range r.List(resources.Anchors) {
		o, _ := r.Get(key)
		a, ok := o.(*resources.Anchor)
		line := anchorLine{Name: key.Name}
		if !ok {
			continue
		}
		st, _ := status.DeriveAnchor(a, r)
		line.Type, line.Priority = cmp.Or(a.Spec.Type, "context"), cmp.Or(a.Spec.Priority, resources.DefaultPriority)
		line.Phase, line.Content, line.score = st.Phase, brief(a.Spec.Content), st.Score
		if kind != "" && line.Type != kind || task != "" && (a.Spec.Source == nil || a.Spec.Source.Task != task) {
			continue
		}
		lines = append(lines, line)
	}
	slices.SortStableFunc(lines, func(a, b anchorLine) int { return cmp.Compare(b.score, a.score) })
	return listed("anchors", lines, len(lines)), nil
}

// brief is a text for a list: safe to show, and a line of it at most.
func brief(s string) string {
	const longest = 240
	s = admission.Plain(s)
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "..."
	}
	return s
}
