package beads

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// edge is one dependency of an issue.
type edge struct {
	On   string // the issue that it leads to
	From string // the issue that waits; "" for the one that the edge stands in
	Type string // "" if it says none
}

// Types of edges that mean something here.
const (
	blocks      = "blocks"
	parentChild = "parent-child"

	conditional = "conditional-blocks" // the issue is done only if the other one fails
	waitsFor    = "waits-for"
)

// holds reports whether an issue waits for the end of an edge of this type.
func holds(edgeType string) bool {
	return edgeType == blocks || edgeType == conditional || edgeType == waitsFor
}

// edgeTypes are other words for types of edges, folded.
var edgeTypes = map[string]string{
	"blocks": blocks, "blockedby": blocks, "dependson": blocks, "depends": blocks, "dependency": blocks, "requires": blocks,
	"parentchild": parentChild, "parent": parentChild, "childof": parentChild, "conditionalblocks": conditional, "waitsfor": waitsFor,
}

// edgeFields are the fields that hold edges, folded: their type, and whether they are said from the other side.
var edgeFields = map[string]struct {
	edgeType string
	waits    bool
}{
	"dependencies": {blocks, false}, "deps": {blocks, false}, "dependson": {blocks, false}, "dependsonids": {blocks, false},
	"blockedby": {blocks, false}, "blockers": {blocks, false}, "parent": {parentChild, false}, "parentid": {parentChild, false},
	"blocks": {blocks, true}, "blocking": {blocks, true}, "dependents": {blocks, true},
}

// edgeField returns the type that the edges of a field have where they do not say it; "" if it holds none.
func edgeField(field string) (edgeType string, waits bool) {
	row := edgeFields[migrate.Fold(field)]
	return row.edgeType, row.waits
}

// readEdges takes in a field of edges; one that cannot be read is kept as it is.
func (i *issue) readEdges(field string, value json.RawMessage, edgeType string, waits bool, r *Report) {
	list := edgesIn(value)
	if list == nil {
		i.rest[field] = plain(value)
		r.note(&r.Odd, field+" of an unexpected type", i.id)
		return
	}
	var odd []string
	for _, raw := range list {
		e, err := edgeIn(raw)
		switch {
		case err != nil || e.On == "":
			odd = append(odd, string(raw))
			r.note(&r.Odd, "dependency without depends_on_id", i.id)
		case waits:
			e.Type = cmp.Or(e.Type, edgeType)
			i.waiting = append(i.waiting, e)
		case e.From != "" && e.From != i.id:
			odd = append(odd, string(raw))
			r.note(&r.Odd, "dependency of another issue", i.id)
		default:
			e.Type = cmp.Or(e.Type, edgeType)
			i.edges = append(i.edges, e)
			i.readMetadata(e, raw)
		}
	}
	switch {
	case waits || field != "dependencies":
		i.rest[field] = kept(value)
	case len(odd) > 0:
		i.rest[field] = "[" + strings.Join(odd, ",") + "]"
	}
}

