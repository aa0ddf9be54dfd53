package kube

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// group is one version of one API group.
type group struct {
	name, version string // name "": the core group
	resources     []resource
}

// resource is a row of discovery: what the API serves under one name.
type resource struct {
	plural, singular, kind   string
	short, categories, verbs []string
	cluster                  bool            // it is in no namespace
	of                       *resources.Kind // nil: it is none of the kinds that files hold
	collection               *collection     // what is listed; nil: objects of a kind, or a review
}

// Names of the groups besides our own.
const (
	eventsGroup         = "events.k8s.io"
	extensionsGroup     = "apiextensions.k8s.io"
	authorizationGroup  = "authorization.k8s.io"
	authenticationGroup = "authentication.k8s.io"
)

func readVerbs() []string { return []string{"get", "list", "watch"} }

func writeVerbs() []string {
	return []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}

// allGroups is the one table of what is served.
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

// resourceOf is the row of one of the kinds. Its singular is its own name in lower case, as kubectl
// finds a kind by that; the word that commands use is a short name.
func resourceOf(kind *resources.Kind) resource {
	r := resource{
		plural: kind.Plural, singular: strings.ToLower(kind.Name), kind: kind.Name,
		categories: []string{"all", "idumb"}, verbs: writeVerbs(), of: kind,
	}
	for _, word := range append([]string{kind.Singular}, kind.ShortNames...) {
		if word != r.plural && word != r.singular && !slices.Contains(r.short, word) {
			r.short = append(r.short, word)
		}
	}
	return r
}

// apiVersion is the group with its version, as objects hold it.
func (g *group) apiVersion() string {
	if g.name == "" {
		return g.version
	}
	return g.name + "/" + g.version
}

// path is where the group's resources begin.
func (g *group) path() string {
	if g.name == "" {
		return "/api/" + g.version
	}
	return "/apis/" + g.apiVersion()
}

// group finds a group by its name; nil for none.
func (s *Server) group(name string) *group {
	for i := range s.groups {
		if s.groups[i].name == name {
			return &s.groups[i]
		}
	}
	return nil
}
