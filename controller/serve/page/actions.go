package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Action is something that a person can do on the page, by the same steps as with a command.
type Action struct {
	Name   string   `json:"name"`
	Key    string   `json:"key"` // on the keyboard
	Label  string   `json:"label"`
	Kinds  []string `json:"kinds"`            // what it is done to
	Phases []string `json:"phases,omitempty"` // in which it is proposed; none: in all
	Asks   []Ask    `json:"asks,omitempty"`   // what the person says
	Needs  string   `json:"needs,omitempty"`  // the last word of the verb with which a need proposes it, without dashes; "": it is always proposed

	beside bool // it does not change what it is done to, which may have changed since it was looked at

	do func(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error)
}

// Ask is something that the person says with an action: a field of the request.
type Ask struct {
	Field    string   `json:"field"`
	Label    string   `json:"label"`
	Required bool     `json:"required,omitempty"`
	Choices  []string `json:"choices,omitempty"`
}

// wish is what the page sends with an action.
type wish struct {
	Object          string `json:"object"` // task/NAME
	ResourceVersion string `json:"resourceVersion"`
	Reason          string `json:"reason"`
	Evidence        string `json:"evidence"`
	Tests           string `json:"tests"`
	Content         string `json:"content"`
	To              string `json:"to"`
	Priority        string `json:"priority"`
	Intent          string `json:"intent"`

	Args []string `json:"args,omitempty"` // of the command with which a need proposes the action
}

// allActions is the one list of what a page may do. What is not in it is done with a command: the
// page starts no program, and does not change how agents are held.
func allActions() []Action {
	tasks, work := []string{resources.Tasks}, []string{resources.Tasks, resources.WorkPlans}
	evidence := Ask{Field: "evidence", Label: "What shows that it is done?", Required: true}
	tests := Ask{Field: "tests", Label: "Which tests were run?"}
	why := Ask{Field: "reason", Label: "Why?", Required: true}
	sessions := []string{resources.Sessions}
	said := []string{resources.Tasks, resources.WorkPlans, resources.Mems, resources.Delegations, resources.Sessions}
	return []Action{
		{Name: "start", Key: "s", Label: "Start", Kinds: tasks, Phases: lifecycle.Start.From(), do: move(lifecycle.Start)},
		{Name: "review", Key: "r", Label: "Hand in for review", Kinds: tasks, Phases: lifecycle.Review.From(), Asks: []Ask{{Field: "evidence", Label: evidence.Label}, tests}, do: move(lifecycle.Review)},
		{Name: "complete", Key: "C", Label: "Complete", Kinds: tasks, Phases: lifecycle.Complete.From(), Asks: []Ask{evidence, tests}, do: move(lifecycle.Complete)},
		{Name: "fail", Key: "F", Label: "Fail", Kinds: tasks, Phases: lifecycle.Fail.From(), Asks: []Ask{why}, do: move(lifecycle.Fail)},
		{Name: "abandon", Key: "x", Label: "Abandon", Kinds: tasks, Phases: lifecycle.Abandon.From(), Asks: []Ask{why}, do: move(lifecycle.Abandon)},
		{Name: "priority", Key: "p", Label: "Priority", Kinds: tasks, Asks: []Ask{{Field: "priority", Label: "How much does it matter?", Required: true, Choices: []string{"critical", "high", "medium", "normal", "low"}}}, do: edit(func(t *resources.Task, in *wish) { t.Spec.Priority = in.Priority })},
		{Name: "assign", Key: "A", Label: "Assign", Kinds: tasks, Asks: []Ask{{Field: "to", Label: "To which role, agent or person? Empty: to nobody"}}, do: edit(func(t *resources.Task, in *wish) { t.Spec.AssignedTo = in.To })},
		{Name: "intent", Key: "i", Label: "Work on this", Kinds: work, Asks: []Ask{{Field: "intent", Label: "What do you want now, in a sentence?"}}, do: focus},
		{Name: "recall", Key: "R", Label: "Recall", Kinds: []string{resources.Delegations}, Asks: []Ask{{Field: "to", Label: "Hand it to whom instead? Empty: to nobody"}}, do: recall},
		{Name: "confirm", Key: "t", Label: "Still true", Kinds: []string{resources.Mems}, do: confirm},
		{Name: "supersede", Key: "S", Label: "Supersede", Kinds: []string{resources.Mems}, Asks: []Ask{{Field: "content", Label: "What holds in its place?", Required: true}, {Field: "reason", Label: "Why?"}}, do: supersede},
		{Name: "comment", Key: "c", Label: "Comment", Kinds: said, Asks: []Ask{{Field: "content", Label: "What is to be done, or known?", Required: true}}, beside: true, do: comment},
		{Name: "answer", Key: "a", Label: "Answer", Kinds: []string{resources.Comments}, Phases: []string{resources.CommentOpen, resources.CommentTold}, Asks: []Ask{{Field: "content", Label: "Your answer", Required: true}}, beside: true, do: answer},
		{Name: "hold", Key: "h", Label: "Hold or release", Kinds: tasks, Asks: []Ask{{Field: "content", Label: "Hold it until what is answered? Empty: release it"}}, beside: true, do: hold},
		{Name: "allow", Key: "y", Label: "Allow once", Kinds: sessions, Asks: []Ask{{Field: "reason", Label: "Why? The agent is told"}}, Needs: "allow", beside: true, do: allowOnce},
		{Name: "fine", Key: "n", Label: "Fine: rightly denied", Kinds: sessions, Needs: "fine", beside: true, do: fine},
		{Name: "undo", Key: "u", Label: "Undo my last change"},
	}
}

