package page

import (
	"os"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/controller/denials"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// maxShownCall is the maximum length of a call in a need, in characters. The page
// does not allow a call that it truncates.
const maxShownCall = 160

// notShown is the cause of a refusal when the page does not show everything that
// the decision is about.
const notShown apierrors.Cause = "NotSeen"

// denial returns the denial of a session that the user sees.
func (p *Pages) denial(session resources.Key, in *actRequest) (*denials.Denials, *denials.Denial, error) {
	desk := &denials.Denials{Root: p.Root, Env: os.Environ(), Now: p.Repo.Now(), User: leases.Open(p.Root).User().Person}
	if len(in.Args) == 0 {
		return nil, nil, apierrors.Refuse(notShown, "the denial was not changed", "the page does not identify the denial", "list the denials: idumb get violations --session "+session.Name)
	}
	n, err := desk.Find(in.Args[len(in.Args)-1])
	if err == nil && n.Session != session.Name {
		err = apierrors.Refuse(notShown, "the denial was not changed", "it belongs to another session", "reload the page")
	}
	return desk, &n, err
}

// allowOnce grants one repetition of a denied call of a session. It refuses a call that the page
// does not show completely.
func (p *Pages) allowOnce(key resources.Key, in *actRequest) (mutate.Result, error) {
	desk, n, err := p.denial(key, in)
	if err != nil {
		return mutate.Result{}, err
	}
	if utf8.RuneCountInString(n.Text) > maxShownCall || n.Text != n.Call {
		return mutate.Result{}, apierrors.Refuse(notShown, "the call is not allowed here", "the page does not show all of it", "look at all of it, and allow it: idumb allow "+n.ID())
	}
	return unchangedResult(key), desk.AllowOnce(n, in.Reason)
}

// confirmDenial marks a denial of a session as correct.
func (p *Pages) confirmDenial(key resources.Key, in *actRequest) (mutate.Result, error) {
	desk, n, err := p.denial(key, in)
	if err != nil {
		return mutate.Result{}, err
	}
	return unchangedResult(key), desk.ConfirmDenial(n, in.Reason)
}

// unchangedResult returns an unchanged result for a session. The decision about it has
// its own event.
func unchangedResult(key resources.Key) mutate.Result {
	return mutate.Result{Key: key, Operation: mutate.Unchanged}
}
