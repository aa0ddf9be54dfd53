package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// memTool returns the tool that records and finds mems.
func memTool() tool {
	return tool{
		name: "mem", objectParam: "name", kind: resources.Mems,
		doc:         "Knowledge for later sessions. recall before you search, show {name} returns one whole; confirm {name} after you relied on it; flag_false_path {avoid, because, instead}; link {name, to: kind/name}.",
		actionTexts: "save also takes name, topic (the next mem on it replaces this one), type (decision, convention, gotcha, ...), task, paths [], tags [], evidence [file, file#heading, file#declaration or note], confidence, supersedes with reason.",
		params: []param{
			{name: "query"},
			{name: "content"},
			{name: "type", isHidden: true, enum: list("insight architecture decision pattern tech-stack research codebase-fact convention gotcha")},
			{name: "topic", isHidden: true},
			{name: "cues", isList: true, doc: "3-8 phrases a later task would use"},
			{name: "tags", isList: true, isHidden: true},
			{name: "paths", isList: true, isHidden: true},
			{name: "evidence", isList: true, isHidden: true},
			{name: "task", isHidden: true},
			{name: "confidence", kind: number, max: 100, isHidden: true},
			{name: "supersedes", isHidden: true},
			{name: "reason", isHidden: true},
			{name: "avoid", isHidden: true},
			{name: "because", isHidden: true},
			{name: "instead", isHidden: true},
			{name: "name", isHidden: true},
			{name: "to", isHidden: true},
		},
		actions: []action{
			{name: "save", required: list("content"), optional: list("type topic cues tags paths evidence task confidence supersedes reason name"), command: "idumb create mem", run: saveMem},
			{name: "recall", required: list("query"), optional: list("paths"), run: recallMems, read: recalledMems, kinds: status.WorkKinds()},
			{name: "show", required: list("name"), run: showMem, read: fullMem, kinds: status.WorkKinds()},
			{name: "link", required: list("name to"), command: "idumb create mem", run: linkMem},
			{name: "flag_false_path", required: list("avoid because instead"), optional: list("topic cues tags paths evidence task confidence supersedes reason name"), command: "idumb create mem", run: flagFalsePath},
			{name: "confirm", required: list("name"), optional: list("evidence reason"), command: "idumb create mem", act: "confirm"},
			{name: "review", run: (*call).ask, read: reviewMems},
		},
	}
}

func saveMem(c *call) (answer, error) { return c.saveMem(c.args.text("content"), c.args.text("type")) }

// flagFalsePath saves a false path from the arguments avoid, because and instead.
func flagFalsePath(c *call) (answer, error) {
	return c.saveMem(resources.FalsePathText(c.args.text("avoid"), c.args.text("because"), c.args.text("instead")), resources.FalsePath)
}

// saveMem saves a mem with this content and type, and with the other arguments of the call.
func (c *call) saveMem(content, kind string) (answer, error) {
	m := resources.New[*resources.Mem](resources.Mems, c.args.text("name"))
	m.Spec = resources.MemSpec{
		Content: content, Type: kind, TopicKey: c.args.text("topic"), Tags: c.args.texts("tags"),
		OriginTask: c.originTask(), Supersedes: keyOf(resources.Mems, c.args.text("supersedes")).Name, SupersedeReason: c.args.text("reason"),
	}
	for _, text := range c.args.texts("evidence") {
		m.Spec.Evidence = append(m.Spec.Evidence, resources.MemEvidence{Note: text})
	}
	if when := (resources.AppliesWhen{Cues: c.args.texts("cues"), Paths: c.args.texts("paths")}); len(when.Cues)+len(when.Paths) > 0 {
		m.Spec.AppliesWhen = &when
	}
	if c.args.has("confidence") {
		confidence := c.args.number("confidence", 0)
		m.Spec.Confidence = &confidence
	}
	result, saved, err := c.repo.SaveMem(c.ctx, m, mems.Save)
	if err != nil {
		return nil, c.memFailed(err, m.Key())
	}
	return c.savedAnswer(result, saved), nil
}