// act does one of the actions.
func (p *Pages) act(w http.ResponseWriter, r *http.Request, g *grant) {
	name := r.PathValue("name")
	var in wish
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
		result, err = p.do(r.Context(), name, &in)
		undo = g.remember(result, err)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	p.tell(r.Context(), name, result)
	serve.Answer(w, http.StatusOK, map[string]any{"object": result.Key.String(), "what": result.What, "undo": undo})
}

// do finds the action and what it is done to, and does it.
func (p *Pages) do(ctx context.Context, name string, in *wish) (result mutate.Result, err error) {
	word, object, _ := strings.Cut(in.Object, "/")
	kind, known := resources.LookupKind(word)
	if !known {
		return result, fmt.Errorf("there is no kind %q", word)
	}
	if err := resources.CheckName(object); err != nil {
		return result, err
	}
	key := resources.Key{Kind: kind.Plural, Name: object}
	for _, a := range allActions() {
		for _, plural := range a.Kinds {
			if a.Name != name || plural != key.Kind {
				continue
			}
			if a.beside {
				in.ResourceVersion = ""
			}
			if err := p.unchanged(ctx, key, in.ResourceVersion); err != nil {
				return result, err
			}
			return a.do(ctx, p, key, in)
		}
	}
	return result, apierrors.Refuse(admission.Persons, fmt.Sprintf("the page does not %q %s", name, in.Object), "it does only what its keys say", "use the command: idumb --help lists them")
}

// unchanged makes sure that an object is what the person saw.
func (p *Pages) unchanged(ctx context.Context, key resources.Key, revision string) error {
	record, err := p.Repo.Record(ctx, key)
	if err == nil && revision != "" && record.Rev != revision {
		return apierrors.Conflict(key)
	}
	return err
}

// tell writes down what was done, and by whom. A log that cannot be written changes nothing.
func (p *Pages) tell(ctx context.Context, action string, done mutate.Result) {
	kind, known := resources.KindOf(done.Key.Kind)
	if !known || done.What == mutate.Unchanged {
		return
	}
	_ = store.AppendEvents(p.Repo.Store.Scratch(), resources.Event{
		Time: resources.NewTime(p.Repo.Now()), Type: resources.Normal, Reason: "Page", Object: kind.Singular + "/" + done.Key.Name,
		Message: fmt.Sprintf("%s did %q on the page", p.By, action), From: "idumb",
	})
}

// refuse says why something was not done, in the words of the command.
func refuse(w http.ResponseWriter, err error) {
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
}

func move(verb lifecycle.Verb) func(context.Context, *Pages, resources.Key, *wish) (mutate.Result, error) {
	return func(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
		moved, err := p.Repo.Move(ctx, lifecycle.Move{Verb: verb, Evidence: in.Evidence, Tests: in.Tests, Reason: in.Reason}, key)
		return moved.Result, err
	}
}

func edit(change func(*resources.Task, *wish)) func(context.Context, *Pages, resources.Key, *wish) (mutate.Result, error) {
	return func(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
		return p.Repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
			change(o.(*resources.Task), in)
			return o, nil
		})
	}
}

func focus(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
	focused, err := p.Repo.Focus(ctx, in.Intent, key)
	return focused.Result, err
}

func recall(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
	if in.To != "" {
		recalled, _, err := p.Repo.Redirect(ctx, key, in.To)
		if err != nil {
			return mutate.Result{}, err
		}
		return mutate.Result{Key: key, What: mutate.Configured, After: recalled}, nil
	}
	return p.Repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		return lifecycle.Delegation(o.(*resources.Delegation), lifecycle.Recall)
	})
}

func confirm(ctx context.Context, p *Pages, key resources.Key, _ *wish) (mutate.Result, error) {
	return p.Repo.One(ctx, key, func(o resources.Object, v *mutate.View) (resources.Object, error) {
		return mems.Confirm(o.(*resources.Mem), mems.Confirmation{By: p.By}, v)
	})
}

func supersede(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
	kind, _ := resources.KindOf(resources.Mems)
	m := kind.New().(*resources.Mem)
	m.Spec.Content, m.Spec.Supersedes, m.Spec.SupersedeReason = in.Content, key.Name, in.Reason
	result, _, err := p.Repo.SaveMem(ctx, m, mems.Save)
	return result, err
}
