package queue

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// AnnotationQueued holds the id of the last queued command that wrote an object.
const AnnotationQueued = resources.Group + "/queued-as"

// Command is one line of the queue.
type Command = wishes.Wish

// arguments are those of all verbs.
type arguments = wishes.Args

// badLine is a line that makes no sense, whoever reads it.
type badLine struct{ error }

// Parse reads a line, strictly.
func Parse(line []byte) (Command, error) {
	var c Command
	if err := strictly(line, &c); err != nil {
		return c, badLine{fmt.Errorf("the line is no command: %w", err)}
	}
	if err := resources.CheckName(c.ID); err != nil {
		return c, badLine{fmt.Errorf("id %q: %w", c.ID, err)}
	}
	if _, known := verbs[c.Verb]; !known {
		return c, badLine{fmt.Errorf("verb %q is not known; use create, start, review, complete, fail or abandon", c.Verb)}
	}
	return c, nil
}

// strictly decodes one JSON value, without unknown fields or anything after it.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// verbs is the table of what a line may ask for. Each is carried out at most once for a
// command's id.
var verbs = map[string]func(ctx context.Context, repo mutate.Repo, c Command, a arguments) error{
	"create": create,
	"start":  move(lifecycle.Start), "review": move(lifecycle.Review), "complete": move(lifecycle.Complete),
	"fail": move(lifecycle.Fail), "abandon": move(lifecycle.Abandon),
}

// run carries out a command, unless it was already.
func run(ctx context.Context, repo mutate.Repo, c Command) error {
	var a arguments
	if len(c.Args) == 0 {
		return badLine{errors.New("args are missing")}
	}
	if err := strictly(c.Args, &a); err != nil {
		return badLine{fmt.Errorf("args: %w", err)}
	}
	return verbs[c.Verb](ctx, repo, c, a)
}

// create writes a new object of a kind that agents may write.
func create(ctx context.Context, repo mutate.Repo, c Command, a arguments) error {
	kind, known := resources.LookupKind(a.Kind)
	if !known || kind.Single || kind.Local || admission.GoverningKind(kind) {
		return badLine{fmt.Errorf("kind %q cannot be created by the queue; use workplan, task, anchor, mem or delegation", a.Kind)}
	}
	key := resources.Key{Kind: kind.Plural, Name: cmp.Or(a.Name, kind.Prefix+"-q-"+c.ID)}
	if err := resources.CheckName(key.Name); err != nil {
		return badLine{err}
	}
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": key.Name, "labels": a.Labels}, "spec": a.Spec})
	if err != nil {
		return badLine{err}
	}
	o, _, err := resources.Decode(key, text)
	if err != nil {
		return badLine{err}
	}
	mark(o, c.ID)
	_, err = repo.CreateIf(ctx, o, func(v *mutate.View) error {
		if m, ok := o.(*resources.Mem); ok { // of one topic one mem holds, whoever writes it
			if _, err := mems.Keep(m, v); err != nil {
				return err
			}
		}
		return lifecycle.CheckNew(o, v)
	})
	if wasThere(err) && madeBy(ctx, repo, key, c.ID) {
		return nil // it was this very command
	}
	return err
}

// wasThere reports whether an error says that there is an object of that name already.
func wasThere(err error) bool {
	var status *apierrors.Status
	return errors.As(err, &status) && status.Reason == "AlreadyExists"
}

// madeBy reports whether an object says that the command of that id wrote it last.
func madeBy(ctx context.Context, repo mutate.Repo, key resources.Key, id string) bool {
	record, err := repo.Record(ctx, key)
	if err != nil {
		return false
	}
	o, _, err := resources.DecodeFile(key, record.Spec)
	return err == nil && markOf(o) == id
}

// move makes the verb of a step in the life of a task or a plan.
func move(verb lifecycle.Verb) func(context.Context, mutate.Repo, Command, arguments) error {
	return func(ctx context.Context, repo mutate.Repo, c Command, a arguments) error {
		key := resources.Key{Kind: resources.Tasks, Name: a.Task}
		switch {
		case (a.Task == "") == (a.WorkPlan == ""):
			return badLine{errors.New("args: give either task or workplan")}
		case a.Task == "":
			key = resources.Key{Kind: resources.WorkPlans, Name: a.WorkPlan}
		}
		m := lifecycle.Move{Verb: verb, Evidence: a.Evidence, Tests: a.Tests, Files: a.Files, Reason: a.Reason}
		_, err := repo.One(ctx, key, func(o resources.Object, v *mutate.View) (resources.Object, error) {
			if markOf(o) == c.ID {
				return o, nil
			}
			next, _, err := lifecycle.Make(o, m, v, func(o resources.Object) lifecycle.World { return v.With(o) })
			if err == nil {
				mark(next, c.ID)
			}
			return next, err
		})
		if err != nil || verb != lifecycle.Start || key.Kind != resources.Tasks {
			return err
		}
		return takeOver(ctx, repo, key.Name)
	}
}

// takeOver recalls the delegations of a task that have lapsed, once it is started, as the
// command does. Doing it again recalls nothing more.
func takeOver(ctx context.Context, repo mutate.Repo, task string) error {
	there, err := repo.Store.Load(ctx, repo.Now(), resources.Delegations, resources.Sessions)
	if err != nil {
		return err
	}
	_, err = repo.TakeOver(ctx, task, there)
	return err
}

func mark(o resources.Object, id string) {
	meta := &o.Head().Metadata
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[AnnotationQueued] = id
}

func markOf(o resources.Object) string { return o.Head().Metadata.Annotations[AnnotationQueued] }