// savedAnswer returns the answer about a saved mem. It asks for cues if the mem has too few, because a
// mem without cues is rarely found.
func (c *call) savedAnswer(result mutate.Result, saved mems.Saved) answer {
	reply := objectAnswer(result.New)
	m := result.New.(*resources.Mem)
	switch saved.Operation {
	case mems.Duplicate:
		if saved.Replaced != "" {
			reply = reply.add("replaces", saved.Replaced)
		}
		return reply.add("duplicates", m.Spec.Duplicates).add("note", "It was there already, in the same words: it is counted, not stored twice.")
	case mems.Revision:
		reply = reply.add("replaces", saved.Replaced)
	}
	notes := slices.Clone(saved.Notes)
	for _, hint := range saved.Hints {
		notes = append(notes, "hint: "+hint)
	}
	if when := m.Spec.AppliesWhen; when == nil || len(when.Cues) < mems.FewestCues {
		notes = append(notes, mems.CueAdvice)
	}
	return reply.add("task", m.Spec.OriginTask).add("notes", plainly(notes))
}

// plainly escapes texts in place, for an agent, and returns them.
func plainly(texts []string) []string {
	for i := range texts {
		texts[i] = admission.Plain(texts[i])
	}
	return texts
}

// originTask returns the task in which a fact was learned: the task in the call, or else the
// caller's current task.
func (c *call) originTask() string {
	if name := c.args.text("task"); name != "" {
		return taskKey(name).Name
	}
	if t, ok := c.gate.Work(); ok {
		return t.Metadata.Name
	}
	return ""
}

// changeMem changes the mem that the call names.
func (c *call) changeMem(change func(*resources.Mem, *mutate.View) (*resources.Mem, error)) (*resources.Mem, error) {
	key := keyOf(resources.Mems, c.args.text("name"))
	result, err := c.repo.One(c.ctx, key, func(o resources.Object, v *mutate.View) (resources.Object, error) {
		return change(o.(*resources.Mem), v)
	})
	if err != nil {
		return nil, c.memFailed(err, key)
	}
	return result.New.(*resources.Mem), nil
}

// linkMem links the mem that the call names to the object in the argument to.
func linkMem(c *call) (answer, error) {
	to := c.args.text("to")
	m, err := c.changeMem(func(m *resources.Mem, v *mutate.View) (*resources.Mem, error) { return mems.LinkAs(m, to, v) })
	if err != nil {
		return nil, err
	}
	return objectAnswer(m).add("relatedTo", m.Spec.RelatedTo), nil
}

// confirmer returns the caller's current task, or else its agent or role. Confirmations from one
// task count at most once a day.
func (c *call) confirmer() string {
	if t, ok := c.gate.Work(); ok {
		return "task/" + t.Metadata.Name
	}
	return cmp.Or(c.caller.Agent, c.caller.Role, "agent")
}

// concernLine is one mem or anchor that needs a review.
type concernLine struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	Text   string `json:"what"`
}

// reviewMems lists the mems and anchors that need a review.
func reviewMems(r reading) (answer, error) {
	all := queries.Review(r.Source)
	var lines []concernLine
	for i := range all[:min(maxListed, len(all))] {
		lines = append(lines, concernLine{all[i].Name(), all[i].Reason, listText(all[i].What)})
	}
	return listAnswer("mems", lines, len(all)), nil
}

// memFailed explains why a mem was not written and names a step that the tool offers.
func (c *call) memFailed(err error, key resources.Key) error {
	r, ok := refusalIn(err)
	if !ok {
		return c.explainWrite(err, key)
	}
	instead := c.repeatWithout("supersedes")
	switch r.Cause {
	case mems.NoReason:
		instead = c.repeat("reason", "why it is no longer in effect")
	case mems.Replaced, mems.OutOfUse, mems.Itself:
		instead = step("mem", "action", "recall", "query", key.Name)
	case mems.NoPart:
		instead = c.repeat("evidence", replaceText(c.args.texts("evidence"), r.Evidence, strings.TrimPrefix(r.Step, mems.CiteInstead)))
	case mems.Changed:
		instead = c.repeat("evidence", []string{"the file that shows it now"})
	case mems.FalsePathCause:
		instead = step("mem", "action", "save", "content", "what holds instead", "supersedes", key.Name, "reason", "why it is no longer in effect")
	}
	return refusal(fmt.Sprintf("mem %s was refused.", c.action.name), r.Why+".", instead, key.String())
}

// replaceText returns a copy of texts in which other replaces old.
func replaceText(texts []string, old, other string) []string {
	texts = slices.Clone(texts)
	for i, text := range texts {
		if strings.TrimSpace(text) == old {
			texts[i] = other
		}
	}
	return texts
}
