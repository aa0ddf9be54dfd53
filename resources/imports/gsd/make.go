package gsd

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// make makes plans of phases and tasks of their plans, then says what waits for what.
func (s *stream) make() {
	for _, ph := range s.phases {
		ph.make()
		ph.plans = slices.DeleteFunc(ph.plans, func(p *plan) bool { return !p.make() })
	}
	for _, ph := range s.phases {
		ph.dependsOn()
		for _, p := range ph.plans {
			p.spec().DependsOn, p.draft.Blocks = s.resolve(p, p.waits), s.resolve(p, p.blocks)
		}
		ph.stages()
	}
}

// titles are what the plans are called that are no phases.
var titles = map[string]string{quick: "Quick tasks", todos: "Todos"}

// make makes the plan of a phase.
func (ph *phase) make() {
	ph.id = ph.stream.within(ph.folder)
	title := cmp.Or(titles[ph.folder], strings.ReplaceAll(ph.name, "-", " "), ph.folder)
	if titles[ph.folder] != "" {
		ph.id = ph.stream.within("gsd-" + ph.folder)
	}
	if ph.said != nil {
		title = cmp.Or(ph.said.name, title)
	}
	d := ph.stream.MakePlan(ph.id, title).From(ph.file)
	spec := migrate.Spec[resources.WorkPlanSpec](d)
	spec.Category = "development"
	milestone := ph.label
	if e := ph.said; e != nil {
		spec.Acceptance = resources.Distinct(e.criteria...)
		d.Annotate("goal", e.goal)
		d.Annotate("depends-on", e.waits)
		milestone = cmp.Or(milestone, e.milestone)
	}
	if milestone != "" {
		d.Label(migrate.Prefix("gsd")+"milestone", milestone)
	}
	if !slices.ContainsFunc(ph.plans, (*plan).begun) && !ph.done() {
		d.Finally = append(d.Finally, func() { spec.State = resources.PlanDraft }) // nobody planned it yet
	}
}

// within is the id of something of a workstream.
func (s *stream) within(id string) string {
	if s.name == "" {
		return id
	}
	return s.name + "-" + id
}

// done reports whether the roadmap ticks a phase.
func (ph *phase) done() bool { return ph.said != nil && ph.said.done }

// dependsOn says what a phase waits for. One that is not there is reported.
func (ph *phase) dependsOn() {
	if ph.said == nil {
		return
	}
	var ids []string
	for _, ref := range ph.said.waitsFor() {
		if other := ph.stream.numbered(ref); other != nil {
			ids = append(ids, other.id)
		} else if strings.Trim(ref, "0123456789.") == "" { // no word of a sentence, which is kept
			ids = append(ids, ref)
		}
	}
	spec := migrate.Spec[resources.WorkPlanSpec](ph.stream.Find(resources.WorkPlans, ph.id))
	spec.DependsOn = resources.Distinct(slices.DeleteFunc(ids, func(id string) bool { return id == ph.id })...)
}

// stages makes stages of the waves of a phase. The tasks of a wave that name nothing wait for those of the wave before, as GSD
// lets them.
func (ph *phase) stages() {
	waves := map[int][]string{} // the ids of their tasks
	for _, p := range ph.plans {
		if p.wave > 0 {
			waves[p.wave] = append(waves[p.wave], p.draft.ID)
		}
	}
	if len(waves) < 2 {
		return
	}
	spec, before := migrate.Spec[resources.WorkPlanSpec](ph.stream.Find(resources.WorkPlans, ph.id)), 0
	for _, w := range slices.Sorted(maps.Keys(waves)) {
		name := "wave-" + strconv.Itoa(w)
		spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Title: "Wave " + strconv.Itoa(w), Order: w})
		for _, p := range ph.plans {
			if p.wave != w {
				continue
			}
			if p.spec().Phase = name; before > 0 && len(p.waits) == 0 {
				p.spec().DependsOn = append(p.spec().DependsOn, waves[before]...)
				r := &ph.stream.Report
				r.Note(&r.Changed, "of a later wave, and names nothing that comes first: waits for the wave before", p.draft.ID)
			}
		}
		before = w
	}
}

// numbered is the phase of a number, which may have a P before it, or of a folder's name; nil if there is none. One that was
// not shipped counts first.
func (s *stream) numbered(ref string) *phase {
	for _, wanted := range []string{ref, strings.TrimLeft(ref, "Pp")} {
		var found *phase
		for _, ph := range s.phases {
			is := ph.number != "" && fold(ph.number) == fold(wanted) || strings.EqualFold(ph.folder, wanted)
			if is && (found == nil || found.label != "" && ph.label == "") {
				found = ph
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// resolve turns what a plan refers to into ids of tasks. What is not there stays as it was, and is reported.
func (s *stream) resolve(p *plan, refs []string) []string {
	var ids []string
	for _, ref := range refs {
		found := s.find(p, ref)
		if first, _, more := strings.Cut(ref, " "); more && len(found) == 0 {
			found = s.find(p, first) // a remark follows
		}
		if len(found) == 0 {
			found = []string{ref}
		}
		ids = append(ids, found...)
	}
	return resources.Distinct(slices.DeleteFunc(ids, func(id string) bool { return id == p.draft.ID })...)
}

// find looks for what a plan refers to: a plan of its phase, a plan of another one, all plans of a phase.
func (s *stream) find(p *plan, ref string) []string {
	for _, ph := range append([]*phase{p.phase}, s.phases...) {
		for _, other := range ph.plans {
			if other.is(ref) || ph == p.phase && other.local() == fold(ref) {
				return []string{other.draft.ID}
			}
		}
	}
	var all []string
	if ph := s.numbered(ref); ph != nil && ph != p.phase {
		for _, other := range ph.plans {
			all = append(all, other.draft.ID)
		}
	}
	return all
}
