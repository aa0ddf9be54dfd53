package kube

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve"
)

// aggregatedType is the media type of aggregated discovery.
const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// object is a JSON object that is only encoded, never decoded.
type object = map[string]any

// wantsAggregated reports whether a client accepts aggregated discovery.
func wantsAggregated(r *http.Request) bool {
	for accepted := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		if strings.Contains(accepted, "as=APIGroupDiscoveryList") && strings.Contains(accepted, "v=v2;") || strings.HasSuffix(accepted, "v=v2") && strings.Contains(accepted, "as=APIGroupDiscoveryList") {
			return true
		}
	}
	return false
}

// serveRoots returns the handler of /api, the core group, or of /apis, all
// other groups.
func (s *Server) serveRoots(core bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var of []group
		for _, g := range s.groups {
			if (g.name == "") == core {
				of = append(of, g)
			}
		}
		switch {
		case wantsAggregated(r):
			sendAs(w, aggregatedType, aggregated(of))
		case core:
			serve.Answer(w, http.StatusOK, object{"kind": "APIVersions", "versions": []string{of[0].version}, "serverAddressByClientCIDRs": []string{}})
		default:
			list := make([]object, len(of))
			for i := range of {
				list[i] = of[i].discovered()
			}
			serve.Answer(w, http.StatusOK, object{"kind": "APIGroupList", "apiVersion": "v1", "groups": list})
		}
	}
}

// sendAs writes JSON with a certain content type.
func sendAs(w http.ResponseWriter, contentType string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		serve.Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
		return
	}
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(append(data, '\n'))
}

// aggregated returns the aggregated discovery document of groups.
func aggregated(groups []group) object {
	items := make([]object, len(groups))
	for i := range groups {
		g := &groups[i]
		all := make([]object, len(g.resources))
		for n := range g.resources {
			r := &g.resources[n]
			kind := object{"group": g.name, "version": g.version, "kind": r.kind}
			scope := "Namespaced"
			if r.cluster {
				scope = "Cluster"
			}
			row := object{
				"resource": r.plural, "responseKind": kind, "scope": scope, "singularResource": r.singular,
				"verbs": r.verbs, "shortNames": list(r.short), "categories": list(r.categories),
			}
			if r.of != nil {
				row["subresources"] = []object{{"subresource": "status", "responseKind": kind, "verbs": []string{"get"}}}
			}
			all[n] = row
		}
		items[i] = object{"metadata": object{"name": g.name}, "versions": []object{{"version": g.version, "freshness": "Current", "resources": all}}}
	}
	return object{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": object{}, "items": items}
}

// list returns names as a list that is never null.
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

// discovered returns the group in the format for older clients.
func (g *group) discovered() object {
	version := object{"groupVersion": g.apiVersion(), "version": g.version}
	return object{"name": g.name, "versions": []object{version}, "preferredVersion": version}
}

// serveGroup returns the discovery handler of one group for older clients.
func serveGroup(g *group) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		answer := g.discovered()
		answer["kind"], answer["apiVersion"] = "APIGroup", "v1"
		serve.Answer(w, http.StatusOK, answer)
	}
}

// serveResources returns the handler that lists the resources of a group for
// older clients.
func serveResources(g *group) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var all []object
		for _, r := range g.resources {
			all = append(all, object{
				"name": r.plural, "singularName": r.singular, "namespaced": !r.cluster, "kind": r.kind,
				"verbs": r.verbs, "shortNames": list(r.short), "categories": list(r.categories),
			})
			if r.of != nil {
				all = append(all, object{"name": r.plural + "/status", "singularName": "", "namespaced": true, "kind": r.kind, "verbs": []string{"get"}})
			}
		}
		serve.Answer(w, http.StatusOK, object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": g.apiVersion(), "resources": all})
	}
}
