package kube

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// group is one version of one API group.
type group struct {
	name, version string // an empty name is the core group
	resources     []resource
}

// resource is a row of discovery: one resource of the API.
type resource struct {
	plural, singular, kind   string
	short, categories, verbs []string
	cluster                  bool            // cluster-scoped
	of                       *resources.Kind // kind of objects with files; nil otherwise
	collection               *collection     // source of read-only items; nil for objects of a kind and for reviews
}

// Names of groups other than our own.
const (
	eventsGroup         = "events.k8s.io"
	extensionsGroup     = "apiextensions.k8s.io"
	authorizationGroup  = "authorization.k8s.io"
	authenticationGroup = "authentication.k8s.io"
)

// readVerbs returns the verbs of read-only resources.
func readVerbs() []string { return []string{"get", "list", "watch"} }

// allGroups returns the table of all served groups.
func allGroups() []group {
	own := group{name: resources.Group, version: resources.Version}
	for _, kind := range resources.Kinds() {
		own.resources = append(own.resources, resourceOf(kind))
	}
	own.resources = append(own.resources, computedResources()...)
	review := func(kind string) resource {
		return resource{plural: strings.ToLower(kind) + "s", singular: strings.ToLower(kind), kind: kind, verbs: []string{"create"}, cluster: true}
	}
	return []group{
		{"", "v1", []resource{namespaceResource(), eventResource(coreEvent)}},
		own,
		{eventsGroup, "v1", []resource{eventResource(newEvent)}},
		{extensionsGroup, "v1", []resource{definitionResource()}},
		{authorizationGroup, "v1", []resource{review(accessReview), review(rulesReview)}},
		{authenticationGroup, "v1", []resource{review(selfReview)}},
	}
}

// resourceOf returns the row of a kind. Its singular is the kind's name in
// lower case, because kubectl looks up a kind by that. The singular of the
// commands is a short name.
func resourceOf(kind *resources.Kind) resource {
	r := resource{
		plural: kind.Plural, singular: strings.ToLower(kind.Name), kind: kind.Name,
		categories: []string{"all", "idumb"}, verbs: []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}, of: kind,
	}
	for _, word := range append([]string{kind.Singular}, kind.ShortNames...) {
		if word != r.plural && word != r.singular && !slices.Contains(r.short, word) {
			r.short = append(r.short, word)
		}
	}
	return r
}

// apiVersion returns the group with its version, like the field in objects.
func (g *group) apiVersion() string {
	if g.name == "" {
		return g.version
	}
	return g.name + "/" + g.version
}

// path returns the path prefix of the group's resources.
func (g *group) path() string {
	if g.name == "" {
		return "/api/" + g.version
	}
	return "/apis/" + g.apiVersion()
}

// group returns the group with a name, or nil.
func (s *Server) group(name string) *group {
	for i := range s.groups {
		if s.groups[i].name == name {
			return &s.groups[i]
		}
	}
	return nil
}
