package tools

import (
	"net/url"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/questions"
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

func atGate(s *questions.Source, v url.Values) (any, error) {
	gate, err := gateOf(s, v)
	if err != nil {
		return nil, err
	}
	j := judge(gate, v.Get("tool"), v.Get("command"))
	return &j, nil
}

// judge returns the gate's verdict on the command line of a call, and the caller's task. If tool
// and command are empty, there is no verdict.
func judge(gate *hooks.Gate, tool, command string) (j judgement) {
	if tool != "" || command != "" {
		j.Verdict = gate.Judge(tool, command)
	}
	if t, ok := gate.Work(); ok {
		j.Work = t.Metadata.Name
	}
	return j
}

// judged gets the gate's verdict from the controller or from the files, and records it.
func (c *call) judged(tool, command string) judgement {
	j := c.askGate(tool, command)
	j.Verdict = c.gate.Remember(tool, command, j.Verdict)
	c.advice = c.gate.Allowed()
	return j
}

func (c *call) askGate(tool, command string) judgement {
	asked := values(url.Values{"tool": {tool}, "command": {command}}, c.who, frame.Deciding(c.service.Env))
	told, hangUp := serve.Told[judgement](c.ctx, c.root, AskGate, asked)
	hangUp()
	if told != nil {
		return *told
	}
	return judge(c.gate, tool, command)
}
