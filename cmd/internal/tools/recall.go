package tools

import (
	"github.com/idumb-dev/idumb/controller/mutate/memory"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxRecalled is how many mems one recall answers with.
const maxRecalled = 8

// memLine is one mem that was recalled.
type memLine struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Phase      string `json:"phase"`
	Confidence int    `json:"confidence"`
	Content    string `json:"content"`
	Check      string `json:"check,omitempty"` // why it is to be taken with care
	Why        string `json:"why"`
}

// recallMems finds mems by the same scores by which they enter a context.
func recallMems(c *call) (answer, error) {
	snapshot, err := c.files.Load(c.ctx, c.now, status.WorkKinds()...)
	if err != nil {
		return nil, err
	}
	found, _ := memory.Recall(snapshot, nil, memory.Question{Text: c.args.text("query"), Paths: c.args.texts("paths"), Most: maxRecalled})
	names := make([]string, 0, len(found))
	for i := range found {
		names = append(names, found[i].Object.Metadata.Name)
	}
	_ = memory.CountAccess(c.root, names, c.now)
	var lines []memLine
	for i := range found {
		r := &found[i]
		lines = append(lines, memLine{
			Name: r.Object.Metadata.Name, Type: resources.MemType(r.Object), Phase: r.Status.Phase, Confidence: r.Status.Confidence,
			Content: brief(r.Object.Spec.Content), Check: admission.Plain(memory.Standing(&r.Mem)), Why: brief(r.Hit.Why()),
		})
	}
	if len(lines) == 0 {
		return answer{{"mems", "none"}}, nil
	}
	return answer{}.with("mems", lines), nil
}
