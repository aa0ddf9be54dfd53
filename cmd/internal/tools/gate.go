package tools

import (
	"net/url"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/admission"
)

// AskGate is the name of the question about the gate's verdict on a call. Like all questions it
// changes nothing, because the content of a question can be forged.
const AskGate = "tool-gate"

// judgement is the answer to an AskGate question.
type judgement struct {
	Verdict admission.Verdict
	Work    string // the task that the caller works on, or ""
}

// answerGate answers an AskGate question in the controller.
func answerGate(s *queries.Source, v url.Values) (any, error) {
	gate, err := gateOf(s, v)
	if err != nil {
		return nil, err
	}
	j := verdictOn(gate, v.Get("tool"), v.Get("command"))
	return &j, nil
}

// verdictOn returns the gate's verdict on the command line of a call, and the caller's task. If tool
// and command are empty, there is no verdict.
func verdictOn(gate *hooks.Gate, tool, command string) (j judgement) {
	if tool != "" || command != "" {
		j.Verdict = gate.Judge(tool, command)
	}
	if t, ok := gate.Work(); ok {
		j.Work = t.Metadata.Name
	}
	return j
}

// askVerdict gets the gate's verdict from the controller or from the files, and records it.
func (c *call) askVerdict(tool, command string) judgement {
	j := c.askGate(tool, command)
	j.Verdict = c.gate.Remember(tool, command, j.Verdict)
	c.advice = c.gate.Allowed()
	return j
}

// askGate gets the gate's verdict from the controller, or without one from the files.
func (c *call) askGate(tool, command string) judgement {
	asked := values(url.Values{"tool": {tool}, "command": {command}}, c.caller, frame.RelevantEnv(c.service.Env))
	told, hangUp := serve.Query[judgement](c.ctx, c.root, AskGate, asked)
	hangUp()
	if told != nil {
		return *told
	}
	return verdictOn(c.gate, tool, command)
}
