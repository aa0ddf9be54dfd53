package kube

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve"
)

// Kinds of reviews, which clients send before they act.
const (
	accessReview = "SelfSubjectAccessReview"
	rulesReview  = "SelfSubjectRulesReview"
	selfReview   = "SelfSubjectReview"
)

// review is a review request with the fields that matter here.
type review struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   object     `json:"metadata"`
	Spec       reviewSpec `json:"spec"`
	Status     any        `json:"status,omitempty"`
}

// reviewSpec is the question of a client in a review.
type reviewSpec struct {
	Namespace   string                 `json:"namespace,omitempty"` // for a rules review
	Resource    *resourceAttributes    `json:"resourceAttributes,omitempty"`
	NonResource *nonResourceAttributes `json:"nonResourceAttributes,omitempty"`
}

// resourceAttributes describes a planned operation on a resource.
type resourceAttributes struct {
	Namespace   string `json:"namespace,omitempty"`
	Verb        string `json:"verb,omitempty"`
	Group       string `json:"group,omitempty"`
	Version     string `json:"version,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Name        string `json:"name,omitempty"`
}

// nonResourceAttributes describes a planned operation on a path.
type nonResourceAttributes struct {
	Path string `json:"path,omitempty"`
	Verb string `json:"verb,omitempty"`
}

// accessStatus is the answer of an access review.
type accessStatus struct {
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason,omitempty"`
}

// serveReview returns the handler of a review. A client may do whatever is
// served. Clients send reviews as protobuf and accept JSON answers.
func (s *Server) serveReview(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked, err := readReview(r)
		if err != nil {
			serve.Fail(w, http.StatusBadRequest, "BadRequest", err.Error())
			return
		}
		asked.Kind = kind
		if asked.Metadata == nil {
			asked.Metadata = object{}
		}
		switch kind {
		case accessReview:
			asked.Status = s.access(asked.Spec)
		case rulesReview:
			asked.Status = s.rules()
		default:
			asked.Status = object{"userInfo": object{"username": "owner", "groups": []string{"idumb:owner"}}}
		}
		serve.Answer(w, http.StatusCreated, asked)
	}
}

// readReview reads a review from a request body in JSON or protobuf.
func readReview(r *http.Request) (*review, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, badRequest("read the request: %v", err)
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), protobufType) {
		return decodeReview(body)
	}
	asked := &review{}
	if err := json.Unmarshal(body, asked); err != nil {
		return nil, badRequest("read the review: %v", err)
	}
	return asked, nil
}

// access reports whether the API serves the operation that a review is about.
func (s *Server) access(spec reviewSpec) accessStatus {
	a := spec.Resource
	if a == nil {
		return accessStatus{Allowed: spec.NonResource == nil || spec.NonResource.Verb == "get"}
	}
	for i := range s.groups {
		g := &s.groups[i]
		if a.Group != "*" && a.Group != g.name {
			continue
		}
		for n := range g.resources {
			if g.resources[n].allows(a) {
				return accessStatus{Allowed: true}
			}
		}
	}
	return accessStatus{Reason: "the API of iDumb does not serve that"}
}

// allows reports whether a resource supports a verb. "*" matches any verb.
func (r *resource) allows(a *resourceAttributes) bool {
	if a.Resource != "*" && a.Resource != r.plural {
		return false
	}
	verbs := r.verbs
	switch {
	case a.Subresource == "status" && r.of != nil:
		verbs = []string{"get"}
	case a.Subresource != "":
		return false
	}
	return a.Verb == "*" || slices.Contains(verbs, a.Verb)
}

// rules returns all served operations, in the format of a rules review.
func (s *Server) rules() object {
	var all []object
	for i := range s.groups {
		for _, r := range s.groups[i].resources {
			all = append(all, object{"verbs": r.verbs, "apiGroups": []string{s.groups[i].name}, "resources": []string{r.plural}})
		}
	}
	return object{"incomplete": false, "resourceRules": all, "nonResourceRules": []object{{"verbs": []string{"get"}, "nonResourceURLs": []string{"*"}}}}
}
