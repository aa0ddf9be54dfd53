package migrate

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// row maps a field of ours: other tools keep it under one of these names, the first that is there. How their value
// becomes ours follows from the field's row in the table of kinds: words of an enum, a list of texts, ids of other
// records, a number, an instant, a text.
type row struct{ field, names string }

// Names that several kinds share. Case and separators do not matter: createdAt is created_at.
const (
	idNames       = "id uuid taskId key"
	titleNames    = "title name summary text content"
	statusNames   = "status state"
	createdNames  = "createdAt created createdDate timestamp date"
	criteriaNames = "acceptance acceptanceCriteria successCriteria"
	comesFirst    = "dependsOn dependencies deps blockedBy blockers requires prerequisites predecessors " +
		"dependencyIds dependsOnIds waitsFor waitingFor"
	comesAfter = "blocks blocking dependents successors blockedTasks"
)

// rows is the table of fields that say in other words what ours say. What needs more than other words is read by the
// function of its kind.
var rows = map[string][]row{
	resources.WorkPlans: {{"ownedBy", "ownedBy owner"}, {"category", "category"}, {"governanceLevel", "governanceLevel"}, {"dependsOn", comesFirst}},
	resources.Tasks: {
		{"priority", "priority"}, {"assignedTo", "assignedTo assignee owner"}, {"delegatedBy", "delegatedBy"}, {"allowedTools", "allowedTools"}, {"dependsOn", comesFirst},
	},
	resources.Mems: {
		{"title", "title name"}, {"type", "type"}, {"shelf", "shelf category"}, {"tags", "tags labels"},
		{"originTask", "originTaskId originTask taskId"}, {"parent", "parentId parent"}, {"supersedes", "supersedes"},
		{"source", "source"}, {"relatedTo", "relatedTo"}, {"evidence", "evidence"}, {"confidence", "confidence"},
	},
	resources.Anchors: {{"type", "type"}, {"priority", "priority"}},
	resources.Sessions: {
		{"agent", "capturedAgent agent agentRole subagentType mainAgent"}, {"parent", "parentId parentSessionId"},
		{"startedAt", "createdAt startTime startedAt created"}, {"lastSeenAt", "lastActivity lastUpdated updatedAt lastSeenAt updated"},
	},
	resources.Delegations: {
		{"task", "taskId task"}, {"from", "fromAgent from"}, {"to", "toAgent agentType to"},
		{"allowedTools", "allowedTools"}, {"expectedOutput", "expectedOutput"},
	},
	resources.Trajectories: {
		{"activePlan", "activePlanId activePlan"}, {"activeTasks", "activeTaskIds activeTasks"}, {"intent", "intent"},
		{"intentShiftedAt", "intentShiftStamp updatedAt"},
	},
}

// Map fills the fields of a draft from its record, as the table says.
func (b *Builder) Map(d *Draft) {
	kind, _ := resources.KindOf(d.Object.Key().Kind)
	spec := reflect.ValueOf(d.Object.SpecPointer()).Elem()
	for _, row := range rows[kind.Plural] {
		field, _ := kind.LookupField("spec." + row.field)
		to, names := fieldNamed(spec, row.field), strings.Fields(row.names)
		switch {
		case row.field == "priority":
			to.SetString(b.priority(d))
		case field.Enum != nil:
			to.SetString(b.enum(d, field, names[0]))
		case row.names == comesFirst:
			to.Set(reflect.ValueOf(d.Record.Refs(names...)))
		case field.Text != "": // objects that may be written as a text
			for i, text := range d.Record.Texts(names...) {
				to.Set(reflect.Append(to, reflect.Zero(to.Type().Elem())))
				fieldNamed(to.Index(i), field.Text).SetString(text)
			}
		case field.Repeated:
			to.Set(reflect.ValueOf(d.Record.Texts(names...)))
		case field.Shape == resources.IntegerShape:
			if n := d.Record.number(field, names[0]); n != nil {
				to.Set(reflect.ValueOf(n))
			}
		case field.Shape == resources.TimeShape:
			to.Set(reflect.ValueOf(timeOrZero(d.Record.Time(names...))))
		default:
			to.SetString(d.Record.Text(names...))
		}
	}
	if kind.Plural != resources.Sessions {
		d.Created(d.Record.Time(strings.Fields(createdNames)...))
	}
}

// fieldNamed is the field of a struct that JSON calls so.
func fieldNamed(spec reflect.Value, name string) reflect.Value {
	return spec.FieldByNameFunc(func(goName string) bool { return strings.EqualFold(goName, name) })
}

// enum takes a field whose words are ours as well; another word stays.
func (b *Builder) enum(d *Draft, field *resources.Field, name string) string {
	v, ok := d.Record.Peek(name)
	if !ok || v.Type != String {
		return ""
	}
	for _, word := range field.Enum {
		if Fold(word) == Fold(v.Text) {
			d.Record.Take(name)
			return word
		}
	}
	b.Report.Note(&b.Report.Odd, "unknown "+name+" "+v.Text+": left out", d.ID)
	return ""
}

// number takes a field whose number is within the bounds of ours; nil if it is none.
func (r *Record) number(field *resources.Field, name string) *int {
	v, _ := r.Peek(name)
	n, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
	if err != nil || !(n >= float64(*field.Min) && n <= float64(*field.Max)) {
		return nil
	}
	r.Take(name)
	whole := int(math.Round(n))
	return &whole
}

func timeOrZero(t time.Time) resources.Time {
	if t.IsZero() {
		return resources.Time{}
	}
	return resources.NewTime(t)
}
