package tools

import (
	"encoding/json"
	"net/url"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources/admission"
)

// AskGate is the question for what the gate makes of a call. Whoever answers it keeps the
// gate's records.
const AskGate = "tool-gate"

// judgement is the answer.
type judgement struct {
	Verdict admission.Verdict
	Work    string // the task that the caller works on, "" for none
	Ready   string // of a denial for want of a task: one that may be started, "" for none
}

func atGate(s questions.Source, v url.Values) (any, error) {
	gate, err := gateOf(s, v)
	if err != nil {
		return nil, err
	}
	j := judge(gate, v)
	return &j, nil
}

// judge judges the command line of a call, or records how one ended that was run.
func judge(gate *hooks.Gate, v url.Values) (j judgement) {
	command := v.Get("command")
	switch tool := v.Get("tool"); {
	case v.Has("ended"):
		var ended hooks.Ended
		_ = json.Unmarshal([]byte(v.Get("ended")), &ended) // ours
		gate.Ran(command, ended)
	case tool == shellName:
		j.Verdict = gate.Shell(command)
	default:
		j.Verdict = gate.Governance(tool, command)
	}
	if t, ok := gate.Work(); ok {
		j.Work = t.Metadata.Name
	}
	if rule := j.Verdict.Reason.Rule; rule == "write-gate" || rule == "task-phase" {
		if ready := gate.View().ReadyTasks(); len(ready) > 0 {
			j.Ready = ready[0]
		}
	}
	return j
}

// judged asks the gate: the controller's, or that of the files.
func (c *call) judged(v url.Values) judgement {
	v.Set("tool", c.tool.name)
	told, hangUp := serve.Told[judgement](c.ctx, c.root, AskGate, values(v, c.who, frame.Deciding(c.service.Env)))
	hangUp()
	if told != nil {
		return *told
	}
	return judge(c.gate, v)
}
