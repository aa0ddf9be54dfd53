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
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// reading contains a call of an action that only reads.
type reading struct {
	*questions.Source
	args arguments
	gate *hooks.Gate // the caller's gate
}

// AskTool is the name of the question about the result of a reading action.
const AskTool = "tool"

// Questions returns the questions that the controller answers for the tools.
func Questions() []questions.Question {
	return []questions.Question{{Name: AskTool, Answer: toolRead}, {Name: AskGate, Answer: atGate}}
}

// ReadValues returns the parameters of an AskTool question.
func ReadValues(tool, action string, arguments []byte, who callers.Caller, env []string) url.Values {
	return values(url.Values{"tool": {tool}, "action": {action}, "arguments": {string(arguments)}}, who, env)
}

func values(v url.Values, who callers.Caller, env []string) url.Values {
	v.Set("caller", string(encoded(who)))
	return questions.WithEnv(v, env)
}

// gateOf opens the caller's gate.
func gateOf(s *questions.Source, v url.Values) (*hooks.Gate, error) {
	var who callers.Caller
	if err := json.Unmarshal([]byte(v.Get("caller")), &who); err != nil {
		return nil, err
	}
	return s.Gate.OpenGate(s.Root, who, questions.Env(v), time.Now()), nil
}

func toolRead(s *questions.Source, v url.Values) (any, error) {
	t, _ := find(acts.All(), v.Get("tool"))
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
	asked := ReadValues(c.tool.name, c.action.name, encoded(c.args), c.who, frame.Deciding(c.service.Env))
	told, hangUp := serve.Told[answer](c.ctx, c.root, AskTool, asked)
	hangUp()
	if told != nil {
		return *told, nil
	}
	snapshot, err := c.files.Load(c.ctx, c.now, c.action.kinds...)
	if err != nil {
		return nil, err
	}
	reply, err := c.action.read(reading{questions.FromFiles(c.root, snapshot), c.args, c.gate})
	var gone missing
	if errors.As(err, &gone) {
		err = c.missing(gone.key)
	}
	return reply, err
}

// missing is the error for an object that does not exist.
type missing struct{ key resources.Key }

func (m missing) Error() string { return apierrors.NotFound(m.key).Error() }
