package kube

import (
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

func namespaceResource() resource {
	return resource{
		plural: "namespaces", singular: "namespace", kind: "Namespace", short: []string{"ns"}, verbs: readVerbs(), cluster: true,
		collection: &collection{
			columns: []queries.ColumnOf[item]{nameColumn(), cell("STATUS", 0), ageColumn("AGE")},
			list:    func(s *Server) ([]item, uint64, error) { return []item{s.ownNamespace()}, s.startVersion(), nil },
		},
	}
}

// ownNamespace returns the only namespace, which is named after the repository.
func (s *Server) ownNamespace() item {
	meta := s.fixedMeta("namespaces", s.namespace)
	meta.Labels = map[string]string{"kubernetes.io/metadata.name": s.namespace}
	return item{meta: meta, version: s.startVersion(), ageBase: s.started, cells: []string{"Active"}, full: object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": meta, "spec": object{}, "status": object{"phase": "Active"},
	}}
}

// startVersion returns the version of constant objects: the start time of the
// server.
func (s *Server) startVersion() uint64 { return uint64(s.started.UnixMilli()) }

// fixedMeta returns the metadata of a constant cluster-scoped object.
func (s *Server) fixedMeta(plural, name string) queries.Metadata {
	return queries.Metadata{
		Name: name, UID: resources.DerivedUID(resources.Key{Kind: plural, Name: name}), ResourceVersion: versionText(s.startVersion()), CreationTimestamp: resources.NewTime(s.started),
	}
}
