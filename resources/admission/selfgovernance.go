package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// governedCommand denies idumb commands that change objects which an agent may not write as files,
// such as roles, settings and session records, or that disable its gate. Files that
// commands read (apply -f) are added to the call by the hook, because it can read them.
func governedCommand(e *evaluation) *Reason {
	for _, d := range e.ownCommands() {
		if d.asks && !e.call.Own {
			return researchByTool(d)
		}
		if d.apart && !d.dry && !d.onlyReads() {
			return &Reason{
				What:       "You tried to run " + quote(d.text()) + " in the background or in a separate session but its caller cannot be identified there.",
				Why:        []string{"idumb records each change for its caller, and identifies the caller by the process that started it."},
				UseInstead: "Run it in the foreground and wait for it: `" + d.text() + "`.",
				Evidence:   []string{"command = " + d.text()},
			}
		}
		if !d.governed() {
			continue
		}
		return &Reason{
			What:       "You tried to run " + quote(d.text()) + " but that command changes governance: agents do not run it.",
			Why:        []string{"Roles, settings, session records, hooks and the controller govern you."},
			UseInstead: "Leave it to the user: ask them to run it if it is needed.",
			Evidence:   []string{"command = " + d.text()},
		}
	}
	return nil
}

// researchByTool denies research by command. Research settings of the person are in a
// folder named by the environment, which an agent can set for its shell, but not for our
// tools.
func researchByTool(d ownCommand) *Reason {
	return &Reason{
		What:       "You tried to run " + quote("idumb research") + " in a shell but it costs money and requires the user's permission.",
		Why:        []string{"The permission is read from the environment of the command, which you control in a shell."},
		UseInstead: `Use govern_delegate {"action": "research", "task": "...", "question": "..."}.`,
		Evidence:   []string{"command = " + d.text()},
	}
}

// Governed reports whether a call runs an idumb command that no agent may run.
func Governed(call Call) bool {
	e := &evaluation{call: call}
	return slices.ContainsFunc(e.ownCommands(), func(d ownCommand) bool { return d.governed() || d.asks && !call.Own })
}

// governed reports whether the command changes the governance of agents.
func (d ownCommand) governed() bool {
	switch d.verb {
	case "hook": // "idumb hook HOST" acts for any given identity
		return len(d.names) > 0 && d.names[0] != "install" && d.names[0] != "status"
	case "controller":
		return slices.Contains(d.names, "stop")
	case "trust", "kubeconfig", "allow":
		return true
	case "uninstall":
		return !d.dry
	case migrateVerb: // writes settings and session records, from files that agents may edit
		return !d.dry
	case "create":
		return len(d.kinds) > 0 && !openKind(d.kinds[0])
	}
	return d.changes() && slices.ContainsFunc(d.kinds, func(kind string) bool { return !openKind(kind) })
}

// openKind reports whether agents may write objects of a kind as files, by its plural name.
func openKind(kind string) bool {
	return kind == resources.Trajectories || slices.Contains(openKinds[:], kind)
}

// ownTerms denies agents to change their own terms. Delegations can only be changed by
// their giver. An agent under a delegation may not change tasks other than its own.
// Planners without a task may change all plans.
func ownTerms(e *evaluation) *Reason {
	if r := e.termsByFile(); r != nil {
		return r
	}
	for _, d := range e.ownCommands() {
		if d.alwaysOpen() {
			continue
		}
		if r := e.delegationsByCommand(d); r != nil {
			return r
		}
		if e.caller().delegate() {
			if r := e.othersByCommand(d); r != nil {
				return r
			}
		}
	}
	return nil
}

// termsByFile checks writes of planning files against the caller's terms.
func (e *evaluation) termsByFile() *Reason {
	if !e.call.writes() {
		return nil
	}
	for _, p := range e.call.Paths {
		switch kind, name, ok := object(p); {
		case !ok || !openToAll(p):
			continue
		case kind == "delegation" && !e.mayChange(name):
			return e.notYours(name)
		case kind != "anchor" && kind != "mem" && e.caller().delegate():
			return e.byCommandOnly(kind, name)
		}
	}
	return nil
}

// MayChange reports whether the caller may change, recall or end a delegation, for tools
// with a delegation argument. Missing delegations may be created.
func MayChange(call Call, delegation string, view View) bool {
	return (&evaluation{call: call, view: view}).mayChange(delegation)
}

// mayChange reports whether the caller may change a delegation: it gave the delegation, or
// it is an agent that a person started and is not the delegate. Delegations from another
// session belong to it until it ends. Missing delegations are unrestricted.
func (e *evaluation) mayChange(name string) bool {
	c := e.caller()
	if slices.ContainsFunc(c.delegations, func(t grant) bool { return t.name == name }) {
		return false
	}
	d, ok := e.view.Delegation(name)
	switch {
	case !ok:
		return true
	case e.givenBeside(d) != "":
		return false
	case c.claims(d.Spec.From, e.view) == mine:
		return true
	case c.delegate() || c.hops > 0:
		return false
	}
	return !c.ownRole || c.claims(d.Spec.To, e.view) != mine
}

// givenBeside returns the session that gave a delegation, if it is still open and the
// caller does not act for it. Otherwise it returns "".
func (e *evaluation) givenBeside(d *resources.Delegation) string {
	giver := giverOf(d, e.view)
	if giver == "" || giver == e.caller().top || status.GiverOver(d, e.view) {
		return ""
	}
	return giver
}

