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

// titles maps plans that are not phases to their titles.
var titles = map[string]string{quick: "Quick tasks", todos: "Todos"}

// make creates the plan of a phase.
func (ph *phase) make() {
	ph.id = ph.stream.qualifiedID(ph.folder)
	title := cmp.Or(titles[ph.folder], strings.ReplaceAll(ph.name, "-", " "), ph.folder)
	if titles[ph.folder] != "" {
		ph.id = ph.stream.qualifiedID("gsd-" + ph.folder)
	}
	if ph.entry != nil {
		title = cmp.Or(ph.entry.name, title)
	}
	d := ph.stream.MakePlan(ph.id, title).SetSource(ph.file)
	spec := migrate.Spec[resources.WorkPlanSpec](d)
	spec.Category = "development"
	milestone := ph.label
	if e := ph.entry; e != nil {
		spec.Acceptance = resources.Distinct(e.criteria...)
		d.Annotate("goal", e.goal)
		d.Annotate("depends-on", e.waits)
		milestone = cmp.Or(milestone, e.milestone)
	}
	if milestone != "" {
		d.Label(migrate.Prefix("gsd")+"milestone", milestone)
	}
	if !slices.ContainsFunc(ph.plans, (*plan).begun) && !ph.done() {
		d.Finally = append(d.Finally, func() { spec.State = resources.PlanDraft }) // not planned yet
	}
}

// qualifiedID returns an ID in a workstream.
func (s *stream) qualifiedID(id string) string {
	if s.name == "" {
		return id
	}
	return s.name + "-" + id
}

// done reports whether a phase is checked off in the roadmap.
func (ph *phase) done() bool { return ph.entry != nil && ph.entry.done }

// dependsOn sets the dependencies of a phase. Missing phases are reported.
func (ph *phase) dependsOn() {
	if ph.entry == nil {
		return
	}
	var ids []string
	for _, ref := range ph.entry.waitsFor() {
		if other := ph.stream.numbered(ref); other != nil {
			ids = append(ids, other.id)
		} else if strings.Trim(ref, "0123456789.") == "" { // not a word of a sentence, which is preserved
			ids = append(ids, ref)
		}
	}
	spec := migrate.Spec[resources.WorkPlanSpec](ph.stream.Find(resources.WorkPlans, ph.id))
	spec.DependsOn = resources.Distinct(slices.DeleteFunc(ids, func(id string) bool { return id == ph.id })...)
}

// stages converts the waves of a phase to stages. As in GSD, tasks without dependencies
// wait for the tasks of the previous wave.
func (ph *phase) stages() {
	waves := map[int][]string{} // task IDs by wave
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
				r.Note(&r.Changed, "in a later wave, without a dependency: waits for the previous wave", p.draft.ID)
			}
		}
		before = w
	}
}

// numbered returns the phase with a number, optionally prefixed with P, or with a directory
// name. It returns nil if there is no such phase. Open phases have precedence over shipped
// ones.
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

// resolve converts the references of a plan to task IDs. Unknown references remain
// unchanged, and are reported.
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

// find resolves a reference of a plan: to a plan of the same phase, to a plan of another
// phase, or to all plans of a phase.
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
