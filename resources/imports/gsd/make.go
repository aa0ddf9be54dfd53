package gsd

import (
	"cmp"
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
		for _, p := range ph.plans {
			p.make()
		}
	}
	for _, ph := range s.phases {
		ph.order()
		for _, p := range ph.plans {
			if p.draft != nil {
				migrate.Spec[resources.TaskSpec](p.draft).DependsOn = s.resolve(p, p.waits)
				p.draft.Blocks = s.resolve(p, p.blocks)
			}
		}
		ph.gate()
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
		spec.Acceptance = distinct(e.criteria)
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

func distinct(list []string) []string {
	var out []string
	for _, text := range list {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// order says what a phase waits for, and makes stages of its waves.
func (ph *phase) order() {
	d := ph.stream.Find(resources.WorkPlans, ph.id)
	spec := migrate.Spec[resources.WorkPlanSpec](d)
	if ph.said != nil {
		for _, ref := range ph.said.waitsFor() {
			id := ref
			if other := ph.stream.numbered(ref); other != nil {
				id = other.id
			} else if strings.Trim(ref, "0123456789.") != "" {
				continue // a word of a sentence, which is kept
			}
			if id != ph.id && !slices.Contains(spec.DependsOn, id) {
				spec.DependsOn = append(spec.DependsOn, id) // one that is not there is reported
			}
		}
	}
	waves := ph.waves()
	if len(waves) < 2 {
		return
	}
	for _, w := range waves {
		spec.Phases = append(spec.Phases, resources.PlanPhase{Name: waveName(w), Title: "Wave " + strconv.Itoa(w), Order: w})
	}
	for _, p := range ph.plans {
		if p.draft != nil && p.wave > 0 {
			migrate.Spec[resources.TaskSpec](p.draft).Phase = waveName(p.wave)
		}
	}
}

// waves are the waves of a phase, in their order.
func (ph *phase) waves() []int {
	var waves []int
	for _, p := range ph.plans {
		if p.draft != nil && p.wave > 0 && !slices.Contains(waves, p.wave) {
			waves = append(waves, p.wave)
		}
	}
	slices.Sort(waves)
	return waves
}

func waveName(w int) string { return "wave-" + strconv.Itoa(w) }

// gate makes the tasks of a wave that name nothing wait for those of the wave before, as GSD lets them.
func (ph *phase) gate() {
	waves := ph.waves()
	for _, p := range ph.plans {
		if p.draft == nil || len(p.waits) > 0 {
			continue
		}
		i := slices.Index(waves, p.wave)
		if i < 1 {
			continue
		}
		spec := migrate.Spec[resources.TaskSpec](p.draft)
		for _, before := range ph.plans {
			if before.draft != nil && before.wave == waves[i-1] {
				spec.DependsOn = append(spec.DependsOn, before.draft.ID)
			}
		}
		r := &ph.stream.Report
		r.Note(&r.Changed, "of a later wave, and names nothing that comes first: waits for the wave before", p.draft.ID)
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
		for _, id := range found {
			if id != p.draft.ID && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// find looks for what a plan refers to: a plan of its phase, a plan of another one, all plans of a phase.
func (s *stream) find(p *plan, ref string) []string {
	for _, ph := range append([]*phase{p.phase}, s.phases...) {
		for _, other := range ph.plans {
			if other.draft != nil && (other.is(ref) || ph == p.phase && other.local() == fold(ref)) {
				return []string{other.draft.ID}
			}
		}
	}
	var all []string
	if ph := s.numbered(ref); ph != nil && ph != p.phase {
		for _, other := range ph.plans {
			if other.draft != nil {
				all = append(all, other.draft.ID)
			}
		}
	}
	return all
}
