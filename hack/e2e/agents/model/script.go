package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Call is one tool call that the model makes.
type Call struct {
	Tool string
	// Namespace is the prefix of an MCP server's tool in the Responses API.
	Namespace string
	Input     map[string]any
	// Freeform is the input of a tool that takes plain text instead of an object, such as Codex's
	// apply_patch. If it is set, Input is ignored.
	Freeform string
}

// Turn is the model's answer. The zero Turn contains nothing and ends the turn.
type Turn struct {
	Text  string
	Calls []Call
	// InputTokens is the number of input tokens that the model reports. Clients use it to decide
	// when to compact. 0 reports a small number.
	InputTokens int
}

// Step is one scripted answer and the conditions on the request that it answers.
type Step struct {
	// Want lists texts that must be in the request after the model's last answer.
	Want []string
	// Reject lists texts that must not be there.
	Reject []string
	// Know lists texts that must be anywhere in the request.
	Know []string
	// Look checks the whole request. It may be nil.
	Look func(*Request) error
	// Do runs before the answer, while the client waits. It may be nil.
	Do func(*Request) error
	// Until lists texts that the request must contain before the step is played. While one is
	// missing, the answer is Meanwhile. In clients that do not wait for other agents themselves,
	// this makes an agent wait.
	Until    []string
	WaitTurn Turn

	Turn
}

// Lane contains the answers for one participant, in order.
type Lane struct {
	Name string
	// Match reports whether a request belongs to this participant. If it is nil, all requests do.
	Match func(*Request) bool
	Steps []Step
	// Rest is the answer after all steps are used. The zero Rest answers "Done.".
	Rest Step
	// Optional is true for lanes that may end before all steps are played.
	Optional bool
}

// Say returns a step that ends the turn with a text.
func Say(text string) Step { return Step{Turn: Turn{Text: text}} }

// Use returns a step that calls tools.
func Use(calls ...Call) Step { return Step{Turn: Turn{Calls: calls}} }

// Wanting adds texts to Want.
func (s Step) Wanting(texts ...string) Step {
	s.Want = append(append([]string(nil), s.Want...), texts...)
	return s
}

// Rejecting adds texts to Reject.
func (s Step) Rejecting(texts ...string) Step {
	s.Reject = append(append([]string(nil), s.Reject...), texts...)
	return s
}

// Knowing adds texts to Know.
func (s Step) Knowing(texts ...string) Step {
	s.Know = append(append([]string(nil), s.Know...), texts...)
	return s
}

// Doing sets the action that runs before the answer.
func (s Step) Doing(do func(*Request) error) Step {
	s.Do = do
	return s
}

// Looking sets the check of the whole request.
func (s Step) Looking(look func(*Request) error) Step {
	s.Look = look
	return s
}

// Reporting sets the number of tokens that the step reports for the context window.
func (s Step) Reporting(inputTokens int) Step {
	s.InputTokens = inputTokens
	return s
}

// waits reports whether the request does not contain all texts of Until yet.
func (s Step) waits(r *Request) bool {
	all := r.All()
	return slices.ContainsFunc(s.Until, func(text string) bool { return !strings.Contains(all, text) })
}

// check returns the conditions that the request does not meet.
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
			complaints = append(complaints, fmt.Sprintf("does not contain %q; new text:\n%s", text, excerpt(fresh)))
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

// excerptLength is the largest part of a request that a complaint quotes, in bytes.
const excerptLength = 1500

// excerpt returns the start of a long text. Tool results are at the start, and the texts that
// clients add follow them. The log of requests contains the complete text.
func excerpt(s string) string {
	if len(s) > excerptLength {
		s = strings.ToValidUTF8(s[:excerptLength], "") + "..."
	}
	return "    | " + strings.ReplaceAll(s, "\n", "\n    | ")
}

// arguments returns the input of a call as a JSON object. It returns an empty object for a nil
// input.
func (c Call) arguments() json.RawMessage {
	input := c.Input
	if input == nil {
		input = map[string]any{}
	}
	data, err := json.Marshal(input)
	if err != nil { // cannot happen: inputs are written by hand and contain only strings, numbers and lists
		return json.RawMessage("{}")
	}
	return data
}
