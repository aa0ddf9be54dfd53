package page

import (
	"os"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/controller/allow"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// maxSeen is the maximum length of a call in a need, in characters. The page
// does not allow a call that it truncates.
const maxSeen = 160

// notSeen is the cause of a refusal when the page does not show everything that
// the decision is about.
const notSeen apierrors.Cause = "NotSeen"

func (p *Pages) desk() *allow.Desk {
	return &allow.Desk{Root: p.Root, Env: os.Environ(), Now: p.Repo.Now(), By: leases.Open(p.Root).Person().Person}
}

// denial returns the denial of a session that the user sees.
func (p *Pages) denial(session resources.Key, in *wish) (*allow.Desk, *allow.Denial, error) {
	desk := p.desk()
	if len(in.Args) == 0 {
		return nil, nil, apierrors.Refuse(notSeen, "nothing is decided", "the page does not show which denial is meant", "look at them: idumb get violations --session "+session.Name)
	}
	n, err := desk.Find(in.Args[len(in.Args)-1])
	if err == nil && n.Session != session.Name {
		err = apierrors.Refuse(notSeen, "nothing is decided", "the denial is of another session", "look again")
	}
	return desk, &n, err
}

func (p *Pages) allowOnce(key resources.Key, in *wish) (mutate.Result, error) {
	desk, n, err := p.denial(key, in)
	if err != nil {
		return mutate.Result{}, err
	}
	if utf8.RuneCountInString(n.Text) > maxSeen || n.Text != n.Call {
		return mutate.Result{}, apierrors.Refuse(notSeen, "the call is not allowed here", "the page does not show all of it", "look at all of it, and allow it: idumb allow "+n.ID())
	}
	return decided(key), desk.Once(n, in.Reason)
}

func (p *Pages) fine(key resources.Key, in *wish) (mutate.Result, error) {
	desk, n, err := p.denial(key, in)
	if err != nil {
		return mutate.Result{}, err
	}
	return decided(key), desk.Fine(n, in.Reason)
}

// decided returns an unchanged result for a session. The decision about it has
// its own event.
func decided(key resources.Key) mutate.Result {
	return mutate.Result{Key: key, What: mutate.Unchanged}
}
