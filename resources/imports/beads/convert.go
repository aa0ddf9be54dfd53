package beads

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Prefix is the prefix of the labels and annotations that an import sets.
const Prefix = "beads." + resources.Group + "/"

// Annotations that an import reads again.
const (
	annotationID     = Prefix + migrate.IDKey                    // issue ID in beads
	annotationIssue  = Prefix + "issue"                          // original issue, for export
	annotationBuried = Prefix + "buried"                         // IDs of tombstones with an edge from the issue, for export
	annotationDigest = Prefix + resources.AnnotationImportDigest // digest of the imported object
)

// conversion is the state of one import of beads' issues.
type conversion struct {
	*migrate.Builder
	file       migrate.File
	list       []*issue // without tombstones after bury
	byID       map[string]*issue
	tombstones map[string]bool   // IDs of tombstones
	gates      map[string]bool   // IDs of epics with an additional task
	parted     map[string]bool   // IDs of parents with an open child
	loose      []edge            // edges on separate lines
	memories   map[string]string // by key
	recognized bool              // at least one record is in the format of beads

	lines, issues, memoryCount int // non-empty lines, issues including tombstones, memories including repeated ones
}

// Convert is a migrate.Converter for one export, or for several exports that are merged.
func Convert(in migrate.Input) migrate.Outcome {
	c := &conversion{
		Builder: migrate.NewBuilder("beads", "beads", migrate.Input{Get: in.Get}), byID: map[string]*issue{}, tombstones: map[string]bool{},
		gates: map[string]bool{}, parted: map[string]bool{}, memories: map[string]string{},
	}
	c.KeepBroken = true
	for _, f := range in.Files {
		c.file.Path = cmp.Or(c.file.Path, f.Path)
		c.file.Data = append(bytes.TrimSuffix(append(c.file.Data, asLines(migrate.Text8(f.Data))...), []byte("\n")), '\n')
	}
	c.read()
	// Deleted issues (tombstones) leave the list.
	c.issues = len(c.list)
	c.list = slices.DeleteFunc(c.list, func(i *issue) bool {
		if i.status == tombstone {
			c.tombstones[i.id] = true
			delete(c.byID, i.id)
			c.Keep(c.file)
		}
		return i.status == tombstone
	})
	c.join()
	for _, i := range c.list {
		c.check(i)
	}
	c.settleStashes()
	for _, i := range c.list {
		if i.isOver() {
			continue
		}
		for _, up := range i.targets(parentChild) {
			c.parted[up] = true
		}
	}
	for _, i := range c.list {
		c.findGates(i)
	}
	c.build()
	c.reportCircles()
	c.summarize()
	if !c.recognized {
		c.Foreign = "an issue has an id and a title or a status; a file has one issue per line, or a list of issues"
	}
	return c.Finish()
}

// summarize sets the summary of the report.
func (c *conversion) summarize() {
	read := fmt.Sprintf("Read %d issues", c.issues)
	if c.memoryCount > 0 {
		read += fmt.Sprintf(" and %d memories", c.memoryCount)
	}
	read += fmt.Sprintf(" on %d lines", c.lines)
	if len(c.tombstones) > 0 {
		read += fmt.Sprintf("; left out %d that were deleted there (tombstones)", len(c.tombstones))
	}
	c.Report.Summary = read + "."
}

// problem reports an unreadable line or issue.
func (c *conversion) problem(line int, id, message string) {
	c.Report.Trouble(migrate.Problem{Line: line, ID: id, Message: message})
}

// leave reports data of a line that is not converted.
func (c *conversion) leave(line int, what string) {
	c.Leave(c.file, what, fmt.Sprintf("line %d", line))
}

// odd reports an unusual value that was converted.
func (c *conversion) odd(what, id string) { c.Report.Note(&c.Report.Odd, what, id) }

// changed reports a value that was changed by the conversion.
func (c *conversion) changed(what, id string) { c.Report.Note(&c.Report.Changed, what, id) }

// gateID returns the ID of the task for an epic. No issue can have this ID.
func gateID(id string) string { return id + " (epic)" }

// planID returns the ID of the plan for issues without an epic that have a prefix. No issue can
// have this ID.
func planID(prefix string) string { return prefix + " (no epic)" }

