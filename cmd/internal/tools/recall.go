package tools

import (
	"encoding/json"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/memory"
)

// maxRecalled is the maximum number of mems in an answer.
const maxRecalled = 8

// memLine is one mem that was recalled.
type memLine struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Phase      string `json:"phase"`
	Confidence int    `json:"confidence"`
	Content    string `json:"content"`
	Check      string `json:"check,omitempty"` // why the mem needs to be checked
	Reason     string `json:"why"`
}

// recallMems returns the mems that match a query and counts the access to them.
func recallMems(c *call) (answer, error) {
	reply, err := c.ask()
	if err != nil {
		return nil, err
	}
	var lines []memLine
	if data, err := json.Marshal(reply[0].value); err == nil && json.Unmarshal(data, &lines) == nil {
		names := make([]string, len(lines))
		for i := range lines {
			names[i] = lines[i].Name
		}
		mems.CountAccess(c.root.Scratch(), names, c.now)
	}
	return reply, nil
}

// recalledMems finds mems with the same scores that are used for the context.
func recalledMems(r reading) (answer, error) {
	found := packer.Recall(r, r.Stock, packer.Question{Text: r.args.text("query"), Paths: r.args.texts("paths"), Most: maxRecalled})
	var lines []memLine
	for i := range found {
		m := &found[i]
		lines = append(lines, memLine{
			Name: m.Object.Metadata.Name, Type: resources.MemType(m.Object), Phase: m.Status.Phase, Confidence: m.Status.Confidence,
			Content: listText(m.Object.Spec.Content), Check: admission.Plain(memory.Warning(m.Object, &m.Status)), Reason: listText(m.Hit.Why()),
		})
	}
	return listAnswer("mems", lines, len(lines)), nil
}

// showMem returns one mem and counts the access to it.
func showMem(c *call) (answer, error) {
	reply, err := c.ask()
	if err == nil {
		mems.CountAccess(c.root.Scratch(), []string{keyOf(resources.Mems, c.args.text("name")).Name}, c.now)
	}
	return reply, err
}

// fullMem returns everything in a mem that a reader needs to rely on it.
func fullMem(r reading) (answer, error) {
	key := keyOf(resources.Mems, r.args.text("name"))
	o, _ := r.Get(key)
	m, found := o.(*resources.Mem)
	st, derived := r.Derived(key).(*resources.MemStatus)
	if !found || !derived {
		return nil, notFoundError{key}
	}
	var evidence []string
	for _, e := range m.Spec.Evidence {
		evidence = append(evidence, admission.Plain(strings.TrimSpace(e.Cites()+" "+e.Note)))
	}
	return objectAnswer(m).add("type", resources.MemType(m)).add("title", admission.Plain(m.Spec.Title)).add("content", admission.SafeText(m.Spec.Content)).
		add("evidence", evidence).add("task", m.Spec.OriginTask).add("recordedAt", st.RecordedAt).
		add("phase", st.Phase).add("confidence", st.Confidence).add("check", admission.Plain(memory.Warning(m, st))), nil
}
