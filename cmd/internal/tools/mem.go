package tools

import (
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// memTool keeps what was learnt.
func memTool() tool {
	return tool{
		name: "mem",
		doc: "What was learnt, for every later session: what you only say is forgotten at the end of this one. recall before you search anew; " +
			"flag_false_path what proved wrong, so that nobody tries it again.",
		params: []param{
			{name: "query"},
			{name: "content"},
			{name: "type", enum: list("insight architecture decision pattern tech-stack research codebase-fact convention gotcha")},
			{name: "tags", kind: texts},
			{name: "task", doc: "where it was learnt"},
			{name: "confidence", kind: number, max: 100},
			{name: "supersedes", doc: "a mem"},
			{name: "avoid"},
			{name: "because"},
			{name: "instead"},
			{name: "name", doc: "the mem"},
			{name: "to", doc: "link: kind/name"},
		},
		actions: []action{
			{name: "save", needs: list("content"), takes: list("type tags task confidence supersedes name"), command: "idumb create mem", run: saveMem},
			{name: "recall", needs: list("query"), run: recallMems},
			{name: "link", needs: list("name to"), command: "idumb create mem", run: linkMem},
			{name: "flag_false_path", needs: list("avoid because instead"), takes: list("tags task confidence supersedes name"), command: "idumb create mem", run: flagFalsePath},
		},
	}
}

func saveMem(c *call) (answer, error) { return c.saveMem(c.args.text("content"), c.args.text("type")) }

func flagFalsePath(c *call) (answer, error) {
	content := fmt.Sprintf("AVOID %s BECAUSE %s INSTEAD %s", c.args.text("avoid"), c.args.text("because"), c.args.text("instead"))
	return c.saveMem(content, resources.FalsePath)
}

func (c *call) saveMem(content, kind string) (answer, error) {
	m := created(resources.Mems, c.args.text("name")).(*resources.Mem)
	m.Spec = resources.MemSpec{
		Content: content, Type: kind, Tags: c.args.texts("tags"),
		OriginTask: c.originTask(), Supersedes: keyOf(resources.Mems, c.args.text("supersedes")).Name,
	}
	if c.args.has("confidence") {
		confidence := c.args.number("confidence", 0)
		m.Spec.Confidence = &confidence
	}
	reply, err := c.create(m)
	return reply.with("task", m.Spec.OriginTask), err
}

// originTask is the task in which something was learnt: the one that the caller
// names, or the one that it works on.
func (c *call) originTask() string {
	if name := c.args.text("task"); name != "" {
		return taskKey(name).Name
	}
	if t, ok := c.gate.Work(); ok {
		return t.Metadata.Name
	}
	return ""
}

func linkMem(c *call) (answer, error) {
	key, to := keyOf(resources.Mems, c.args.text("name")), c.args.text("to")
	result, err := c.repo.One(c.ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		m := o.(*resources.Mem)
		if !slices.Contains(m.Spec.RelatedTo, to) {
			m.Spec.RelatedTo = append(m.Spec.RelatedTo, to)
		}
		return m, nil
	})
	if err != nil {
		return nil, c.failed(err, key)
	}
	return named(result.After).with("relatedTo", result.After.(*resources.Mem).Spec.RelatedTo), nil
}
