package queries

import (
	"encoding/json"
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// envParameter is the parameter with the client's environment variables on
// which an answer depends, one per value: see frame.IsRelevant.
const envParameter = "env"

// Env returns the client's environment variables from the parameters. It
// returns nil if the question has none, because its answer does not depend on
// them.
func Env(v url.Values) []string { return v[envParameter] }

// WithEnv adds the client's relevant environment variables to the parameters.
func WithEnv(v url.Values, env []string) url.Values {
	v[envParameter] = append([]string{""}, env...) // present even if env is empty
	return v
}

// Right is the permission of one action.
type Right struct {
	Allowed    bool     `json:"allowed"`
	Ask        bool     `json:"ask,omitempty"`    // the user is asked first; denied if the host cannot ask
	Action     string   `json:"action"`           // action as requested
	Object     string   `json:"object,omitempty"` // file, command or agent
	Agent      string   `json:"agent,omitempty"`  // --as
	Role       string   `json:"role,omitempty"`   // role of the agent
	LeastRole  bool     `json:"leastRole,omitempty"`
	Task       string   `json:"task,omitempty"` // task of the evaluation
	Mode       string   `json:"mode"`
	Rule       string   `json:"rule,omitempty"` // denying rule
	Text       string   `json:"what,omitempty"`
	Reasons    []string `json:"why,omitempty"`
	UseInstead string   `json:"useInstead,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Advice     string   `json:"advice,omitempty"`
}

// Rights holds the permissions of an agent.
type Rights struct {
	Can []Right `json:"can"` // one result per requested action
	// Planless means that the rules below apply only once a plan is active.
	Planless bool                `json:"planless,omitempty"`
	Paths    resources.PathRules `json:"paths,omitzero"`
	Shell    resources.RuleSet   `json:"shell,omitzero"`
	Tools    resources.RuleSet   `json:"tools,omitzero"`
}

// RightsValues returns the parameters of questions to the gate from a client
// with that environment. With whole, the question also asks for the role's
// rules for files and commands.
func RightsValues(asked []hooks.Question, env []string, whole bool) url.Values {
	v := WithEnv(url.Values{}, env)
	for i := range asked {
		data, _ := json.Marshal(&asked[i]) // contains only strings
		v.Add("call", string(data))
	}
	if whole {
		v.Set("whole", "true")
	}
	return v
}

// RightsOf evaluates questions with the gate and records nothing. With whole, it
// adds the rules of the role that the first question is about.
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
			answer.Planless = gate.Planless(root, Env(v), now)
		}
	}
	return answer, nil
}

// rightOf converts the gate's answer to a question. It includes the reason unless the call is
// simply allowed.
func rightOf(q hooks.Question, j hooks.Judged) Right {
	v := j.Verdict
	r := Right{
		Allowed: v.Outcome != admission.Deny && v.Outcome != admission.AskPerson, Ask: v.Outcome == admission.AskPerson,
		Agent: q.As, Role: j.Role, LeastRole: j.Unknown, Task: v.Task, Mode: j.Mode, Advice: v.Advice,
	}
	if v.Outcome == admission.Deny || v.Outcome == admission.Record || r.Ask {
		r.Rule, r.Text, r.Reasons, r.UseInstead, r.Evidence = v.Reason.Rule, v.Reason.What, v.Reason.Why, v.Reason.Instead(), v.Reason.Evidence
	}
	return r
}