// notYours returns the denial for a delegation that another session gave.
func (e *evaluation) notYours(name string) *Reason {
	r := &Reason{
		What:       e.attempt() + " but delegation " + quote(name) + " is not yours to change.",
		Why:        []string{"It defines what you may do; you act as " + e.caller().name() + "."},
		UseInstead: "Leave it to its giver: `idumb describe delegation " + name + "` shows its state.",
		Evidence:   []string{"delegations/" + name},
	}
	if d, ok := e.view.Delegation(name); ok {
		r.Why = []string{quote(d.Spec.From) + " gave it to " + quote(d.Spec.To) + ", and only the giver changes or recalls it; you act as " + e.caller().name() + "."}
		r.Evidence = []string{"delegations/" + name + " spec.from = " + quote(d.Spec.From)}
		if giver := e.givenBeside(d); giver != "" {
			r.Why = []string{"Session " + quote(giver) + " gave it and is active: only that session changes or recalls it, until it ends or is silent for " + forAge(resources.DefaultLeaseDuration) + "."}
			r.Evidence = []string{"delegations/" + name + " was made by session " + quote(giver)}
		}
		if e.caller().task() == d.Spec.Task {
			r.UseInstead = "If you cannot work on these terms, run `idumb fail " + d.Spec.Task + " --reason \"...\"` to hand the task back."
		}
	}
	return r
}

// attempt returns the start of a denial text, with the command if there is one.
func (e *evaluation) attempt() string {
	if len(e.ownCommands()) > 0 && len(e.call.Runs) > 0 {
		shown := make([]string, 0, len(e.call.Runs))
		for _, r := range e.call.Runs {
			shown = append(shown, r.Shown())
		}
		return "You tried to run " + quote(strings.Join(shown, " ; "))
	}
	return triedText(e.call)
}

// byCommandOnly returns the denial for a delegate that edits plans as files. Commands check
// the caller, an editor cannot.
func (e *evaluation) byCommandOnly(kind, name string) *Reason {
	c := e.caller()
	r := &Reason{
		What:       triedText(e.call) + " but you work under delegation " + quote(c.delegations[0].name) + ".",
		Why:        []string{"A delegate changes plans, tasks and delegations only by commands, because they check the caller."},
		UseInstead: "Tell the agent that started you which change is needed in " + kind + " " + quote(name) + ".",
		Evidence:   []string{"sessions/" + e.call.Session + " spec.delegation = " + quote(c.delegations[0].name)},
	}
	if own := c.task(); kind == "task" && own == name {
		r.UseInstead = "Run `idumb complete " + own + " --evidence \"...\"` if it is done, or `idumb fail " + own + " --reason \"...\"` if it cannot be done."
	}
	return r
}

// delegationsByCommand checks a command on delegations against their givers.
func (e *evaluation) delegationsByCommand(d ownCommand) *Reason {
	if !d.changes() || !d.namesKind(resources.Delegations) {
		return nil
	}
	names := d.names
	if d.several { // the names cannot be determined here
		names = e.view.Names(resources.Delegations)
	}
	for _, name := range names {
		if _, there := e.view.Delegation(name); there && !e.mayChange(name) && !(d.hands() && e.worksUnder(name)) {
			return e.notYours(name)
		}
	}
	if c := e.caller(); d.several && c.delegate() {
		return e.notYours(c.delegations[0].name)
	}
	return nil
}

// hands reports whether the command only accepts or completes a delegation. Its delegate
// does that.
func (d ownCommand) hands() bool { return d.verb == "accept" || d.verb == "complete" }

// worksUnder reports whether the caller works under a delegation.
func (e *evaluation) worksUnder(name string) bool {
	c := e.caller()
	return c.ancestry.isCaller && c.delegations[0].name == name
}

// othersByCommand checks a delegate's command against its delegation. Delegates may start
// and complete their own task and its subtasks, and change the subtasks.
func (e *evaluation) othersByCommand(d ownCommand) *Reason {
	switch {
	case !d.changes():
		return nil
	case d.several, d.verb == "apply", d.verb == "replace", d.verb == "import", d.verb == migrateVerb, d.verb == "restore":
		return e.notHanded(d, "an object that it may change")
	case d.namesKind(resources.WorkPlans) || d.namesKind(resources.Trajectories):
		return e.notHanded(d, "the plan")
	case len(d.kinds) > 0 && !d.namesKind(resources.Tasks): // findings, and delegations, which are checked above
		return nil
	}
	forward := d.verb == "start" || d.verb == "complete"
	for _, name := range d.names {
		if t, there := e.view.Task(name); there && !(forward && name == e.caller().task() || e.caller().partOfOwn(t, e.view)) {
			return e.notHanded(d, "task "+quote(name))
		}
	}
	return nil
}

// notHanded returns the denial for a delegate that changes objects of another owner.
func (e *evaluation) notHanded(d ownCommand, what string) *Reason {
	c := e.caller()
	r := &Reason{
		What:       "You tried to run " + quote(d.text()) + " but " + what + " is not yours to change.",
		Why:        []string{"Delegation " + quote(c.delegations[0].name) + " hands you one task, to start, complete or fail."},
		UseInstead: "Tell the agent that started you which change is needed.",
		Evidence:   []string{"sessions/" + e.call.Session + " spec.delegation = " + quote(c.delegations[0].name)},
	}
	if own := c.task(); own != "" {
		r.Why[0] = "Delegation " + quote(c.delegations[0].name) + " hands you task " + quote(own) + ", to start, complete or fail."
		r.UseInstead = "Work on your own task; `idumb describe task " + own + "` shows it. Tell the agent that started you which other changes are needed."
	}
	return r
}
