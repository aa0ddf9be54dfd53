package queries

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Top is the activity and health of a session.
type Top struct {
	Name        string         `json:"name"`
	Host        string         `json:"host,omitempty"`
	Agent       string         `json:"agent,omitempty"`
	Phase       string         `json:"phase"`
	State       string         `json:"state,omitempty"`
	WaitsFor    string         `json:"waitsFor,omitempty"` // permission, answer or input, in state waiting
	Task        string         `json:"task,omitempty"`
	Holds       []string       `json:"holds,omitempty"` // tasks that the session owns
	LastSeenAt  resources.Time `json:"lastSeenAt,omitzero"`
	Turns       int            `json:"turns"`
	Calls       int            `json:"calls"`
	Writes      int            `json:"writes"`
	Denials     int            `json:"denials"`
	Violations  int            `json:"violations"`
	Compactions int            `json:"compactions"`
	Tools       map[string]int `json:"tools,omitempty"`  // number of calls of each tool
	Tokens      int            `json:"tokens,omitempty"` // size of the conversation as reported by the host; 0 if unknown

	LastCall   *resources.LastCall `json:"lastCall,omitempty"`
	Drift      int                 `json:"drift"`
	Health     int                 `json:"health"`
	Poisoning  string              `json:"poisoning"`     // level of the stale tool outputs in the agent's context, with counts
	Components []string            `json:"why,omitempty"` // components of drift and health
}

// TopOf returns the activity of the named sessions (session), of the live
// sessions, or of all sessions (all).
func TopOf(s *Source, v url.Values) ([]Top, error) {
	names, over := slices.Clone(v["session"]), v.Has("all")
	rows := []Top{}
	for i := range names {
		key, err := sessionNamed(s, strings.TrimPrefix(names[i], "session/"))
		if err != nil {
			return nil, err
		}
		names[i] = key.Name
	}
	for _, key := range s.List(resources.Sessions) {
		object, _ := s.Get(key)
		session, ok := object.(*resources.Session)
		if !ok || len(names) > 0 && !slices.Contains(names, key.Name) {
			continue
		}
		row := topOf(s, session)
		if over || len(names) > 0 || row.Phase != resources.SessionEnded && row.Phase != resources.SessionStale {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// sessionNamed finds a session by its name or by a unique prefix, because
// tables truncate long names.
func sessionNamed(s *Source, name string) (resources.Key, error) {
	key := resources.Key{Kind: resources.Sessions, Name: name}
	if EntryOf(s, key) != nil {
		return key, nil
	}
	begin := strings.TrimSuffix(name, "…")
	var found []resources.Key
	for _, k := range s.List(resources.Sessions) {
		if begin != "" && strings.HasPrefix(k.Name, begin) {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return key, apierrors.NotFound(key)
	case 1:
		return found[0], nil
	}
	return key, fmt.Errorf("%d sessions begin with %q: give more of the name", len(found), begin)
}

// topOf returns the activity of one session. It reads the gate's counters
// directly, because the record may be a minute old. Drift and health come from
// the record, like in the object's status.
func topOf(in *Source, session *resources.Session) Top {
	s, root := *session, in.Root
	st, _ := status.DeriveSession(session, in)
	figures := status.FiguresOf(session, in)
	c := &s.Spec.Counters
	hooks.CatchUp(root, s.Metadata.Name, c)
	why := append(figures.DriftReasons(), figures.HealthReasons()...)
	slices.Sort(why)
	return Top{
		Name: s.Metadata.Name, Host: s.Spec.Host, Agent: s.Spec.Agent, Phase: st.Phase, State: s.Spec.State, WaitsFor: s.Spec.WaitsFor, Tokens: s.Spec.Tokens, LastCall: hooks.LastCallOf(root, s.Metadata.Name), Task: s.Spec.ActiveTask, LastSeenAt: s.Spec.LastSeenAt,
		Holds: in.roll().TasksOf(s.Metadata.Name),
		Turns: c.Turns, Calls: c.ToolCalls, Writes: c.Writes, Denials: c.Denials, Violations: c.Violations, Compactions: c.Compactions, Tools: hooks.ToolsOf(root, s.Metadata.Name),
		Drift: st.Drift, Health: st.Health, Poisoning: figures.Outputs().String(), Components: slices.Compact(why),
	}
}
