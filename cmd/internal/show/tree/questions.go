package tree

import (
	"net/url"
	"strconv"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Names of the queries.
const (
	AskPlans = "tree"
	AskMems  = "mem-tree"
)

// Questions returns the queries for trees.
func Questions() []queries.Question {
	return []queries.Question{{Name: AskPlans, Answer: plansOf}, {Name: AskMems, Answer: memsOf}}
}

// Values returns the parameters of a query for plans or delegations.
func (o *Options) Values() url.Values {
	v := url.Values{"plan": o.Plans, "task": o.Tasks, "checkpoints": {strconv.Itoa(o.Checkpoints)}}
	if o.Delegations {
		v.Set("delegations", "true")
	}
	return o.Look.values(v)
}

// Values returns the parameters of a query for mems.
func (o *MemOptions) Values() url.Values {
	v := url.Values{"mem": o.Mems}
	if o.History {
		v.Set("history", "true")
	}
	return o.Look.values(v)
}

// values adds the style to the parameters of a query.
func (l Look) values(v url.Values) url.Values {
	if l.ASCII {
		v.Set("ascii", "true")
	}
	if l.Colour {
		v.Set("colour", "true")
	}
	return v
}

// readLook returns the style in the parameters of a query.
func readLook(v url.Values) Look { return Look{ASCII: v.Has("ascii"), Colour: v.Has("colour")} }

// plansOf answers AskPlans with the drawing of plans or delegations.
func plansOf(s *queries.Source, v url.Values) (any, error) {
	o := Options{Plans: v["plan"], Tasks: v["task"], Delegations: v.Has("delegations"), Look: readLook(v)}
	o.Checkpoints, _ = strconv.Atoi(v.Get("checkpoints"))
	for kind, names := range map[string][]string{resources.WorkPlans: o.Plans, resources.Tasks: o.Tasks} {
		for _, name := range names {
			if key := (resources.Key{Kind: kind, Name: name}); queries.EntryOf(s, key) == nil {
				return nil, apierrors.NotFound(key)
			}
		}
	}
	draw := Draw
	if o.Delegations {
		draw = DrawDelegations
	}
	var answer queries.Text
	drawn, err := draw(&answer.Buffer, s, o)
	answer.Nothing = !drawn
	return &answer, err
}

// memsOf answers AskMems with the drawing of mems.
func memsOf(s *queries.Source, v url.Values) (any, error) {
	o := MemOptions{Mems: v["mem"], History: v.Has("history"), Look: readLook(v)}
	for _, name := range o.Mems {
		if s.Mem(name) == nil {
			return nil, apierrors.NotFound(resources.Key{Kind: resources.Mems, Name: name})
		}
	}
	var answer queries.Text
	drawn, err := DrawMems(&answer.Buffer, s, o)
	answer.Nothing = !drawn
	return &answer, err
}
