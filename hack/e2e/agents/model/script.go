package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Call is one tool call of the model.
type Call struct {
	Tool string
	// Namespace stands in front of a tool of an MCP server in the Responses dialect.
	Namespace string
	Input     map[string]any
	// Freeform is the input of a tool that takes plain text instead of an object
	// (Codex's apply_patch). Input is ignored then.
	Freeform string
}

// Turn is what the model answers. The zero Turn says nothing and ends the turn.
type Turn struct {
	Text  string
	Calls []Call
	// InputTokens is how much the model says that it was sent: clients decide by it
	// when to compact. 0 means few.
	InputTokens int
}

// Step is one scripted answer, with what has to hold of the request it answers.
type Step struct {
	// Want are texts that must stand in what is new since the model's last answer.
	Want []string
	// Reject are texts that must not stand there.
	Reject []string
	// Know are texts that must stand somewhere in the request, however old.
	Know []string
	// Look judges the whole request; nil for no more to say.
	Look func(*Request) error
	// Do runs before the answer, while the client waits; nil for nothing.
	Do func(*Request) error
	// Until are texts that the request has to hold somewhere before the step is played.
	// As long as one is missing the answer is Meanwhile: how an agent waits for others
	// in clients that do not wait by themselves.
	Until     []string
	Meanwhile Turn

	Turn
}

// Lane is what one party says, step by step.
type Lane struct {
	Name string
	// Match says which requests are this party's; nil for all of them.
	Match func(*Request) bool
	Steps []Step
	// Rest answers once the steps are used up. The zero Rest says "Done.".
	Rest Step
	// Optional lanes need not be played to their end.
	Optional bool
}

// Say is a step that ends the turn with a text.
func Say(text string) Step { return Step{Turn: Turn{Text: text}} }

// Use is a step that calls tools.
func Use(calls ...Call) Step { return Step{Turn: Turn{Calls: calls}} }

// Wanting adds texts that the request must hold to a step.
func (s Step) Wanting(texts ...string) Step {
	s.Want = append(append([]string(nil), s.Want...), texts...)
	return s
}

// Rejecting adds texts that the request must not hold to a step.
func (s Step) Rejecting(texts ...string) Step {
	s.Reject = append(append([]string(nil), s.Reject...), texts...)
	return s
}

// Knowing adds texts that the conversation must hold by then to a step.
func (s Step) Knowing(texts ...string) Step {
	s.Know = append(append([]string(nil), s.Know...), texts...)
	return s
}

// Doing lets a step do something before it answers.
func (s Step) Doing(do func(*Request) error) Step {
	s.Do = do
	return s
}

// Looking lets a step judge the whole request.
func (s Step) Looking(look func(*Request) error) Step {
	s.Look = look
	return s
}

// Reporting lets a step say how full the context window is, in tokens.
func (s Step) Reporting(inputTokens int) Step {
	s.InputTokens = inputTokens
	return s
}

// waits reports whether it is too early for a step.
func (s Step) waits(r *Request) bool {
	all := r.All()
	return slices.ContainsFunc(s.Until, func(text string) bool { return !strings.Contains(all, text) })
}

// check says what the request lacks, "" for nothing.
func (s Step) check(r *Request) []string {
	var complaints []string
	fresh := r.New()
	for _, text := range s.Want {
		if !strings.Contains(fresh, text) {
			complaints = append(complaints, fmt.Sprintf("was not sent %q but:\n%s", text, excerpt(fresh)))
		}
	}
	for _, text := range s.Know {
		if !strings.Contains(r.All(), text) {
			complaints = append(complaints, fmt.Sprintf("does not hold %q; new is:\n%s", text, excerpt(fresh)))
		}
	}
	for _, text := range s.Reject {
		if strings.Contains(fresh, text) {
			complaints = append(complaints, fmt.Sprintf("was sent %q, which must not be there", text))
		}
	}
	if s.Look != nil {
		if err := s.Look(r); err != nil {
			complaints = append(complaints, err.Error())
		}
	}
	if s.Do != nil {
		if err := s.Do(r); err != nil {
			complaints = append(complaints, err.Error())
		}
	}
	return complaints
}

// excerptLength is how much of a request a complaint quotes, in bytes.
const excerptLength = 1500

// excerpt is the beginning of a long text: results of tools come first, what clients
// add to them follows. The log of requests has all of it.
func excerpt(s string) string {
	if len(s) > excerptLength {
		s = strings.ToValidUTF8(s[:excerptLength], "") + "..."
	}
	return "    | " + strings.ReplaceAll(s, "\n", "\n    | ")
}

// arguments is the input of a call as JSON; an object even if there is none.
func (c Call) arguments() json.RawMessage {
	input := c.Input
	if input == nil {
		input = map[string]any{}
	}
	data, err := json.Marshal(input)
	if err != nil { // an input is made of strings, numbers and lists, written by hand
		return json.RawMessage("{}")
	}
	return data
}