// idLike is what ids look like, so that they are told from words such as none.
var idLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL\pN_.:]*(-|\d)[\pL\pN_.:-]*$`)
})

// edgesIn splits the value of a field into edges: a list of them, one alone, ids with commas between, an object whose names
// are ids or types. nil: it is none of these.
func edgesIn(value json.RawMessage) []json.RawMessage {
	v, _, err := migrate.Parse(value)
	if err != nil {
		return nil
	}
	switch v.Type {
	case migrate.List:
		list := make([]json.RawMessage, 0, len(v.Items))
		for _, item := range v.Items {
			list = append(list, item.JSON())
		}
		return list
	case migrate.String, migrate.Number:
		return edgesInText(v.Text)
	case migrate.Object:
		if _, ok := endOf(v); ok {
			return []json.RawMessage{value}
		}
		return edgesInMap(v)
	}
	return nil
}

func edgesInText(text string) []json.RawMessage {
	var list []json.RawMessage
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); !idLike().MatchString(id) {
			return nil
		}
		list = append(list, migrate.Text(id).JSON())
	}
	return list
}

// edgesInMap reads {"bd-1": "blocks"} and {"blocks": ["bd-1"]}.
func edgesInMap(v migrate.Value) []json.RawMessage {
	var list []json.RawMessage
	add := func(on, edgeType string) {
		e := migrate.Value{Type: migrate.Object}
		set(&e, "depends_on_id", migrate.Text(on))
		set(&e, "type", migrate.Text(edgeType))
		list = append(list, e.JSON())
	}
	for _, f := range v.Fields {
		switch {
		case f.Value.Type == migrate.List:
			for _, on := range f.Value.Items {
				add(on.Plain(), f.Name)
			}
		case f.Value.Type == migrate.String && edgeTypes[migrate.Fold(f.Name)] != "":
			add(f.Value.Text, f.Name)
		case f.Value.Type == migrate.String && idLike().MatchString(f.Name):
			add(f.Name, f.Value.Text)
		default:
			return nil
		}
	}
	return list
}

// ends are the names under which an edge says where it leads, types those of what it means. An edge that bd show
// prints is the other issue, with a dependency_type.
var (
	ends  = []string{"depends_on_id", "depends_on", "dependency_id", "target", "to", "id"}
	types = []string{"dependency_type", "type", "kind", "relation"}
)

func endOf(v migrate.Value) (string, bool) {
	for _, name := range ends {
		if on, ok := v.At(name); ok && (on.Type == migrate.String || on.Type == migrate.Number) && on.Text != "" {
			return on.Text, true
		}
	}
	return "", false
}

// edgeIn reads a dependency; an id alone says no type.
func edgeIn(raw json.RawMessage) (edge, error) {
	v, _, err := migrate.Parse(raw)
	if err != nil {
		return edge{}, err
	}
	var e edge
	if v.Type != migrate.Object {
		return e, json.Unmarshal(raw, &e.On)
	}
	e.On, _ = endOf(v)
	if from, ok := v.At("issue_id"); ok && from.Type == migrate.String {
		e.From = from.Text
	}
	for _, name := range types {
		if t, ok := v.At(name); ok && t.Type == migrate.String {
			e.Type = cmp.Or(edgeTypes[migrate.Fold(t.Text)], t.Text)
			break
		}
	}
	return e, nil
}

// metadataOf begins the name under which an edge's metadata is kept.
const metadataOf = "metadata of "

// readMetadata keeps what an edge says beyond its ends, its type and who made it.
func (i *issue) readMetadata(e edge, raw json.RawMessage) {
	var extra struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	if json.Unmarshal(raw, &extra) != nil || isNothing(extra.Metadata) {
		return
	}
	if text := plain(extra.Metadata); text != "{}" {
		i.rest[metadataOf+e.Type+" "+e.On] = text
	}
}

// join gives edges that were said elsewhere to the issues that wait: on lines of their own, and from the other side.
// Whose id continues that of another one is a part of it, where no edge says anything else.
func (g *graph) join(r *Report) {
	for _, e := range r.loose {
		if from := g.byID[e.From]; from != nil {
			from.wait(e)
		} else {
			r.problem(0, e.From, "an edge to "+e.On+" has no issue that it starts from; its line is kept")
		}
	}
	spelled := map[string]string{} // ids by their lower case
	for _, i := range g.list {
		spelled[strings.ToLower(i.id)] = i.id
	}
	for _, i := range g.list {
		g.respell(i, spelled)
		for _, e := range i.waiting {
			if other := g.byID[e.On]; other != nil {
				other.wait(edge{On: i.id, Type: e.Type})
			} else if !g.gone[e.On] {
				r.problem(i.line, i.id, "what waits for it, "+e.On+", is not in the file; kept as an annotation")
			}
		}
		at := strings.LastIndexByte(i.id, '.')
		if at > 0 && g.byID[i.id[:at]] != nil && len(i.targets(parentChild)) == 0 {
			i.edges = append(i.edges, edge{On: i.id[:at], Type: parentChild})
			r.note(&r.Changed, "id that continues another one, without an edge: a part of that", i.id)
		}
	}
}

// respell finds what edges lead to whatever its case, where no issue has the id itself.
func (g *graph) respell(i *issue, spelled map[string]string) {
	for n, e := range i.edges {
		if id := spelled[strings.ToLower(e.On)]; id != "" && g.byID[e.On] == nil && !g.gone[e.On] {
			i.edges[n].On = id
		}
	}
}

// wait adds an edge, unless there is one already.
func (i *issue) wait(e edge) {
	if !slices.ContainsFunc(i.edges, func(have edge) bool { return have.On == e.On && have.Type == e.Type }) {
		i.edges = append(i.edges, e)
	}
}
