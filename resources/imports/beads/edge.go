package beads

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// edge is one dependency of an issue.
type edge struct {
	Target string // target issue
	From   string // waiting issue; empty for the issue that contains the edge
	Type   string
}

// Types of edges with a meaning here.
const (
	blocks      = "blocks"
	parentChild = "parent-child"
	conditional = "conditional-blocks" // the issue is only done if the other one fails
	waitsFor    = "waits-for"
)

// holding lists the types of edges that block.
var holding = []string{blocks, conditional, waitsFor}

// holds reports whether an edge of a type blocks an issue.
func holds(edgeType string) bool { return slices.Contains(holding, edgeType) }

// edgeTypes maps other names of edge types, folded.
var edgeTypes = map[string]string{
	"blocks": blocks, "blockedby": blocks, "dependson": blocks, "depends": blocks, "dependency": blocks, "requires": blocks,
	"parentchild": parentChild, "parent": parentChild, "childof": parentChild, "conditionalblocks": conditional, "waitsfor": waitsFor,
}

// edgeFields maps folded names of fields with edges to the default type of their edges.
// waiting means that the named issues wait for this one.
var edgeFields = map[string]struct {
	otherwise string
	waiting   bool
}{
	"dependencies": {blocks, false}, "deps": {blocks, false}, "dependson": {blocks, false}, "dependsonids": {blocks, false},
	"blockedby": {blocks, false}, "blockers": {blocks, false}, "parent": {parentChild, false}, "parentid": {parentChild, false},
	"blocks": {blocks, true}, "blocking": {blocks, true}, "dependents": {blocks, true},
}

// readEdges reads the fields with edges. It preserves edges that it cannot read.
func (c *conversion) readEdges(i *issue) {
	for _, f := range i.record.Value.Fields {
		row, isEdges := edgeFields[migrate.Fold(f.Name)]
		if !isEdges || f.Value.Nothing() {
			continue
		}
		list := edgesIn(f.Value)
		if list == nil {
			c.odd(f.Name+" of an unexpected type", i.id)
			continue
		}
		i.record.Take(f.Name)
		odd := migrate.Value{Type: migrate.List}
		for _, item := range list {
			why := ""
			switch e, ok := edgeIn(item, row.otherwise); {
			case !ok:
				why = "dependency without depends_on_id"
			case row.waiting:
				i.waiting = append(i.waiting, e)
			case e.From != "" && e.From != i.id:
				why = "dependency of another issue"
			default:
				i.edges = append(i.edges, e)
			}
			if why != "" {
				c.odd(why, i.id)
				odd.Items = append(odd.Items, item)
			}
		}
		if !odd.Nothing() {
			i.extra = append(i.extra, migrate.Field{Name: f.Name, Value: odd})
		}
	}
}

// idLike matches IDs, as opposed to words such as none.
var idLike = migrate.Pattern(`^[\pL\pN_.:]*(-|\d)[\pL\pN_.:-]*$`)

// edgesIn splits the value of a field into edges: a list, a single edge, comma-separated
// IDs, or an object with IDs or types as names, such as {"bd-1": "blocks"} and {"blocks":
// ["bd-1"]}. It returns nil for other values.
func edgesIn(v migrate.Value) []migrate.Value {
	var list []migrate.Value
	switch v.Type {
	case migrate.List:
		return v.Items
	case migrate.String, migrate.Number:
		for id := range strings.SplitSeq(v.Text, ",") {
			if id = strings.TrimSpace(id); !idLike().MatchString(id) {
				return nil
			}
			list = append(list, migrate.Text(id))
		}
	case migrate.Object:
		if _, ok := migrate.FirstText(v, ends...); ok {
			return []migrate.Value{v}
		}
		for _, f := range v.Fields {
			switch isText := f.Value.Type == migrate.String; {
			case f.Value.Type == migrate.List:
				for _, on := range f.Value.Items {
					list = append(list, edgeValue(on.Plain(), f.Name))
				}
			case isText && edgeTypes[migrate.Fold(f.Name)] != "":
				list = append(list, edgeValue(f.Value.Text, f.Name))
			case isText && idLike().MatchString(f.Name):
				list = append(list, edgeValue(f.Name, f.Value.Text))
			default:
				return nil
			}
		}
	}
	return list
}

// edgeValue returns an edge in the format of beads.
func edgeValue(on, edgeType string) migrate.Value {
	return migrate.Made("depends_on_id", on, "type", edgeType).Value
}

// ends lists the field names of an edge's target, and types those of its type. bd show
// prints an edge as the other issue with a dependency_type.
var (
	ends  = []string{"depends_on_id", "depends_on", "dependency_id", "target", "to", "id"}
	types = []string{"dependency_type", "type", "kind", "relation"}
)

// edgeIn reads a dependency. A plain ID has the type otherwise. It returns false if there
// is no target.
func edgeIn(v migrate.Value, otherwise string) (edge, bool) {
	if v.Type == migrate.String {
		return edge{Target: v.Text, Type: otherwise}, v.Text != ""
	}
	on, _ := migrate.FirstText(v, ends...)
	e := edge{Target: on, Type: otherwise}
	if from, ok := v.Lookup("issue_id"); ok && from.Type == migrate.String {
		e.From = from.Text
	}
	for _, name := range types {
		if t, ok := v.Lookup(name); ok && t.Type == migrate.String {
			e.Type = cmp.Or(edgeTypes[migrate.Fold(t.Text)], t.Text, otherwise)
			break
		}
	}
	return e, e.Target != ""
}

// targets returns the targets of edges of some types, in file order, without
// duplicates.
func (i *issue) targets(types ...string) []string {
	var ids []string
	for _, e := range i.edges {
		if slices.Contains(types, e.Type) {
			ids = append(ids, e.Target)
		}
	}
	return resources.Distinct(ids...)
}

// wait adds an edge, unless it exists.
func (i *issue) wait(e edge) {
	if !slices.ContainsFunc(i.edges, func(have edge) bool { return have.Target == e.Target && have.Type == e.Type }) {
		i.edges = append(i.edges, e)
	}
}
