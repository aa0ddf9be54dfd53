package tools

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
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
}

// recallMems finds mems by the same scores by which they enter a context: it packs
// one that is about the query and about nothing else.
func recallMems(c *call) (answer, error) {
	snapshot, err := c.files.LoadKinds(c.ctx, c.now, resources.Mems, resources.Tasks, resources.WorkPlans, resources.CheckpointsKind)
	if err != nil {
		return nil, err
	}
	var mems []packer.Mem
	known := map[string]packer.Mem{}
	for _, key := range snapshot.List(resources.Mems) {
		o, _ := snapshot.Get(key)
		if m, ok := o.(*resources.Mem); ok {
			status, _ := resources.DeriveMem(m, snapshot)
			known[key.Name] = packer.Mem{Object: m, Status: status}
			mems = append(mems, known[key.Name])
		}
	}
	pack := packer.Build(packer.Input{Day: c.now, Config: snapshot.Settings(), Intent: c.args.text("query"), Mems: mems})
	var lines []memLine
	for _, name := range best(pack.Entries) {
		m, ok := known[name]
		if !ok {
			continue
		}
		lines = append(lines, memLine{
			Name: name, Type: cmp.Or(m.Object.Spec.Type, "insight"), Phase: m.Status.Phase, Confidence: m.Status.Confidence, Content: brief(m.Object.Spec.Content),
		})
	}
	if len(lines) == 0 {
		return answer{{"mems", "none"}}, nil
	}
	return answer{}.with("mems", lines), nil
}

// best returns the names of the mems that have something to do with what was
// asked, best first.
func best(entries []packer.Entry) []string {
	scored := slices.DeleteFunc(slices.Clone(entries), func(e packer.Entry) bool { return e.Score <= 0 || !strings.HasPrefix(e.ID, "mems/") })
	slices.SortStableFunc(scored, func(a, b packer.Entry) int { return cmp.Compare(b.Score, a.Score) })
	var names []string
	for _, e := range scored[:min(maxRecalled, len(scored))] {
		names = append(names, strings.TrimPrefix(e.ID, "mems/"))
	}
	return names
}
