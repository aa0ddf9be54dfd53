package main

import (
	"context"
	"encoding/json"
	"io"
	"net/url"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// answers is who answers: the controller, or what load reads where no controller does.
type answers struct {
	app       *app
	ctx       context.Context
	load      func() (*world, error)
	filesOnly bool // the controller cannot know, as of what was known when
}

func (a *app) answers(ctx context.Context, load func() (*world, error)) answers {
	return answers{app: a, ctx: ctx, load: load}
}

// ask asks a question. The answer is the same, whoever gives it.
func ask[A any](by answers, name string, parameters url.Values) (answer A, err error) {
	if body := by.question(name, parameters); body != nil {
		defer body.Close()
		if json.NewDecoder(body).Decode(&answer) == nil {
			return answer, nil
		}
	}
	return compute[A](by, name, parameters)
}

func compute[A any](by answers, name string, parameters url.Values) (answer A, err error) {
	w, err := by.load()
	if err != nil {
		return answer, err
	}
	q, _ := questions.Named(name)
	computed, err := q.Answer(w.source(), parameters)
	if err != nil {
		return answer, err
	}
	return computed.(A), nil
}

// askObjects is ask for whole objects, which are read while they are printed. Call done then.
func askObjects(by answers, parameters url.Values) (objects questions.List, done func(), err error) {
	if body := by.question(questions.AskObjects, parameters); body != nil {
		if objects, err := questions.ReadList(body); err == nil {
			return objects, func() { body.Close() }, nil
		}
		body.Close()
	}
	objects, err = compute[questions.List](by, questions.AskObjects, parameters)
	return objects, func() {}, err
}

// question returns what the controller of the repository answers; nil where none does, or it
// does not know.
func (by answers) question(name string, parameters url.Values) io.ReadCloser {
	root, err := by.app.root()
	if err != nil || by.filesOnly {
		return nil
	}
	client, err := serve.Dial(by.ctx, root)
	if err != nil {
		return nil
	}
	body, err := client.Question(by.ctx, name, parameters)
	if err != nil {
		client.Close()
		return nil
	}
	return hangUp{body, client}
}

// hangUp is an answer that takes the connection with it.
type hangUp struct {
	io.ReadCloser
	client *serve.Client
}

// Close ends the answer and hangs up.
func (h hangUp) Close() error {
	err := h.ReadCloser.Close()
	h.client.Close()
	return err
}
