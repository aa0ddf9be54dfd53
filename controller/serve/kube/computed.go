package kube

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources"
)

// computedInterval is the interval at which a watch recomputes a computed kind.
const computedInterval = 5 * time.Second

// computedResources returns the resources of the computed kinds, except those
// with too many objects. It replaces their own column of names, because a name
// here is a Kubernetes name.
func computedResources() []resource {
	var all []resource
	for _, k := range code.ComputedKinds(true) {
		if k.Many {
			continue
		}
		columns := []queries.ColumnOf[item]{nameColumn()}
		for n, c := range k.Columns {
			if c.Header != "NAME" {
				one := cell(c.Header, n)
				one.Wide = c.Wide
				columns = append(columns, one)
			}
		}
		all = append(all, resource{
			plural: k.Plural, singular: k.Singular, kind: k.Name, short: k.ShortNames, categories: []string{"computed"}, verbs: readVerbs(),
			collection: &collection{columns: columns, list: listComputed(k), interval: computedInterval},
		})
	}
	return all
}

// listComputed returns a function that computes all objects of a kind.
func listComputed(k code.ComputedKind) func(s *Server) ([]item, uint64, error) {
	return func(s *Server) ([]item, uint64, error) {
		answer, err := k.Question.Answer(s.options.Objects.Cache().Source, nil)
		if err != nil {
			return nil, 0, err
		}
		records, _ := k.Records(answer)
		items := make([]item, len(records))
		for i, r := range records {
			if items[i], err = s.computedItem(&k, r); err != nil {
				return nil, 0, err
			}
		}
		return items, s.startVersion(), nil
	}
}

// computedItem returns a record as a Kubernetes object. Many records are named
// by a path, which is not a valid name, so an annotation holds the original
// name.
func (s *Server) computedItem(k *code.ComputedKind, record any) (item, error) {
	name := k.NameOf(record)
	meta := queries.Metadata{
		Name: resources.NameOfID(name), Namespace: s.namespace, ResourceVersion: versionText(s.startVersion()), CreationTimestamp: resources.NewTime(s.started),
		Annotations: map[string]string{resources.Group + "/name": name},
	}
	meta.UID = resources.DerivedUID(resources.Key{Kind: k.Plural, Name: meta.Name})
	whole, err := asObject(record)
	if err != nil {
		return item{}, err
	}
	status, err := json.Marshal(whole["status"])
	if err != nil {
		return item{}, err
	}
	sum := sha256.Sum256(status)
	whole, err = asObject(queries.Document{APIVersion: resources.APIVersion, Kind: k.Name, Metadata: meta, Status: whole["status"]})
	return item{meta: meta, version: s.startVersion(), digest: binary.BigEndian.Uint64(sum[:]), full: whole, cells: k.Cells(record, time.Now()), ageBase: s.started}, err
}
