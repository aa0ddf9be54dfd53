package admission

import "strconv"

// Loop says that a call goes on with what a trigger is set off by: the same call again,
// the same failure, agents started in turns. The host's adapter counts.
type Loop struct {
	Trigger string // its name
	Event   string // resources.TriggerCall, ...
	Text    string // what the session is told of it
	Count   int    // spec.count, with its default
}

// halted: what a trigger halts is not done again. Only that very call is: everything else
// stays open, a changed file or the person's next prompt lifts it.
func halted(e *evaluation) *Reason {
	l := e.call.Loop
	if l == nil || e.call.Action == Governance || e.call.Action == Ask {
		return nil
	}
	return &Reason{
		What:       tried(e.call) + " but trigger " + quote(l.Trigger) + " halted it.",
		Why:        []string{"Here is what set it off: " + clean(l.Text) + "."},
		UseInstead: "Make a different call, or change a file first: both are open. If you cannot go on, end your turn and tell the person what you tried; their next prompt lifts this.",
		Evidence:   []string{"triggers/" + l.Trigger + " spec.event = " + l.Event + ", spec.count = " + strconv.Itoa(l.Count)},
	}
}
