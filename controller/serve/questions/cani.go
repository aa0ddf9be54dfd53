package questions

import (
	"encoding/json"
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// envParameter holds, as often as there are some, the variables of who asks on which an answer
// depends: see frame.Decides.
const envParameter = "env"

// Env returns what of the environment of who asks came with a question; nil where the answer
// does not depend on it.
func Env(v url.Values) []string { return v[envParameter] }

// WithEnv adds what of the environment of who asks decides.
func WithEnv(v url.Values, env []string) url.Values {
	v[envParameter] = append([]string{""}, env...) // there, even if nothing in it decides
	return v
}

// Right is whether somebody may do something.
type Right struct {
	Allowed    bool     `json:"allowed"`
	Ask        bool     `json:"ask,omitempty"`    // the person is asked before; where a host cannot ask: no
	Action     string   `json:"action"`           // as it was asked for
	Object     string   `json:"object,omitempty"` // the file, command or agent
	Agent      string   `json:"agent,omitempty"`  // --as
	Role       string   `json:"role,omitempty"`   // in which it acts
	Least      bool     `json:"leastRole,omitempty"`
	Task       string   `json:"task,omitempty"` // under which it was judged
	Mode       string   `json:"mode"`
	Rule       string   `json:"rule,omitempty"` // that objects
	What       string   `json:"what,omitempty"`
	Why        []string `json:"why,omitempty"`
	UseInstead string   `json:"useInstead,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Advice     string   `json:"advice,omitempty"`
}

// Rights is what somebody may do.
type Rights struct {
	Can   []Right             `json:"can"` // an answer to each of what was asked
	Paths resources.PathRules `json:"paths,omitzero"`
	Shell resources.RuleSet   `json:"shell,omitzero"`
	Tools resources.RuleSet   `json:"tools,omitzero"`
}

// RightsValues are the parameters of questions to the gate by somebody in that environment;
// with whole, what the role says of files and commands is asked for as well.
func RightsValues(asked []hooks.Question, env []string, whole bool) url.Values {
	v := WithEnv(url.Values{}, env)
	for i := range asked {
		data, _ := json.Marshal(&asked[i]) // texts only
		v.Add("call", string(data))
	}
	if whole {
		v.Set("whole", "true")
	}
	return v
}

// RightsOf asks the gate, and records nothing.
func RightsOf(s *Source, v url.Values) (answer Rights, err error) {
	root, gate := s.Root, s.Gate
	now := time.Now()
	for _, text := range v["call"] {
		var q hooks.Question
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			return answer, err
		}
		answer.Can = append(answer.Can, rightOf(q, gate.Ask(root, q, Env(v), now)))
	}
	if v.Has("whole") && len(answer.Can) > 0 {
		if role, ok := gate.RoleIn(root, answer.Can[0].Role, Env(v), now); ok {
			answer.Paths, answer.Shell, answer.Tools = role.Spec.Paths, role.Spec.Shell, role.Spec.Tools
		}
	}
	return answer, nil
}

func rightOf(q hooks.Question, j hooks.Judged) Right {
	v := j.Verdict
	r := Right{
		Allowed: v.Outcome != admission.Deny && v.Outcome != admission.AskPerson, Ask: v.Outcome == admission.AskPerson,
		Agent: q.As, Role: j.Role, Least: j.Unknown, Task: v.Task, Mode: j.Mode, Advice: v.Advice,
	}
	if v.Outcome == admission.Deny || v.Outcome == admission.Record || r.Ask {
		r.Rule, r.What, r.Why, r.UseInstead, r.Evidence = v.Reason.Rule, v.Reason.What, v.Reason.Why, v.Reason.Instead(), v.Reason.Evidence
	}
	return r
}
