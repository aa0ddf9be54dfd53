package main

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/doctor/findings"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/serve/questions/code"
	"github.com/idumb-dev/idumb/controller/serve/questions/computed"
)

// answers is who answers: the controller, or what load reads where no controller does.
type answers struct {
	app       *app
	ctx       context.Context
	load      func() (*world, error)
	filesOnly bool // the controller cannot know, as of what was known when
}

// answers is who answers here; without a controller everything is read, or these kinds.
func (a *app) answers(ctx context.Context, kinds ...string) answers {
	return answers{app: a, ctx: ctx, load: func() (*world, error) { return a.load(ctx, kinds...) }}
}

// lookBack asks for what was known at a moment that is over, unless that is in error: the files
// tell.
func (by *answers) lookBack(at time.Time, err error) {
	load := by.load
	by.filesOnly = true
	by.load = func() (*world, error) {
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

// ask asks a question. The answer is the same, whoever gives it.
func ask[A any](by answers, name string, parameters url.Values) (answer A, err error) {
	given, hangUp, err := stream[A](by, name, parameters)
	hangUp()
	if err == nil {
		answer = *given
	}
	return answer, err
}

// stream is ask for an answer of which the objects are read while they are printed. Call hangUp
// then, whatever came of it.
func stream[A any](by answers, name string, parameters url.Values) (answer *A, hangUp func(), err error) {
	if answer, hangUp = told[A](by, name, parameters); answer != nil {
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

// askComputed asks the question of a computed kind; the kind reads the answer.
func (by answers) askComputed(k computed.Kind, parameters url.Values) (any, error) {
	if root, err := by.app.root(); err == nil {
		answer := k.New()
		told, hangUp := serve.ToldInto(by.ctx, root, k.Question.Name, parameters, answer)
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

// questionNamed is one of package questions, or of what this command draws or examines.
func questionNamed(name string) questions.Question {
	for _, q := range slices.Concat(tree.Questions(), findings.Questions(), code.Questions()) {
		if q.Name == name {
			return q
		}
	}
	q, _ := questions.Named(name)
	return q
}

// told is what the controller of the repository answers; nil where none does, or it does not
// know.
func told[A any](by answers, name string, parameters url.Values) (answer *A, hangUp func()) {
	root, err := by.app.root()
	if err != nil || by.filesOnly {
		return nil, func() {}
	}
	return serve.Told[A](by.ctx, root, name, parameters)
}
