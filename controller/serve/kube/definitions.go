package kube

import (
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// definitionResource returns the resource that lists our kinds as custom
// resource definitions. Clients read it to learn about kinds that are not built
// into Kubernetes.
func definitionResource() resource {
	return resource{
		plural: "customresourcedefinitions", singular: "customresourcedefinition", kind: "CustomResourceDefinition", short: []string{"crd", "crds"}, verbs: readVerbs(), cluster: true,
		collection: &collection{
			columns: []queries.ColumnOf[item]{nameColumn(), cell("CREATED AT", 0)},
			list:    func(s *Server) ([]item, uint64, error) { return s.definitions() },
		},
	}
}

// definitions returns the CustomResourceDefinition of each resource of the group idumb.dev.
func (s *Server) definitions() ([]item, uint64, error) {
	var all []item
	g := s.group(resources.Group)
	for i := range g.resources {
		one, err := s.definition(g, &g.resources[i])
		if err != nil {
			return nil, 0, err
		}
		all = append(all, one)
	}
	return all, s.startVersion(), nil
}

// definition returns the CustomResourceDefinition of a resource.
func (s *Server) definition(g *group, r *resource) (item, error) {
	meta := s.fixedMeta("customresourcedefinitions", r.plural+"."+g.name)
	names := object{"plural": r.plural, "singular": r.singular, "kind": r.kind, "listKind": r.kind + "List", "shortNames": list(r.short), "categories": list(r.categories)}
	schema, err := r.schema()
	if err != nil {
		return item{}, err
	}
	version := object{
		"name": g.version, "served": true, "storage": true, "schema": object{"openAPIV3Schema": schema}, "additionalPrinterColumns": r.printerColumns(),
	}
	if r.of != nil {
		version["subresources"] = object{"status": object{}}
	}
	established := object{"type": "Established", "status": "True", "reason": "Served", "message": "", "lastTransitionTime": meta.CreationTimestamp}
	return item{meta: meta, version: s.startVersion(), cells: []string{meta.CreationTimestamp.Format("2006-01-02T15:04:05Z")}, full: object{
		"apiVersion": extensionsGroup + "/v1", "kind": "CustomResourceDefinition", "metadata": meta,
		"spec":   object{"group": g.name, "names": names, "scope": "Namespaced", "versions": []object{version}},
		"status": object{"acceptedNames": names, "storedVersions": []string{g.version}, "conditions": []object{established}},
	}}, nil
}

// printerColumns returns the columns with cells at a fixed path. Clients that
// draw tables themselves show only these.
func (r *resource) printerColumns() []object {
	all := []object{{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 0}}
	if r.of == nil {
		return all
	}
	for _, path := range []string{"status.phase", "spec.workPlan", "spec.priority", "spec.title"} {
		if _, known := r.of.LookupField(path); known {
			_, name, _ := strings.Cut(path, ".")
			all = append(all, object{"name": strings.ToUpper(name[:1]) + name[1:], "type": "string", "jsonPath": "." + path, "priority": 0})
		}
	}
	return all
}
