package hosts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// Headless is how a host runs one prompt, which it reads from its standard input, without a
// person. What it prints ReadOutcome reads. The zero Headless: it is not known to do so under
// our hooks.
type Headless struct {
	Program string
	Args    []string // all of them, each ours: nothing of a question or a repository comes among them
	Without []string // variables that the child is not to have
}

// Outcome is what a headless run came to, as its host tells it.
type Outcome struct {
	Session string   // the host's id of it
	Text    string   // the agent's last words
	CostUSD *float64 // nil where the host tells of none
	Tokens  int      // where the host counts them
	Failure string   // what the host says went wrong; "" for nothing
}

// printed is one JSON value that Claude Code prints: the fields that are read.
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

// ReadOutcome reads what a headless run printed: JSON values one after the other. What is no JSON,
// and what nobody knows, is passed over. It is an error if nothing in it says how the run ended.
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
