package main

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
)

// answers answers queries: with the controller, or with the files that load reads.
type answers struct {
	app       *app
	ctx       context.Context
	load      func() (*snapshot, error)
	filesOnly bool // the controller does not know the requested moment
}

// answers returns the source of answers. Without a controller it reads all kinds, or the given
// ones.
func (a *app) answers(ctx context.Context, kinds ...string) answers {
	return answers{app: a, ctx: ctx, load: func() (*snapshot, error) { return a.load(ctx, kinds...) }}
}

// lookBack changes the source to the state at an earlier moment, which only the files contain. If
// err is not nil, all queries return it.
func (by *answers) lookBack(at time.Time, err error) {
	load := by.load
	by.filesOnly = true
	by.load = func() (*snapshot, error) {
		if err != nil {
			return nil, err
		}
		w, err := load()
		if err == nil {
			w.snap, w.now = w.snap.AsOf(at), at
		}
		return w, err
	}
}

// ask answers a query. The answer does not depend on the source.
func ask[A any](by answers, name string, parameters url.Values) (answer A, err error) {
	given, hangUp, err := stream[A](by, name, parameters)
	hangUp()
	if err == nil {
		answer = *given
	}
	return answer, err
}

// stream is ask for an answer with objects that are read while they are printed. The caller must
// call hangUp afterwards, also after an error.
func stream[A any](by answers, name string, parameters url.Values) (answer *A, hangUp func(), err error) {
	if answer, hangUp = fromController[A](by, name, parameters); answer != nil {
		return answer, hangUp, nil
	}
	w, err := by.load()
	if err != nil {
		return nil, hangUp, err
	}
	given, err := questionNamed(name).Answer(w.source(), parameters)
	if err != nil {
		return nil, hangUp, err
	}
	return given.(*A), hangUp, nil
}

// askComputed answers the query of a computed kind.
func (by answers) askComputed(k code.ComputedKind, parameters url.Values) (any, error) {
	if root, err := by.app.root(); err == nil {
		answer := k.New()
		told, hangUp := serve.QueryInto(by.ctx, root, k.Question.Name, parameters, answer)
		hangUp()
		if told {
			return answer, nil
		}
	}
	w, err := by.load()
	if err != nil {
		return nil, err
	}
	return k.Question.Answer(w.source(), parameters)
}

// questionNamed returns a query of package queries or of this command.
func questionNamed(name string) queries.Question {
	for _, q := range slices.Concat(tree.Questions(), objectchecks.Questions(), code.Questions()) {
		if q.Name == name {
			return q
		}
	}
	q, _ := queries.Named(name)
	return q
}

// fromController returns the controller's answer, or nil if no controller answers or it does not know the
// query.
func fromController[A any](by answers, name string, parameters url.Values) (answer *A, hangUp func()) {
	root, err := by.app.root()
	if err != nil || by.filesOnly {
		return nil, func() {}
	}
	return serve.Query[A](by.ctx, root, name, parameters)
}
