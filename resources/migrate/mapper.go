package migrate

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// row maps a field of ours to the field names of other tools. The first name that exists is
// used. The field's row in the table of kinds determines the conversion of the value: an
// enum, a list of texts, IDs of other records, a number, a time or a text.
type row struct{ field, names string }

// Names that several kinds share. Case and separators do not matter: createdAt matches
// created_at.
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

// rows lists the fields with a simple conversion. The functions of the kinds read all other
// fields.
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

// Map sets the fields of a draft from its record, according to rows.
func (b *Builder) Map(d *Draft) {
	kind, _ := resources.KindOf(d.Object.Key().Kind)
	spec := reflect.ValueOf(d.Object.SpecPointer()).Elem()
	for _, row := range rows[kind.Plural] {
		field, _ := kind.LookupField("spec." + row.field)
		switch to, names := fieldNamed(spec, row.field), strings.Fields(row.names); {
		case row.field == "priority":
			to.SetString(b.priority(d))
		case field.Enum != nil:
			to.SetString(b.enum(d, field, names[0]))
		case row.names == comesFirst:
			to.Set(reflect.ValueOf(d.Record.Refs(names...)))
		case field.Text != "": // objects with a short form
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

// fieldNamed returns the struct field with a JSON name.
func fieldNamed(spec reflect.Value, name string) reflect.Value {
	return spec.FieldByNameFunc(func(goName string) bool { return strings.EqualFold(goName, name) })
}

// enum takes a field with a known enum value. A field with another word is reported and not
// taken.
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

// number takes a field with a number in the allowed range, or returns nil.
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

// timeOrZero converts a time. It keeps the zero time.
func timeOrZero(t time.Time) resources.Time {
	if t.IsZero() {
		return resources.Time{}
	}
	return resources.NewTime(t)
}
