package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// governedCommand: idumb's own commands do not change for an agent what it may not
// write as a file: roles, settings, records of sessions; and they do not take its gate
// away. What a file holds that a command reads (apply -f)
// is for whoever can read it: the hook makes it a part of the call.
func governedCommand(e *evaluation) *Reason {
	for _, d := range e.ownCommands() {
		if d.asks && !e.call.Own {
			return researchByTool(d)
		}
		if d.apart && !d.dry && !d.onlyReads() {
			return &Reason{
				What:       "You tried to run " + quote(d.text()) + " in the background or in a session of its own but nothing tells there who runs it.",
				Why:        []string{"What changes anything counts as its caller's, and idumb finds the caller by what started it."},
				UseInstead: "Run it by itself and wait for it: `" + d.text() + "`.",
				Evidence:   []string{"command = " + d.text()},
			}
		}
		if !d.governed() {
			continue
		}
		return &Reason{
			What:       "You tried to run " + quote(d.text()) + " but that is governed: agents do not change it.",
			Why:        []string{"Roles, settings, records of sessions, hooks and the controller are what governs you."},
			UseInstead: "Leave it as it is; ask the user to run it if it is needed.",
			Evidence:   []string{"command = " + d.text()},
		}
	}
	return nil
}

// researchByTool: what the person allows of research stands in a folder that the environment of a
// command names, and an agent sets that of its shell. It does not set that of our tools.
func researchByTool(d ownCommand) *Reason {
	return &Reason{
		What:       "You tried to run " + quote("idumb research") + " in a shell but that costs money, which a user allows.",
		Why:        []string{"What is allowed depends on the environment of the command, and that is yours here."},
		UseInstead: `Use govern_delegate {"action": "research", "task": "...", "question": "..."}.`,
		Evidence:   []string{"command = " + d.text()},
	}
}

// Governed reports whether a call runs a command of idumb's that no agent may run,
// whatever the repository holds.
func Governed(call Call) bool {
	e := &evaluation{call: call}
	return slices.ContainsFunc(e.ownCommands(), func(d ownCommand) bool { return d.governed() || d.asks && !call.Own })
}

// governed reports whether the command changes what governs agents.
func (d ownCommand) governed() bool {
	switch d.verb {
	case "hook": // "idumb hook HOST" answers for whoever one says one is
		return len(d.names) > 0 && d.names[0] != "install" && d.names[0] != "status"
	case "controller":
		return slices.Contains(d.names, "stop")
	case "trust", "kubeconfig", "allow":
		return true
	case "uninstall":
		return !d.dry
	case migrateVerb: // it writes settings and records of sessions, out of files that are open to agents
		return !d.dry
	case "create":
		return len(d.kinds) > 0 && !openKind(d.kinds[0])
	}
	return d.changes() && slices.ContainsFunc(d.kinds, func(kind string) bool { return !openKind(kind) })
}

func openKind(kind string) bool {
	return kind == resources.Trajectories || slices.Contains(openKinds[:], kind)
}

// ownTerms: nobody changes the terms under which it works. A delegation is changed by
// whoever gave it; and while an agent works under one, the tasks that it was not handed
// are not its own either. Planners, who were handed nothing, change all plans.
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

