package mutate

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// About is an error of one object among several.
type About struct {
	Key resources.Key
	Err error
}

func (a *About) Error() string { return a.Err.Error() }

func (a *About) Unwrap() error { return a.Err }

// ObjectOf returns the object that an error of CreateAll is about.
func ObjectOf(err error) (resources.Key, bool) {
	var about *About
	if errors.As(err, &about) {
		return about.Key, true
	}
	return resources.Key{}, false
}

// CreateAll writes new objects, all or none. They may refer to each other in any
// order. Empty names are made up. An error is an *About where one object is to
// blame.
func (r Repo) CreateAll(ctx context.Context, objects []resources.Object) ([]Result, error) {
	unnamed := make([]bool, len(objects))
	for i, o := range objects {
		unnamed[i] = o.Head().Metadata.Name == ""
	}
	var results []Result
	err := r.Run(ctx, func(tx *Tx) error {
		results = results[:0]
		for i, o := range objects {
			if err := tx.prepareNew(o, unnamed[i]); err != nil {
				return &About{o.Key(), err}
			}
		}
		changes := make([]*change, len(objects))
		for i, o := range objects {
			err := Check(o, nil, tx.View())
			if err == nil {
				changes[i], err = newChange(store.Record{}, Result{Key: o.Key(), What: Created, After: o})
			}
			if err != nil {
				return &About{o.Key(), err}
			}
		}
		for i, err := range tx.writeAll(changes) {
			if err != nil {
				return &About{changes[i].Key, err}
			}
			results = append(results, changes[i].Result)
		}
		return nil
	})
	return results, err
}

// prepareNew names, stamps and stages an object that must not exist.
func (t *Tx) prepareNew(o resources.Object, unnamed bool) error {
	if unnamed {
		key, err := t.newName(o.Key().Kind)
		if err != nil {
			return err
		}
		o.Head().Metadata.Name = key.Name
	}
	if _, staged := t.View().staged[o.Key()]; staged {
		return apierrors.AlreadyExists(o.Key())
	}
	if err := t.mustNotExist(o.Key()); err != nil {
		return err
	}
	Stamp(o, t.repo.Now())
	t.takeSums(o)
	t.Stage(o)
	return nil
}
