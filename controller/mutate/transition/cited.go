package transition

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Source is the data needed to find what an evidence text names.
type Source interface {
	status.View
	// PlanTasks returns the names of the tasks of a plan, sorted.
	PlanTasks(plan string) []string
	// HasFile reports whether a file or directory of the repository matches a glob.
	HasFile(glob string) bool
}

// CheckMet refuses a transition of an agent that marks criteria as met with a text that names nothing that exists:
// neither a file, nor an object as KIND/NAME, nor a command that succeeded for a task of the plan.
func CheckMet(p *resources.WorkPlan, m Move, v Source) error {
	if m.Verb != Complete || len(m.Criteria) == 0 || strings.TrimSpace(m.Evidence) == "" || cites(m.Evidence, p.Metadata.Name, v) {
		return nil
	}
	return refuse(m.Verb, fmt.Sprintf("workplan %q", p.Metadata.Name), NoEvidence, "the evidence names no existing file, object or command",
		"name a file, an object as task/NAME, or a command that succeeded for a task of the plan; idumb get checkpoints lists them")
}

// cites reports whether a text names a file, an object, or a command that succeeded for a task of a plan.
func cites(text, plan string, v Source) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "`'\"()[]<>,;:.!?")
		file, _, _ := strings.Cut(word, "#")
		if kind, name, found := strings.Cut(word, "/"); found {
			if k, known := resources.LookupKind(kind); known && v.Exists(resources.Key{Kind: k.Plural, Name: name}) {
				return true
			}
		}
		if file != "" && !strings.ContainsAny(file, `*?[{\`) && v.HasFile(file) {
			return true
		}
	}
	line := strings.Join(strings.Fields(text), " ")
	for _, task := range v.PlanTasks(plan) {
		if seen := v.Evidence(task); seen != nil {
			for _, c := range seen.Commands {
				if c.Succeeded && strings.Contains(line, c.Line) {
					return true
				}
			}
		}
	}
	return false
}
