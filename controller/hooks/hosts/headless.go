package hosts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// Headless describes how a host runs one prompt without a person. The host
// reads the prompt from standard input, and ReadOutcome parses its output. The
// zero Headless means that the host is not known to run hooks in this mode.
type Headless struct {
	Program  string
	Args     []string // all arguments; the prompt and the repository add none
	UnsetEnv []string // variables to remove from the environment of the child
}

// Outcome is the result of a headless run, as reported by the host.
type Outcome struct {
	Session string   // the host's id of the session
	Text    string   // the last message of the agent
	CostUSD *float64 // nil if the host does not report it
	Tokens  int      // 0 if the host does not report it
	Failure string   // the error that the host reports; empty on success
}

// printed is one JSON value in the output of Claude Code, with the fields that
// are read.
type printed struct {
	Type    string   `json:"type"`
	Session string   `json:"session_id"`
	IsError bool     `json:"is_error"`
	Result  string   `json:"result"`
	Cost    *float64 `json:"total_cost_usd"`
	Usage   struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

// ReadOutcome parses the output of a headless run, which is a sequence of JSON
// values, one a line. It skips text that is not JSON, and unknown values. It
// returns an error if the output has neither an answer nor a failure.
func ReadOutcome(output []byte) (Outcome, error) {
	var o Outcome
	for line := range bytes.Lines(output) {
		var p printed
		if json.Unmarshal(line, &p) == nil && p.Type == "result" {
			o = Outcome{Session: p.Session, Text: p.Result, CostUSD: p.Cost, Tokens: max(p.Usage.Input, 0) + max(p.Usage.Output, 0)}
			if p.IsError {
				o.Failure = cmp.Or(p.Result, "it ended in an error")
			}
		}
	}
	o.Text = strings.TrimSpace(strings.ToValidUTF8(o.Text, "\uFFFD"))
	if o.Text == "" && o.Failure == "" {
		return o, errors.New("its host printed no answer")
	}
	return o, nil
}
