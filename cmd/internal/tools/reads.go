package tools

import (
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// reading contains a call of an action that only reads.
type reading struct {
	*queries.Source
	args arguments
	gate *hooks.Gate // the caller's gate
}

// AskTool is the name of the question about the result of a reading action.
const AskTool = "tool"

// Questions returns the questions that the controller answers for the tools.
func Questions() []queries.Question {
	return []queries.Question{{Name: AskTool, Answer: answerTool}, {Name: AskGate, Answer: answerGate}}
}

// ReadValues returns the parameters of an AskTool question.
func ReadValues(tool, action string, arguments []byte, who callers.Caller, env []string) url.Values {
	return values(url.Values{"tool": {tool}, "action": {action}, "arguments": {string(arguments)}}, who, env)
}

// values adds the caller and its environment to the parameters of a question.
func values(v url.Values, who callers.Caller, env []string) url.Values {
	v.Set("caller", string(encodeJSON(who)))
	return queries.WithEnv(v, env)
}

// gateOf opens the gate for the caller that the parameters of a question contain.
func gateOf(s *queries.Source, v url.Values) (*hooks.Gate, error) {
	var who callers.Caller
	if err := json.Unmarshal([]byte(v.Get("caller")), &who); err != nil {
		return nil, err
	}
	return s.Gate.OpenGate(s.Root, who, queries.Env(v), time.Now()), nil
}

// answerTool answers an AskTool question in the controller. It returns an error for an action that
// writes.
func answerTool(s *queries.Source, v url.Values) (any, error) {
	t, _ := findTool(acts.All(), v.Get("tool"))
	a, known := t.action(v.Get("action"))
	if !known || a.read == nil {
		return nil, errors.New("no tool reads that")
	}
	args, err := readArguments([]byte(v.Get("arguments")))
	if err != nil {
		return nil, err
	}
	gate, err := gateOf(s, v)
	if err != nil {
		return nil, err
	}
	reply, err := a.read(reading{s, args, gate})
	return &reply, err
}

// ask answers a call that only reads. It asks the controller, or reads the files if no controller
// answers.
func (c *call) ask() (answer, error) {
	asked := ReadValues(c.tool.name, c.action.name, encodeJSON(c.args), c.caller, frame.RelevantEnv(c.service.Env))
	told, hangUp := serve.Query[answer](c.ctx, c.root, AskTool, asked)
	hangUp()
	if told != nil {
		return *told, nil
	}
	snapshot, err := c.files.Load(c.ctx, c.now, c.action.kinds...)
	if err != nil {
		return nil, err
	}
	reply, err := c.action.read(reading{queries.FromFiles(c.root, snapshot), c.args, c.gate})
	var gone notFoundError
	if errors.As(err, &gone) {
		err = c.explainNotFound(gone.key)
	}
	return reply, err
}

// notFoundError is the error for an object that does not exist.
type notFoundError struct{ key resources.Key }

func (m notFoundError) Error() string { return apierrors.NotFound(m.key).Error() }
