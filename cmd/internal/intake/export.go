package intake

import (
	"bytes"
	"encoding/json"

	"github.com/idumb-dev/idumb/cmd/internal/beads"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Store is what is exported from: *resources.Snapshot.
type Store interface {
	Get(resources.Key) (resources.Object, bool)
	List(kind string) []resources.Key
}

// objects are all objects of a kind that can be read, by name.
func objects(s Store, kind string) []resources.Object {
	var list []resources.Object
	for _, key := range s.List(kind) {
		if o, ok := s.Get(key); ok {
			list = append(list, o)
		}
	}
	return list
}

func exportBeads(s Store) ([]byte, migrate.Report) {
	return beads.Export(objects(s, resources.WorkPlans), objects(s, resources.Tasks), objects(s, resources.Mems))
}

// exportJSON writes everything but what is local to this machine as one List, which idumb apply reads.
func exportJSON(s Store) ([]byte, migrate.Report) {
	var r migrate.Report
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{"v1", "List", []json.RawMessage{}}
	for _, k := range resources.Kinds() {
		if k.Local {
			continue
		}
		for _, o := range objects(s, k.Plural) {
			data, err := resources.Encode(o)
			if err != nil {
				r.Trouble(migrate.Problem{ID: o.Key().String(), Message: err.Error()})
				continue
			}
			list.Items = append(list.Items, data)
			r.Created = append(r.Created, o.Key())
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(list); err != nil {
		r.Trouble(migrate.Problem{Message: err.Error()})
	}
	return b.Bytes(), r
}