// termsByFile holds writes of planning files against who makes them.
func (e *evaluation) termsByFile() *Reason {
	if !e.call.writes() {
		return nil
	}
	for _, p := range e.call.Paths {
		kind, name, ok := object(p)
		switch {
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

// MayChange reports whether whoever makes a call may change, recall or end a
// delegation: for tools that name it in an argument of their own. One that is not
// there may be made.
func MayChange(call Call, delegation string, view View) bool {
	return (&evaluation{call: call, view: view}).mayChange(delegation)
}

// mayChange reports whether the caller may change a delegation: it gave it, or it is
// an agent that a person started and that the delegation is not addressed to. What another
// session gave is that session's until it ends. One that is not there has no terms yet.
func (e *evaluation) mayChange(name string) bool {
	c := e.caller()
	if slices.ContainsFunc(c.under, func(t grant) bool { return t.name == name }) {
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
	return !c.own || c.claims(d.Spec.To, e.view) != mine
}

// givenBeside returns the session that gave a delegation, if the caller does not act for it and that is not over.
// It returns "" otherwise.
func (e *evaluation) givenBeside(d *resources.Delegation) string {
	giver := giverOf(d, e.view)
	if giver == "" || giver == e.caller().top || status.GiverOver(d, e.view) {
		return ""
	}
	return giver
}

// notYours is the denial for a delegation that somebody else gave.
func (e *evaluation) notYours(name string) *Reason {
	r := &Reason{
		What:       e.attempt() + " but delegation " + quote(name) + " is not yours to change.",
		Why:        []string{"It says what you may do; you act as " + e.caller().name() + "."},
		UseInstead: "Leave it to whoever gave it: `idumb describe delegation " + name + "` shows how it stands.",
		Evidence:   []string{"delegations/" + name},
	}
	if d, ok := e.view.Delegation(name); ok {
		r.Why = []string{quote(d.Spec.From) + " gave it to " + quote(d.Spec.To) + ", and only the giver changes or recalls it; you act as " + e.caller().name() + "."}
		r.Evidence = []string{"delegations/" + name + " spec.from = " + quote(d.Spec.From)}
		if giver := e.givenBeside(d); giver != "" {
			r.Why = []string{"Session " + quote(giver) + " gave it and works on: only that session changes or recalls it, until it ends or is not heard of for " + forAge(resources.DefaultLeaseDuration) + "."}
			r.Evidence = []string{"delegations/" + name + " is made by session " + quote(giver)}
		}
		if e.caller().task() == d.Spec.Task {
			r.UseInstead = "If you cannot work on these terms, run `idumb fail " + d.Spec.Task + " --reason \"...\"` to hand the task back."
		}
	}
	return r
}

// attempt opens the WHAT of a denial by the command, if there is one.
func (e *evaluation) attempt() string {
	if len(e.ownCommands()) > 0 && len(e.call.Runs) > 0 {
		shown := make([]string, 0, len(e.call.Runs))
		for _, r := range e.call.Runs {
			shown = append(shown, r.Shown())
		}
		return "You tried to run " + quote(strings.Join(shown, " ; "))
	}
	return tried(e.call)
}

// byCommandOnly is the denial for a delegate that edits plans as files: commands
// look at who asks, an editor does not.
func (e *evaluation) byCommandOnly(kind, name string) *Reason {
	c := e.caller()
	r := &Reason{
		What:       tried(e.call) + " but you work under delegation " + quote(c.under[0].name) + ".",
		Why:        []string{"A delegate changes plans, tasks and delegations by commands only, which look at who asks."},
		UseInstead: "Tell the agent that started you what has to change in " + kind + " " + quote(name) + ".",
		Evidence:   []string{"sessions/" + e.call.Session + " spec.delegation = " + quote(c.under[0].name)},
	}
	if own := c.task(); kind == "task" && own == name {
		r.UseInstead = "Run `idumb complete " + own + " --evidence \"...\"` if it is done, or `idumb fail " + own + " --reason \"...\"` if it cannot be."
	}
	return r
}

// delegationsByCommand holds a command on delegations against who gave them.
func (e *evaluation) delegationsByCommand(d ownCommand) *Reason {
	if !d.changes() || !d.about(resources.Delegations) {
		return nil
	}
	names := d.names
	if d.several { // which they are is not known here
		names = e.view.Names(resources.Delegations)
	}
	for _, name := range names {
		if _, there := e.view.Delegation(name); there && !e.mayChange(name) && !(d.hands() && e.worksUnder(name)) {
			return e.notYours(name)
		}
	}
	if c := e.caller(); d.several && c.delegate() {
		return e.notYours(c.under[0].name)
	}
	return nil
}

// hands reports whether the command only says that a delegation is taken on, or handed back:
// whoever works under it says so.
func (d ownCommand) hands() bool { return d.verb == "accept" || d.verb == "complete" }

// worksUnder reports whether a delegation is the caller's own.
func (e *evaluation) worksUnder(name string) bool {
	c := e.caller()
	return c.ancestry.own && c.under[0].name == name
}

// othersByCommand holds a delegate's command against what it was handed: it starts
// and completes its own task and parts of it, and changes those parts.
func (e *evaluation) othersByCommand(d ownCommand) *Reason {
	switch {
	case !d.changes():
		return nil
	case d.several, d.verb == "apply", d.verb == "replace", d.verb == "import", d.verb == migrateVerb, d.verb == "restore":
		return e.notHanded(d, "what it names")
	case d.about(resources.WorkPlans) || d.about(resources.Trajectories):
		return e.notHanded(d, "the plan")
	case len(d.kinds) > 0 && !d.about(resources.Tasks): // what it found out, and delegations, which are asked about above
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

// notHanded is the denial for a delegate that changes what is somebody else's.
func (e *evaluation) notHanded(d ownCommand, what string) *Reason {
	c := e.caller()
	r := &Reason{
		What:       "You tried to run " + quote(d.text()) + " but " + what + " is not yours to change.",
		Why:        []string{"Delegation " + quote(c.under[0].name) + " hands you one task, to start, complete or fail."},
		UseInstead: "Tell the agent that started you what has to change.",
		Evidence:   []string{"sessions/" + e.call.Session + " spec.delegation = " + quote(c.under[0].name)},
	}
	if own := c.task(); own != "" {
		r.Why[0] = "Delegation " + quote(c.under[0].name) + " hands you task " + quote(own) + ", to start, complete or fail."
		r.UseInstead = "Work on your own task; `idumb describe task " + own + "` shows it. Tell the agent that started you what else has to change."
	}
	return r
}
