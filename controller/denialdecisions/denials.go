// Package denialdecisions carries out the user's decision about a denial: it lets the
// same call pass once (package grants), or confirms the denial. The command and
// the page use it.
package denialdecisions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Causes of refusals.
const (
	NotPassed    apierrors.Cause = "NotPassed" // no call may bypass the rule
	SessionEnded apierrors.Cause = "Ended"     // the session has ended
	NotShown     apierrors.Cause = "NotShown"  // the effect of the call is unknown
)

// Denials lets a user decide about denials in a repository.
type Denials struct {
	Root layout.Root
	Env  []string // in the format of os.Environ; determines what the user trusts
	Now  time.Time
	User string // name of the user
}

// Denial is a call that the gate denied or left to the user.
type Denial struct {
	resources.Violation
	Object string // object of its event
	Text   string // full call, in its own lines; untrusted
}

// Find returns the denial with a name, or the last one of the session with a
// name. The name may be preceded by a kind or a host. It searches the last day.
// It returns an error if the denial does not identify the exact call, or if the
// full text of the call is no longer stored.
func (d *Denials) Find(word string) (Denial, error) {
	all, err := records.Denials(d.Root, d.Now.Add(-records.Recent))
	name := word[strings.LastIndexByte(word, '/')+1:]
	for _, e := range slices.Backward(all) {
		if v := e.Violation; v.ID() == name || v.Session != "" && v.Session == resources.NameOfID(name) {
			return d.fullDenial(e)
		}
	}
	none := fmt.Errorf("no denial of the last day is called %q, and no session of that name was denied anything: idumb get violations lists them", word)
	return Denial{}, errors.Join(none, err)
}

// fullDenial returns a denial with the full text of the call, for the user's
// decision. It returns an error under the same conditions as Find.
func (d *Denials) fullDenial(e resources.Event) (Denial, error) {
	found := Denial{Violation: *e.Violation, Object: e.Object, Text: e.Violation.Call}
	noted, known := hooks.DenialOf(d.Root, found.Violation)
	switch {
	case found.ID() == "":
		return found, errors.New("this denial does not tell the exact call: an earlier version of idumb recorded it, or no session was known; once the agent tries again, it can be allowed")
	case !known:
		return found, apierrors.Refuse(NotShown, "denial "+found.ID()+" is not decided about", "the full text of the call is no longer stored", "wait until the agent repeats the call")
	}
	found.Text = cmp.Or(noted.Line, noted.Call)
	return found, nil
}

// Check returns the reason why a call cannot be allowed, or nil.
func (d *Denials) Check(n *Denial) error {
	if may := hooks.MayAllow(d.Root, d.Env, d.Now); !slices.Contains(may, n.Rule) {
		why, step := "the trusted spec.allowOnce of config.json does not name it", "add it there and run idumb trust, or change the object that the rule checks"
		if !slices.Contains(admission.LiftableRules(), n.Rule) {
			why, step = "it protects governance or the work of another owner", "change the object that the rule checks, or make the change yourself"
		}
		return apierrors.Refuse(NotPassed, "no call passes the rule "+n.Rule, why, step)
	}
	if n.Stays != "" {
		return apierrors.Refuse(NotPassed, "the call is not allowed", "the rule "+n.Stays+" also denies it, and no call passes that rule", "change the object that the rule checks, or make the change yourself")
	}
	s, ok := d.Root.Object(d.session(n), layout.Path(d.session(n))).(*resources.Session)
	if !ok || !s.Spec.EndedAt.IsZero() {
		return apierrors.Refuse(SessionEnded, "no call can be allowed in session "+n.Session, "it has ended", "allow a denied call of a running session")
	}
	return nil
}

// session returns the key of the session whose call was denied.
func (d *Denials) session(n *Denial) resources.Key {
	return resources.Key{Kind: resources.Sessions, Name: n.Session}
}

// maxCall is the maximum length of a call in a grant, in bytes.
const maxCall = 4 << 10

// AllowOnce lets the denied call pass once in its session, within grants.ValidFor.
// It writes the grant and an event. It returns the error of Check.
func (d *Denials) AllowOnce(n *Denial, reason string) error {
	if err := d.Check(n); err != nil {
		return err
	}
	g := grants.Grant{Session: n.Session, Rule: n.Rule, CallDigest: n.Digest, Grantor: resources.PersonPrefix + d.User, Reason: reason, Call: strings.ToValidUTF8(n.Text[:min(len(n.Text), maxCall)], "")}
	if err := grants.Give(d.Root, g, d.Now); err != nil {
		return err
	}
	return d.recordDecision(n, resources.ReasonGranted, "lets one call pass the rule "+n.Rule, reason)
}

// ConfirmDenial records as an event that the denial was right. It then needs no
// further attention.
func (d *Denials) ConfirmDenial(n *Denial, reason string) error {
	return d.recordDecision(n, resources.ReasonFine, "confirms the denial by the rule "+n.Rule, reason)
}

// recordDecision records the user's decision about a denial as an event.
func (d *Denials) recordDecision(n *Denial, reason, what, why string) error {
	message := resources.PersonPrefix + d.User + " " + what
	if why != "" {
		message += " (" + admission.Plain(why) + ")"
	}
	v := n.Violation
	v.Why, v.UseInstead, v.Evidence = "", "", "" // of the denial, not of the decision
	return d.Root.AppendEvent(resources.Event{
		Time: resources.NewTime(d.Now), Type: resources.Normal, Reason: reason, Object: n.Object,
		Message: message + ": " + admission.Plain(n.Call), From: "idumb", Violation: &v,
	})
}

// List returns the valid grants, which are neither used nor expired.
func (d *Denials) List() []grants.Grant { return grants.List(d.Root, d.Now) }
