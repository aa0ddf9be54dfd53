package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Plan reads a record as a plan. nil: the record was there already.
func (b *Builder) Plan(f File, r *Record) *Draft {
	d := b.Add(resources.WorkPlans, f, r, r.Text(strings.Fields(idNames)...))
	if d == nil {
		return nil
	}
	title := or(r.Text(strings.Fields(titleNames)...), d.ID)
	list, text := criteria(r)
	if len(list) == 0 {
		list = Bullets(text)
	}
	word := r.Text(strings.Fields(statusNames)...)
	state, known := PlanState(word)
	*Spec[resources.WorkPlanSpec](d) = resources.WorkPlanSpec{Title: firstLine(title), Acceptance: list, State: state}
	b.Map(d)
	if firstLine(title) != title {
		d.Annotate("title", title)
	}
	if word != state {
		d.Annotate("status", word)
	}
	if !known {
		b.report.Note(&b.report.Odd, "unknown status "+word+" of a plan: "+state, d.ID)
	}
	return d
}

// criteria takes a list of criteria; nil if there is none, or if it is one text, which is returned as it is.
func criteria(r *Record) (list []string, text string) {
	names := strings.Fields(criteriaNames)
	if v, ok := r.Peek(names...); ok && v.Type == String {
		return nil, r.Text(names...)
	}
	return r.Texts(names...), ""
}

// allDone is the criterion of a plan that names none.
const allDone = "Every task of the plan is completed"

// Bullets returns the lines of a list of criteria, without their bullets.
func Bullets(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, bullet := range []string{"- [ ] ", "- [x] ", "- [X] ", "- ", "* "} {
			if rest, ok := strings.CutPrefix(line, bullet); ok {
				line = strings.TrimSpace(rest)
				break
			}
		}
		if line != "" {
			list = append(list, line)
		}
	}
	if len(list) == 0 {
		return []string{allDone}
	}
	return list
}
