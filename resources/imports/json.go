package imports

import (
	"bytes"
	"encoding/json"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports/beads"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Reader provides the objects for an export. *graph.Snapshot implements it.
type Reader interface {
	Get(resources.Key) (resources.Object, bool)
	List(kind string) []resources.Key
}

// objects returns the readable objects of a kind, sorted by name.
func objects(r Reader, kind string) []resources.Object {
	var list []resources.Object
	for _, key := range r.List(kind) {
		if o, ok := r.Get(key); ok {
			list = append(list, o)
		}
	}
	return list
}

// exportBeads exports plans, tasks and mems in the format of beads.
func exportBeads(r Reader) ([]byte, migrate.Report) {
	return beads.Export(objects(r, resources.WorkPlans), objects(r, resources.Tasks), objects(r, resources.Mems))
}

// exportJSON writes all objects except local ones as one List, which idumb apply reads.
func exportJSON(r Reader) ([]byte, migrate.Report) {
	var report migrate.Report
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{"v1", "List", []json.RawMessage{}}
	for _, k := range resources.Kinds() {
		if k.Local {
			continue
		}
		for _, o := range objects(r, k.Plural) {
			data, err := resources.Encode(o)
			if err != nil {
				report.Trouble(migrate.Problem{ID: o.Key().String(), Message: err.Error()})
				continue
			}
			list.Items = append(list.Items, data)
			report.Created = append(report.Created, o.Key())
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(list); err != nil {
		report.Trouble(migrate.Problem{Message: err.Error()})
	}
	return b.Bytes(), report
}