// build creates all drafts. References between them use IDs.
func (c *conversion) build() {
	for _, i := range c.list {
		switch {
		case i.verbatim():
			c.AddAs(i.stash.object, i.id, c.file)
		case i.isEpic():
			c.plan(i)
		default:
			c.task(i)
		}
		if c.gates[i.id] {
			c.gate(i)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.memories)) {
		*migrate.Spec[resources.MemSpec](c.Make(resources.Mems, key).SetSource(c.file)) = resources.MemSpec{Title: key, Content: c.memories[key], Source: "beads"}
	}
}

// draft starts the object of an issue.
func (c *conversion) draft(kind string, i *issue) *migrate.Draft {
	d := c.Make(kind, i.id).SetSource(c.file)
	d.Created(i.created)
	d.Meta().Annotations[annotationIssue] = string(i.raw)
	if len(i.buried) > 0 {
		d.Meta().Annotations[annotationBuried] = string(migrate.ValueOf(i.buried).JSON())
	}
	d.Label(Prefix+"type", i.kind)
	for _, f := range append(i.extra, i.record.Rest()...) {
		d.Annotate(f.Name, f.Value.Plain())
	}
	c.labels(d, i)
	byType := map[string]bool{blocks: true}
	for _, e := range i.edges {
		if byType[e.Type] {
			continue
		}
		byType[e.Type] = true
		if ends := i.targets(e.Type); e.Type != parentChild {
			d.Annotate(e.Type, strings.Join(ends, ", "))
		} else if len(ends) > 1 {
			d.Annotate("parents", strings.Join(ends, ", "))
		}
	}
	if s := i.stash; s != nil {
		d.Name, d.Was = s.object.Key().Name, s.object
		d.Finally = append(d.Finally, func() { overlay(d.Object, s.object) })
	}
	return d
}

// labels converts labels that are valid here: "sprint:3" becomes sprint=3, and "security"
// becomes security with an empty value. An annotation contains all labels.
func (c *conversion) labels(d *migrate.Draft, i *issue) {
	for _, label := range i.labels {
		key, value, _ := strings.Cut(label, ":")
		_, taken := d.Meta().Labels[key]
		if !migrate.IsLabelValue(key) || key == "" || !migrate.IsLabelValue(value) || taken {
			c.Report.Note(&c.Report.Annotated, "labels that cannot be a label here", i.id)
			continue
		}
		d.Meta().Labels[key] = value
	}
}

// plan creates the plan of an epic.
func (c *conversion) plan(i *issue) {
	d := c.draft(resources.WorkPlans, i)
	for _, name := range []string{"description", "design", "notes", "close_reason"} {
		d.Annotate(name, i.texts[name])
	}
	d.Annotate("priority", c.priority(i))
	state := resources.PlanActive
	switch s := migrate.TaskState(i.status); {
	case s.State == resources.TaskCompleted:
		state = resources.PlanCompleted
	case migrate.IsOver(s.State):
		state = resources.PlanAbandoned
	case is(i.status, "deferred"):
		state = resources.PlanDraft
	}
	if !is(i.status, open, inProgress) && state != resources.PlanCompleted {
		c.lossy(d, i, "status "+i.status+" of an epic: "+state)
	}
	*migrate.Spec[resources.WorkPlanSpec](d) = resources.WorkPlanSpec{
		Title: c.title(i), Acceptance: migrate.Bullets(i.texts["acceptance_criteria"]), OwnedBy: i.texts["assignee"], State: state,
	}
	if outer := c.epicOf(i); outer != nil {
		d.Finally = append(d.Finally, func() { d.Label(Prefix+"outer-plan", c.Find(resources.WorkPlans, outer.id).Meta().Name) })
	}
}

// planOf returns the plan ID for an issue's task. It creates a plan for issues without an
// epic.
func (c *conversion) planOf(i *issue) string {
	if e := c.epicOf(i); e != nil {
		return e.id
	}
	if i.isEpic() {
		return i.id
	}
	prefix, _, _ := strings.Cut(i.id, "-")
	d := c.MakePlan(planID(prefix), "Issues without an epic ("+prefix+")")
	d.Name = migrate.NameOf("imported-" + prefix)
	return d.ID
}

