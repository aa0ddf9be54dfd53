package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/adopt"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// actRequest is the request body of an act.
type actRequest struct {
	Object          string `json:"object"` // object such as task/NAME; empty for an act that creates one
	ResourceVersion string `json:"resourceVersion"`
	acts.Said

	Args []string `json:"args,omitempty"` // arguments of the command with which a need proposes the act
	Call string   `json:"call,omitempty"` // text of the call that the page shows, to allow it
}

// act performs an act of the table of acts; other actions require a command.
// The page starts no programs and does not change how agents are governed.
func (p *Pages) act(w http.ResponseWriter, r *http.Request, g *grant) {
	name := r.PathValue("name")
	var in actRequest
	err := decode(w, r, &in)
	switch {
	case g.readOnly != "":
		serve.Fail(w, http.StatusForbidden, "Forbidden", g.readOnly)
		return
	case err != nil:
		serve.Fail(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	var result mutate.Result
	undo := false
	if name == "undo" {
		result, err = p.undo(r.Context(), g)
	} else {
		result, err = p.perform(r.Context(), name, &in)
		undo = g.remember(result, err)
	}
	if err != nil {
		code, reason := http.StatusUnprocessableEntity, "Invalid"
		var status *apierrors.Status
		switch {
		case mutate.IsConflict(err):
			code, reason = http.StatusConflict, "Conflict"
		case apierrors.IsNotFound(err):
			code, reason = http.StatusNotFound, "NotFound"
		case errors.As(err, &status) && status.Reason == "Forbidden":
			code, reason = http.StatusForbidden, "Forbidden"
		}
		serve.Fail(w, code, reason, err.Error())
		return
	}
	p.recordEvent(r.Context(), name, result)
	serve.Answer(w, http.StatusOK, map[string]any{"object": result.Key.String(), "what": result.Operation, "undo": undo})
}

// perform finds the act and its object and performs it.
func (p *Pages) perform(ctx context.Context, name string, in *actRequest) (result mutate.Result, err error) {
	a, known := acts.Named(p.acts, name)
	by := acts.Actor{Repo: p.Repo, Person: p.User}
	if known && a.Kinds == nil && in.Object == "" { // it creates its object
		made, err := a.Do(ctx, by, resources.Key{}, in.Said)
		return made.Result, err
	}
	word, object, _ := strings.Cut(in.Object, "/")
	kind, isKind := resources.LookupKind(word)
	if !isKind {
		return result, fmt.Errorf("there is no kind %q", word)
	}
	if err := resources.CheckName(object); err != nil {
		return result, err
	}
	key := resources.Key{Kind: kind.Plural, Name: object}
	if !known || !slices.Contains(a.Kinds, key.Kind) {
		return result, apierrors.Refuse(admission.Persons, fmt.Sprintf("the page does not %q %s", name, in.Object), "it does only what its keys say", "use the command: idumb --help lists them")
	}
	if a.Detached {
		in.ResourceVersion = ""
	}
	if err := p.unchanged(ctx, key, in.ResourceVersion); err != nil {
		return result, err
	}
	switch name {
	case "allow":
		return p.allowOnce(key, in)
	case "fine":
		return p.confirmDenial(key, in)
	case "adopt":
		return p.adoptList(ctx, key, in)
	}
	moved, err := a.Do(ctx, by, key, in.Said)
	return moved.Result, err
}

// adoptList makes a plan of the to-do list of a session.
func (p *Pages) adoptList(ctx context.Context, key resources.Key, in *actRequest) (result mutate.Result, err error) {
	list, err := adopt.ListOf(p.Root, key.Name)
	if err != nil {
		return result, err
	}
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, "")
	plan.Spec.State = in.State
	made, err := adopt.Adopt(ctx, p.Repo, p.Root, list, plan)
	if err != nil {
		return result, err
	}
	return made.Results[0], nil
}

// unchanged returns a conflict if an object changed since the user saw it.
func (p *Pages) unchanged(ctx context.Context, key resources.Key, revision string) error {
	record, err := p.Repo.Record(ctx, key)
	if err == nil && revision != "" && record.Rev != revision {
		return apierrors.Conflict(key)
	}
	return err
}

// recordEvent records an event with the action and its user. A failure to write the
// log is ignored.
func (p *Pages) recordEvent(ctx context.Context, action string, done mutate.Result) {
	kind, known := resources.KindOf(done.Key.Kind)
	if !known || done.Operation == mutate.Unchanged {
		return
	}
	_ = store.AppendEvents(p.Repo.Store.Scratch(), resources.Event{
		Time: resources.NewTime(p.Repo.Now()), Type: resources.Normal, Reason: "Page", Object: kind.Singular + "/" + done.Key.Name,
		Message: fmt.Sprintf("%s did %q on the page", p.User, action), From: "idumb",
	})
}
