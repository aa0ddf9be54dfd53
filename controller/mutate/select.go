package mutate

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// Select returns the keys of the objects of a kind whose labels match, sorted.
// One that cannot be read and has no last good version has no labels.
func (r Repo) Select(ctx context.Context, kind string, match func(labels map[string]string) bool) ([]resources.Key, error) {
	snapshot, err := r.Store.Load(ctx, r.Now())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(snapshot.List(kind), func(key resources.Key) bool {
		var labels map[string]string
		if o, found := snapshot.Get(key); found {
			labels = o.Head().Metadata.Labels
		}
		return !match(labels)
	}), nil
}

// Present tells the keys that are there from those that are not, each with an
// error.
func (r Repo) Present(ctx context.Context, keys []resources.Key) (present []resources.Key, absent []error) {
	for _, key := range keys {
		if _, err := r.Record(ctx, key); err != nil {
			absent = append(absent, err)
			continue
		}
		present = append(present, key)
	}
	return present, absent
}