// gate creates the task for an epic.
func (c *conversion) gate(i *issue) {
	d := c.Make(resources.Tasks, gateID(i.id))
	d.Name = migrate.NameOf(i.id) + "-epic"
	d.Label(Prefix+"type", epic)
	d.Created(i.created)
	spec := migrate.Spec[resources.TaskSpec](d)
	*spec = resources.TaskSpec{
		WorkPlan: c.planOf(i), Parent: c.parentOf(i), Title: "Epic: " + cmp.Or(i.texts["title"], i.id),
		ExpectedOutput: "The epic " + i.id + " is done. This task stands for it, so that other tasks can wait for it.",
		Description:    strings.TrimSpace(i.texts["description"]), Notes: notesOf(i.texts["design"], i.texts["notes"]),
		State: resources.TaskPlanned, PlanAhead: true, DependsOn: c.dependsOn(i),
	}
	switch {
	case i.isOver():
		spec.State, spec.PlanAhead = resources.TaskCompleted, false
		spec.Result = &resources.TaskResult{Evidence: cmp.Or(i.texts["close_reason"], noReason)}
	case c.isWork(i):
		spec.PlanAhead = false
		c.changed("open epic with nothing open below it: a task to be done", i.id)
		return
	}
	c.changed("epic that blocks, is blocked or is part of another: also made a task", i.id)
}

// noReason is the evidence of an issue that was closed without a reason.
const noReason = "closed in beads, no reason given"

// dependsOn returns the task IDs of an issue's blockers.
func (c *conversion) dependsOn(i *issue) []string {
	ids := c.blockers(i)
	for n, id := range ids {
		if on := c.byID[id]; on != nil && on.isEpic() {
			ids[n] = gateID(id)
		}
	}
	return ids
}

// parentOf returns the task ID of an issue's parent, or "" if the parent is an epic.
func (c *conversion) parentOf(i *issue) string {
	id := c.parent(i)
	if p := c.byID[id]; p != nil && p.isEpic() {
		return ""
	}
	return id
}

// task creates the task of an issue.
func (c *conversion) task(i *issue) {
	d := c.draft(resources.Tasks, i)
	s := migrate.TaskState(i.status)
	spec := migrate.Spec[resources.TaskSpec](d)
	*spec = resources.TaskSpec{
		WorkPlan: c.planOf(i), Parent: c.parentOf(i), Title: c.title(i), AssignedTo: i.texts["assignee"],
		ExpectedOutput: cmp.Or(strings.TrimSpace(i.texts["acceptance_criteria"]), strings.TrimSpace(i.texts["title"]), i.id),
		Description:    strings.TrimSpace(i.texts["description"]), Notes: notesOf(i.texts["design"], i.texts["notes"]),
		DependsOn: c.dependsOn(i), State: s.State, PlanAhead: s.PlanAhead, Priority: c.priority(i),
	}
	reason, means := strings.TrimSpace(i.texts["close_reason"]), s.State
	switch {
	case s.State == resources.TaskCompleted:
		spec.Result = &resources.TaskResult{Evidence: cmp.Or(reason, noReason)}
	case i.isOver():
		spec.Reason = cmp.Or(reason, i.status+" in beads")
	default:
		d.Annotate("close_reason", i.texts["close_reason"])
	}
	if s.PlanAhead {
		means = "planned, never proposed"
	}
	if !is(i.status, open, inProgress, closed) {
		c.lossy(d, i, "status "+i.status+": "+means)
	}
	if why := i.noWork(); why != "" && spec.State == resources.TaskPlanned && !spec.PlanAhead {
		spec.PlanAhead = true
		c.changed(why+": visible, never proposed", i.id)
	}
}

// title returns the title of an issue. It returns the ID of an issue without
// one, which it reports.
func (c *conversion) title(i *issue) string {
	if strings.TrimSpace(i.texts["title"]) == "" {
		c.odd("no title: called by its id", i.id)
		return i.id
	}
	return i.texts["title"]
}

// lossy reports a status without an equivalent here, and stores it as a label.
func (c *conversion) lossy(d *migrate.Draft, i *issue, what string) {
	d.Label(Prefix+"status", i.status)
	if !migrate.IsLabelValue(i.status) {
		d.Annotate("status", i.status)
	}
	c.changed(what, i.id)
}

// priority returns an issue's priority as a word. Without one, the default applies.
func (c *conversion) priority(i *issue) string {
	switch {
	case i.priority == nil:
		return ""
	case *i.priority < 0 || *i.priority >= len(priorities):
		c.odd("priority beyond 0 to 4: normal", i.id)
		return ""
	}
	return priorities[*i.priority]
}
