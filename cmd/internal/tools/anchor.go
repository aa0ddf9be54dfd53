package tools

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// anchorTool returns the tool for facts that are kept after a compaction.
func anchorTool() tool {
	return tool{
		name: "anchor", kind: resources.Anchors,
		doc: "A fact that must survive compaction; one with its file (or task) turns stale when that changes, until you validate {name}. Also type (decision, context, checkpoint, attention), priority, name.",
		params: []param{
			{name: "content"},
			{name: "type", isHidden: true, enum: resources.Choices(resources.Anchors, "spec.type")},
			{name: "priority", isHidden: true, enum: resources.Choices(resources.Anchors, "spec.priority")},
			{name: "file"},
			{name: "task", isHidden: true},
			{name: "name", isHidden: true},
		},
		actions: []action{
			{name: "create", required: list("content"), optional: list("type priority file task name"), command: "idumb create anchor", run: createAnchor},
			{name: "update", required: list("name"), optional: list("content type priority file task"), command: "idumb create anchor", run: updateAnchor},
			{name: "validate", required: list("name"), command: "idumb create anchor", act: "confirm"},
			{name: "remove", required: list("name"), command: "idumb create anchor", run: removeAnchor},
			{name: "list", optional: list("type task"), run: (*call).ask, read: listAnchors, kinds: []string{resources.Anchors, resources.Tasks, resources.WorkPlans, resources.CheckpointsKind}},
		},
	}
}

// createAnchor creates an anchor from the arguments.
func createAnchor(c *call) (answer, error) {
	a := resources.New[*resources.Anchor](resources.Anchors, c.args.text("name"))
	a.Spec = resources.AnchorSpec{Content: c.args.text("content"), Type: c.args.text("type"), Priority: c.args.text("priority")}
	source, err := c.anchorSource()
	if err != nil {
		return nil, err
	}
	a.Spec.Source = source
	return c.create(a)
}

// anchorSource returns the source of an anchor according to the call, or nil if the call names
// none.
func (c *call) anchorSource() (*resources.AnchorSource, error) {
	source := resources.AnchorSource{File: c.args.text("file"), Task: taskKey(c.args.text("task")).Name}
	if source.File != "" {
		sum, err := c.sumOf(source.File)
		if err != nil {
			return nil, err
		}
		source.SHA256 = sum
	}
	if source == (resources.AnchorSource{}) {
		return nil, nil
	}
	return &source, nil
}

// updateAnchor changes an anchor according to the call. A new source replaces the whole old source.
func updateAnchor(c *call) (answer, error) {
	source, err := c.anchorSource()
	if err != nil {
		return nil, err
	}
	result, err := c.repo.One(c.ctx, c.anchorKey(), func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		next := resources.Clone(o).(*resources.Anchor)
		c.args.into("content", &next.Spec.Content)
		c.args.into("type", &next.Spec.Type)
		c.args.into("priority", &next.Spec.Priority)
		if source != nil {
			next.Spec.Source = source
		}
		return next, nil
	})
	if err != nil {
		return nil, c.explainWrite(err, c.anchorKey())
	}
	return objectAnswer(result.New), nil
}

// removeAnchor archives an anchor. `idumb restore` restores it.
func removeAnchor(c *call) (answer, error) {
	key := c.anchorKey()
	if _, err := c.repo.Archive(c.ctx, []resources.Key{key}, mutate.Guarded); err != nil {
		return nil, c.explainWrite(err, key)
	}
	return answer{{"name", key.Name}, {"state", "archived"}}, nil
}

func (c *call) anchorKey() resources.Key { return keyOf(resources.Anchors, c.args.text("name")) }

// sumOf returns the current checksum of a file, so that only a change of its content makes an
// anchor stale.
func (c *call) sumOf(file string) (string, error) {
	snapshot, err := c.files.Load(c.ctx, c.now, resources.Configs)
	if err != nil {
		return "", err
	}
	_, sum, exists := snapshot.SourceFile(file)
	if !exists {
		return "", refusal(fmt.Sprintf("There is no file %q.", file), "An anchor that names a file turns stale when that changes; this one would be from the start.",
			c.repeatWithout("file"), "files are named from the repository's root, with /")
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

// listAnchors lists the anchors of the requested type and task, highest score first.
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
		line.Phase, line.Content, line.score = st.Phase, listText(a.Spec.Content), st.Score
		if kind != "" && line.Type != kind || task != "" && (a.Spec.Source == nil || a.Spec.Source.Task != task) {
			continue
		}
		lines = append(lines, line)
	}
	slices.SortStableFunc(lines, func(a, b anchorLine) int { return cmp.Compare(b.score, a.score) })
	return listAnswer("anchors", lines, len(lines)), nil
}

// listText returns a text for a list: escaped, and not longer than one line.
func listText(s string) string { return resources.Shortened(admission.Plain(s), 240+len("..."), "...") }
