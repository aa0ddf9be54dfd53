package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// deleteOptions is the body of a delete request.
type deleteOptions struct {
	DryRun            []string `json:"dryRun"`
	PropagationPolicy string   `json:"propagationPolicy"`
	Preconditions     struct {
		UID             string `json:"uid"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"preconditions"`
}

// cascade returns the cascade of a delete. kubectl sends Background by default,
// so Background deletes no dependents; only Foreground does.
func (o *deleteOptions) cascade() mutate.Cascade {
	switch o.PropagationPolicy {
	case "Foreground":
		return mutate.Owned
	case "Orphan":
		return mutate.Orphan
	}
	return mutate.Guarded
}

// deleteOptions reads the options in the body of a delete request. The body may be empty.
func (c *call) deleteOptions() (o deleteOptions, err error) {
	body, err := c.body()
	if err != nil {
		return o, err
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &o); err != nil {
			return o, badRequest("read the options: %v", err)
		}
	}
	c.dryRun = c.dryRun || len(o.DryRun) > 0
	return o, nil
}

// delete deletes one object and answers after the deletion is effective.
func (c *call) delete() (int, any, error) {
	options, err := c.deleteOptions()
	if err == nil {
		err = c.server.options.Objects.Ready(c.request)
	}
	if err != nil {
		return 0, nil, err
	}
	key, uid := c.key(), ""
	if o, found := c.server.options.Objects.Cache().Get(key); found {
		uid = uidOf(o)
		want := options.Preconditions
		if want.UID != "" && want.UID != uid || want.ResourceVersion != "" && want.ResourceVersion != c.version(o) {
			return 0, nil, apierrors.Conflict(key)
		}
	}
	if err := c.remove(options.cascade(), key); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, serve.Status{
		Kind: "Status", APIVersion: "v1", Status: "Success", Code: http.StatusOK,
		Details: &serve.StatusDetails{Name: c.name, Group: resources.Group, Kind: c.kind.Plural, UID: uid},
	}, nil
}

// remove deletes objects and their stored client data.
func (c *call) remove(cascade mutate.Cascade, keys ...resources.Key) error {
	gone, err := c.repo().Delete(c.request.Context(), keys, cascade)
	if err != nil || c.dryRun {
		return err
	}
	for _, key := range gone {
		c.server.clientState.forget(key)
	}
	return c.await(func(cache *queries.Cache) bool {
		return !slices.ContainsFunc(gone, func(key resources.Key) bool { _, found := cache.Get(key); return found })
	})
}

// deleteAll deletes all objects of the kind that match the selectors, or none.
func (c *call) deleteAll() (int, any, error) {
	options, err := c.deleteOptions()
	if err == nil {
		err = c.server.options.Objects.Ready(c.request)
	}
	if err != nil {
		return 0, nil, err
	}
	v := c.request.URL.Query()
	find := &queries.Find{Kinds: []string{c.kind.Plural}, Labels: v.Get("labelSelector"), Fields: v.Get("fieldSelector"), Whole: true, Served: c.server.options.Objects.Serving()}
	found, err := find.Run(c.server.options.Objects.Cache().Source)
	if err != nil {
		return 0, nil, badRequest("%v", err)
	}
	var keys []resources.Key
	items := []any{}
	for _, e := range found.Entries {
		keys, items = append(keys, e.Key), append(items, e.Document())
	}
	if len(keys) > 0 {
		if err := c.remove(options.cascade(), keys...); err != nil {
			return 0, nil, err
		}
	}
	return http.StatusOK, object{"kind": c.kind.Name + "List", "apiVersion": resources.APIVersion, "metadata": object{"resourceVersion": fmt.Sprint(found.Version)}, "items": items}, nil
}
