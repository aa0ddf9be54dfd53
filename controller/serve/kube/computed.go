package kube

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/serve/questions/code"
	"github.com/idumb-dev/idumb/resources"
)

// computed is a kind that no file holds: what the working tree, or what is there, says of itself.
type computed struct {
	plural, kind string
	short        []string
	headers      []string // of the columns behind the name
	records      func(s *questions.Source) ([]record, error)
}

// record is one object of such a kind.
type record struct {
	name   string // as commands print it
	status any
	cells  []string // one for each of the headers
}

// allComputed is the one table of them.
func allComputed() []computed {
	return []computed{
		{"needs", "Need", nil, []string{"REASON", "WHO", "WHAT", "DO"}, needs},
		{"technologies", "Technology", []string{"tech"}, []string{"CATEGORY", "VERSION", "ROLE", "WORKSPACE"}, technologies},
		{"documents", "Document", []string{"doc", "docs"}, []string{"CLASS", "STATE", "FRAMEWORK", "TITLE"}, documents},
		{"sources", "Source", []string{"src"}, []string{"LANGUAGE", "LINES", "EXPORTS", "DEPENDENTS"}, sources},
	}
}

func needs(s *questions.Source) (all []record, err error) {
	found, err := questions.NeedsOf(s, nil)
	for _, n := range found.Items {
		do := ""
		if len(n.Status.Do) > 0 {
			do = n.Status.Do[0].Command
		}
		all = append(all, record{n.Metadata.Name, n.Status, []string{n.Status.Reason, n.Status.Who, n.Status.What, do}})
	}
	return all, err
}

func technologies(s *questions.Source) (all []record, err error) {
	found, err := code.TechnologiesOf(s, nil)
	for _, t := range found.Items {
		all = append(all, record{t.Metadata.Name, t.Status, []string{t.Status.Category, t.Status.Version, t.Status.Role, t.Status.Dir}})
	}
	return all, err
}

func documents(s *questions.Source) (all []record, err error) {
	found, err := code.DocumentsOf(s, nil)
	for _, d := range found.Items {
		all = append(all, record{d.Metadata.Name, d.Status, []string{d.Status.Class, d.Status.State, d.Status.Framework, d.Status.Title}})
	}
	return all, err
}

func sources(s *questions.Source) (all []record, err error) {
	found, err := code.SourcesOf(s, nil)
	for _, f := range found.Items {
		all = append(all, record{f.Metadata.Name, f.Status, []string{f.Status.Language, strconv.Itoa(f.Status.Lines), strconv.Itoa(len(f.Status.Exports)), strconv.Itoa(f.Status.Dependents.Own)}})
	}
	return all, err
}

// computedEvery is how often a watch computes such a kind again.
const computedEvery = 5 * time.Second

// computedResources are the rows of those kinds.
func computedResources() []resource {
	var all []resource
	for _, c := range allComputed() {
		columns := []questions.ColumnOf[item]{nameColumn()}
		for n, header := range c.headers {
			columns = append(columns, cell(header, n))
		}
		all = append(all, resource{
			plural: c.plural, singular: strings.ToLower(c.kind), kind: c.kind, short: c.short, categories: []string{"computed"}, verbs: readVerbs(),
			collection: &collection{columns: columns, list: c.list, every: computedEvery},
		})
	}
	return all
}

// list computes all objects of the kind.
func (c computed) list(s *Server) ([]item, uint64, error) {
	found, err := c.records(s.options.Objects.Cache().Source)
	items := make([]item, len(found))
	for i, r := range found {
		if items[i], err = c.item(s, r); err != nil {
			return nil, 0, err
		}
	}
	return items, s.beginning(), err
}

// item is a record as Kubernetes has it. Many are called by a path, which no name can hold: that
// stands in an annotation.
func (c computed) item(s *Server, r record) (item, error) {
	meta := questions.Metadata{
		Name: resources.NameOfID(r.name), Namespace: s.namespace, ResourceVersion: versionText(s.beginning()), CreationTimestamp: resources.NewTime(s.started),
		Annotations: map[string]string{resources.Group + "/name": r.name},
	}
	meta.UID = resources.DerivedUID(resources.Key{Kind: c.plural, Name: meta.Name})
	status, err := json.Marshal(r.status)
	if err != nil {
		return item{}, err
	}
	sum := sha256.Sum256(status)
	whole, err := asObject(questions.Document{APIVersion: resources.APIVersion, Kind: c.kind, Metadata: meta, Status: r.status})
	return item{meta: meta, version: s.beginning(), digest: binary.BigEndian.Uint64(sum[:]), whole: whole, cells: r.cells, seen: s.started}, err
}
